import { z } from 'zod';

import { SourceError } from '#kernel/http/source-error.ts';

import { plainText } from '../answer.ts';

/** The provider responded, but with nothing usable. */
export class AnswerError extends SourceError {
  constructor(message: string) {
    super('body', message);
    this.name = 'AnswerError';
  }
}

const LONGEST_WORDS = 200;
const LONGEST_FAILURE = 2000;

/** Zero or more; anything but a safe integer counts as not reported. */
const count = z.int().nonnegative().nullable().catch(null);
const dollars = z.number().nonnegative().nullable().catch(null);
const anything = z.unknown().optional();
const words = z.string().nullable().catch(null);

const completion = z.object({
  model: words,
  choices: z.array(z.object({ finish_reason: words, message: z.object({ content: anything, refusal: words }) })).min(1),
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullable().catch(null),
  /** Venice reports the cost of a call. */
  cost: z.object({ usd: dollars }).nullable().catch(null),
});

const part = z.object({ type: z.literal('text'), text: z.string() });

export type Reply = {
  content: string;
  model: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
};

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((each) => part.safeParse(each).data?.text ?? '').join('');
}

/** The text of a completion, or a sentence with the reason for its absence. */
export function readCompletion(name: string, body: unknown): Reply {
  const parsed = completion.safeParse(body);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new AnswerError(`${name} sent an unexpected format at ${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { model, choices, usage, cost } = parsed.data;
  const [choice] = choices;
  const { refusal, content } = choice?.message ?? {};
  if (refusal) throw new AnswerError(`${name} refused to answer: ${plainText(refusal, LONGEST_WORDS)}`);
  if (choice?.finish_reason === 'content_filter')
    throw new AnswerError(`${name} withheld its response: content filter triggered`);
  const tokens = usage?.completion_tokens ?? null;
  if (choice?.finish_reason === 'length')
    throw new AnswerError(`${name} was cut off mid-response${tokens === null ? '' : `, after ${tokens} tokens`}`);
  const text = contentText(content);
  if (text.trim() === '') throw new AnswerError(`${name} sent an empty response`);
  return {
    content: text,
    model,
    inputTokens: usage?.prompt_tokens ?? null,
    outputTokens: tokens,
    costUsd: cost?.usd ?? null,
  };
}

const failure = z.object({
  error: z.union([
    z.string(),
    z.object({ message: words, code: anything, type: anything, failed_generation: anything }),
  ]),
});

export type Failure = { message: string; code: string; draft: string | null };

/** A provider's own error message, shortened; undefined when the body has none. */
export function readFailure(body: unknown): Failure | undefined {
  const { error } = failure.safeParse(body).data ?? {};
  if (error === undefined) return undefined;
  if (typeof error === 'string') return { message: plainText(error, LONGEST_FAILURE), code: '', draft: null };
  const { message, code, type, failed_generation: draft } = error;
  return {
    message: plainText(message ?? 'error', LONGEST_FAILURE),
    code: [code, type].filter((each) => typeof each === 'string').join(' '),
    draft: typeof draft === 'string' ? draft : null,
  };
}

/** The JSON object in a text: all of it, or the part between its first and last brace. */
export function jsonIn(text: string): object | undefined {
  const answerText = text.replace(/^\s*<think>[\s\S]*?<\/think>/, '');
  const [from, to] = [answerText.indexOf('{'), answerText.lastIndexOf('}')];
  for (const candidate of [answerText, answerText.slice(from, to + 1)]) {
    try {
      const value: unknown = JSON.parse(candidate);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    } catch {
      // Try the next candidate.
    }
  }
  return undefined;
}
