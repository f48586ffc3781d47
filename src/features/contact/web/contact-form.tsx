import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import {
  type Challenge,
  challengeResult,
  findLetterProblem,
  MAX_LENGTH,
  sendMessage,
  WRONG_ANSWER,
} from '#features/contact/contract.ts';
import { CallError } from '#ui/api/client.ts';
import { requestFile } from '#ui/api/file.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { FormError, Submit } from '#ui/form.tsx';
import { INPUT, Labelled } from '#ui/inputs.tsx';
import { Told, useSubmit } from '#ui/use-submit.ts';
import { challengeQuery } from './queries.ts';
import { ScreenshotField, screenshotProblem } from './screenshot-field.tsx';

const SPOKEN = { '+': 'plus', '-': 'minus', '×': 'times' } as const;

type Props = {
  /** Undefined while loading. */
  sum: Challenge | undefined;
  failed: boolean;
  answer: string;
  problem: string | null;
  onAnswer: (answer: string) => void;
  onRenew: () => void;
};

const NO_QUESTION = 'Couldn’t load the question. Select New question to try again.';

/** A small sum, which can be replaced. */
function CaptchaField({ sum, failed, answer, problem, onAnswer, onRenew }: Props) {
  const note = failed ? NO_QUESTION : undefined;
  const label = sum ? `What is ${sum.a} ${SPOKEN[sum.operator]} ${sum.b}?` : 'Loading…';
  return (
    <div className="flex flex-wrap items-start gap-3">
      <div className="w-40">
        <Labelled label={label} problem={problem} note={note}>
          {(control) => (
            <input
              {...control}
              name="captchaAnswer"
              value={answer}
              onChange={(event) => onAnswer(event.target.value)}
              inputMode="text"
              autoComplete="off"
              maxLength={4}
              disabled={!sum}
              className={`${INPUT} num`}
            />
          )}
        </Labelled>
      </div>
      <Button onClick={onRenew} className="mt-6 h-11 sm:h-10">
        <RotateCw className="size-3.5" aria-hidden="true" />
        New question
      </Button>
    </div>
  );
}

const EMPTY = { name: '', email: '', subject: '', message: '' };
const NO_PROBLEM = { field: null, words: null } as const;
type Letter = typeof EMPTY;
type Problem = { field: keyof Letter | 'captcha' | 'screenshot'; words: string } | typeof NO_PROBLEM;

const FAILED = 'Failed to send message';

/** The server's message, else ours. */
function errorText(error: unknown): string {
  if (!(error instanceof CallError) || error.status === 0) return `${FAILED}. Please try again.`;
  return error.told ? error.message : FAILED;
}

/** A message to support. `email` is the address of the signed-in account. */
export function ContactForm({ email }: { email: string }) {
  const [done, setDone] = useState(false);
  if (done) return <Sent onAnother={() => setDone(false)} />;
  return <Form email={email} onSent={() => setDone(true)} />;
}

