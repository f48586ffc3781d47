import { cx } from '#web/ui/cx.ts';

import type { NarrativeSentiment } from '../contract.ts';

const WORDS: Record<NarrativeSentiment, readonly [string, string]> = {
  very_positive: ['Very positive', 'bg-up/12 text-up'],
  positive: ['Positive', 'bg-up/12 text-up'],
  neutral: ['Neutral', 'bg-raised text-ink-2'],
  negative: ['Negative', 'bg-down/12 text-down'],
  very_negative: ['Very negative', 'bg-down/12 text-down'],
};

const NONE = ['Not enough past', 'px-0! text-ink-3'] as const;

export function SentimentChip({ value, className }: { value: NarrativeSentiment | null; className?: string }) {
  const [words, tone] = value ? WORDS[value] : NONE;
  return (
    <span
      className={cx(
        'inline-flex h-5 shrink-0 items-center rounded-chip px-1.5 text-2xs font-medium whitespace-nowrap',
        tone,
        className,
      )}
    >
      {words}
    </span>
  );
}
