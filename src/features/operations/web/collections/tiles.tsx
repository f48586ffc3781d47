import type { ReactNode } from 'react';

import { cx } from '#ui/cx.ts';
import { Link } from '#ui/link.tsx';

export type Tile = {
  name: string;
  value: ReactNode;
  note: string;
  to: string;
  /** Needs attention. */
  tone?: 'warn' | 'down' | undefined;
};

const TONES = { warn: 'text-warn', down: 'text-down' } as const;

/** Figures that link to the page where they are handled. */
export function Tiles({ label, tiles }: { label: string; tiles: readonly Tile[] }) {
  return (
    <ul aria-label={label} className="grid grid-cols-2 gap-3 md:grid-cols-3">
      {tiles.map(({ name, value, note, to, tone }) => (
        <li key={name} className="grid min-w-0">
          <Link to={to} className="rounded-ctl border border-line px-3 py-2.5 hover:bg-raised">
            <span className="block text-sm font-medium text-ink-2">{name}</span>
            <span
              className={cx('num block text-2xl font-semibold tracking-[-0.025em] break-words', tone && TONES[tone])}
            >
              {value}
            </span>
            <span className="label block break-words">{note}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
