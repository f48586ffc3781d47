import type { ReactNode } from 'react';

import { cx } from './cx.ts';

const TONES = {
  plain: 'bg-raised text-ink-2',
  warn: 'bg-warn/14 text-warn',
  accent: 'bg-accent/13 text-accent',
} as const;

type Props = { tone?: keyof typeof TONES; title?: string; className?: string; children: ReactNode };

export function Chip({ tone = 'plain', title, className, children }: Props) {
  return (
    <span
      title={title}
      className={cx(
        'inline-flex h-5 items-center gap-1 rounded-chip px-1.5 text-2xs font-medium whitespace-nowrap',
        TONES[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
