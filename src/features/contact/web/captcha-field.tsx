import { RotateCw } from 'lucide-react';

import { Button } from '#web/ui/button.tsx';
import { INPUT, Labelled } from '#web/ui/inputs.tsx';

import type { Challenge } from '../contract.ts';

const SPOKEN = { '+': 'plus', '-': 'minus', '×': 'times' } as const;

type Props = {
  /** Absent while it is being asked for. */
  sum: Challenge | undefined;
  failed: boolean;
  answer: string;
  problem: string | null;
  onAnswer: (answer: string) => void;
  onRenew: () => void;
};

/** A small sum, which another can take the place of. */
export function CaptchaField({ sum, failed, answer, problem, onAnswer, onRenew }: Props) {
  const note = failed ? 'The sum could not be loaded. Please press Another sum.' : undefined;
  const label = sum ? `What is ${sum.a} ${SPOKEN[sum.operator]} ${sum.b}?` : 'A sum is coming';
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
        Another sum
      </Button>
    </div>
  );
}