function Form({ email: own, onSent }: { email: string; onSent: () => void }) {
  const [letter, setLetter] = useState<Letter>({ ...EMPTY, email: own });
  const [answer, setAnswer] = useState('');
  const [screenshot, setScreenshot] = useState<File | null>(null);
  const [round, setRound] = useState(0);
  const [problem, setProblem] = useState<Problem>(NO_PROBLEM);
  const form = useRef<HTMLFormElement>(null);
  const sum = useQuery(challengeQuery(round));
  const renew = () => {
    setAnswer('');
    setRound((last) => last + 1);
  };
  const { busy, failure, fail, submit } = useSubmit(FAILED, async (signal) => {
    const body = new FormData(form.current ?? undefined);
    for (const [name, value] of Object.entries(letter)) body.set(name, value);
    body.set('challenge', sum.data?.challenge ?? '');
    body.delete('screenshot');
    if (screenshot) body.set('screenshot', screenshot);
    try {
      await requestFile(sendMessage.path, { body, signal });
    } catch (error) {
      if (signal.aborted) throw error;
      renew();
      throw new Told(errorText(error));
    }
    onSent();
  });

  function findProblem(): Problem {
    const found = findLetterProblem(letter);
    if (found) return found;
    if (!sum.data) return { field: 'captcha', words: sum.isError ? NO_QUESTION : 'The question is still loading.' };
    if (answer.trim() === '' || Number(answer) !== challengeResult(sum.data))
      return { field: 'captcha', words: WRONG_ANSWER };
    const words = screenshot && screenshotProblem(screenshot);
    return words ? { field: 'screenshot', words } : NO_PROBLEM;
  }

  function send(): void {
    if (busy) return;
    const found = findProblem();
    setProblem(found);
    fail(null);
    if (found.field) form.current?.querySelector<HTMLElement>(`[name=${inputName(found.field)}]`)?.focus();
    else void submit();
  }

  const fieldProblem = (field: Problem['field']) => (problem.field === field ? problem.words : null);
  const bind = (field: keyof Letter) => ({
    name: field,
    value: letter[field],
    onChange: (event: { target: { value: string } }) => {
      setLetter({ ...letter, [field]: event.target.value });
      if (problem.field === field) setProblem(NO_PROBLEM);
    },
  });
  return (
    <Card id="write" title="Write to Us">
      <form
        ref={form}
        noValidate
        aria-labelledby="write"
        className="grid gap-4 px-4 pb-4"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Labelled label="Name" problem={fieldProblem('name')}>
            {(control) => <input {...control} {...bind('name')} autoComplete="name" className={INPUT} />}
          </Labelled>
          <Labelled label="Email" problem={fieldProblem('email')}>
            {(control) => <input {...control} {...bind('email')} type="email" autoComplete="email" className={INPUT} />}
          </Labelled>
        </div>
        <Labelled label="Subject" problem={fieldProblem('subject')}>
          {(control) => <input {...control} {...bind('subject')} maxLength={MAX_LENGTH.subject} className={INPUT} />}
        </Labelled>
        <Labelled label="Message" problem={fieldProblem('message')}>
          {(control) => (
            <textarea
              {...control}
              {...bind('message')}
              rows={7}
              maxLength={MAX_LENGTH.message}
              className={`${INPUT} !h-auto py-2`}
            />
          )}
        </Labelled>
        <ScreenshotField
          file={screenshot}
          problem={fieldProblem('screenshot')}
          onChange={(file) => {
            setScreenshot(file);
            setProblem(NO_PROBLEM);
          }}
        />
        {/* Hidden from people: only bots fill it. */}
        <input name="website" tabIndex={-1} autoComplete="off" aria-hidden="true" className="hidden" />
        <CaptchaField
          sum={sum.data}
          failed={sum.isError}
          answer={answer}
          problem={fieldProblem('captcha')}
          onAnswer={(value) => {
            setAnswer(value);
            if (problem.field === 'captcha') setProblem(NO_PROBLEM);
          }}
          onRenew={renew}
        />
        <FormError failure={failure} />
        <div>
          <Submit busy={busy} busyText="Sending..." className="sm:!w-auto">
            Send Message
          </Submit>
        </div>
      </form>
    </Card>
  );
}

const inputName = (field: NonNullable<Problem['field']>) => (field === 'captcha' ? 'captchaAnswer' : field);

function Sent({ onAnother }: { onAnother: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-labelledby="sent" className="card px-4 py-8 text-center">
      <h2 ref={heading} id="sent" tabIndex={-1} className="text-lg font-semibold">
        Message Sent!
      </h2>
      <p role="status" className="mt-1 mb-4 text-sm text-ink-2">
        Thank you. We received your message; expect our reply within 24-48 hours on business days.
      </p>
      <Button onClick={onAnother} className="max-sm:h-10">
        Send Another Message
      </Button>
    </section>
  );
}
