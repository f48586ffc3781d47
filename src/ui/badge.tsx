import type { ReactNode } from 'react';

import { cx } from './cx.ts';

const TONES = {
  plain: 'bg-raised text-ink-2',
  up: 'bg-up/10 text-up',
  warn: 'bg-warn/10 text-warn',
  down: 'bg-down/10 text-down',
  accent: 'bg-accent/10 text-accent',
} as const;
export type Tone = keyof typeof TONES;

/** A status in one or two words. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 rounded-chip px-1.5 text-2xs font-semibold whitespace-nowrap',
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}
