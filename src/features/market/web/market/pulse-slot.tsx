import type { ReactNode } from 'react';

import { cx } from '#ui/cx.ts';

/** The readings after the prices; their space is reserved until code and data have loaded. */
export const READINGS = [
  { name: 'BTC dom.', width: 'min-w-28 flex-[24]' },
  { name: 'F&G', width: 'min-w-28 flex-[24]' },
  { name: 'SSR', width: 'min-w-26 flex-[24]' },
] as const;

/** Two figures stacked, each 24 pixels high, without overlapping or shifting each other. */
export const NOTE = '-mt-2 min-h-6 pt-2 text-2xs';
export const MAIN = 'self-start pb-1';

type SlotProps = { name: string; width: string; note: ReactNode; waiting: boolean; children: ReactNode };

/** Widths do not depend on the content: a changing number must not move its neighbours. */
export function PulseSlot({ name, width, note, waiting, children }: SlotProps) {
  return (
    <li className={cx('flex basis-0 flex-col justify-center border-l border-line px-2 first:border-l-0', width)}>
      <span className="flex items-baseline justify-between gap-1.5 whitespace-nowrap">
        <span className="label">{name}</span>
        {note}
      </span>
      <span className="num flex h-5 items-center text-lg leading-5 font-semibold tracking-[-0.02em]">
        {waiting ? <span className="skel block h-4 w-16" /> : children}
      </span>
    </li>
  );
}
