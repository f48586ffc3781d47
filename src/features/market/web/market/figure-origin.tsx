import type { ReactNode } from 'react';

import { cx } from '#ui/cx.ts';
import { part } from '#ui/part.tsx';

import type { OriginsProps } from './price-origins.tsx';

type FigureOriginProps = {
  /** Which number of the row it is; `name:id` outside a row. */
  figure: string;
  /** Marks the text for the painter, see board-painter. */
  live?: string | undefined;
  className?: string;
  children: ReactNode;
};

/**
 * A number in a row, as wide as its text: beside it the row itself is pressed. Its box is fixed, so that new text never moves
 * anything outside it. Six times 250 of them are no stops of the tabulator; arrow keys lead to them.
 */
export function FigureOriginCell({ figure, live, className, children }: FigureOriginProps) {
  return (
    <span className="told-box">
      <button type="button" tabIndex={-1} data-figure={figure} data-live={live} className={cx('told', className)}>
        {children}
      </button>
    </span>
  );
}

type NamedProps = Omit<FigureOriginProps, 'live'> & {
  name: string;
  /** null is a dash that says why; undefined, nothing to be asked yet. */
  value: number | null | undefined;
};

/** A number that stands alone. */
export function FigureOrigin({ figure, name, value, className, children }: NamedProps) {
  if (value === undefined) return <>–</>;
  return (
    <button type="button" data-figure={figure} className={cx('told', className)}>
      <span className="sr-only">
        {value === null ? 'Why it is missing' : 'Where it comes from'}: {name}.{' '}
      </span>
      {value === null ? '–' : children}
    </button>
  );
}

/** Answers for all of them, once on a page. */
export const PriceOrigins = part<OriginsProps>({
  load: async () => (await import('./price-origins.tsx')).PriceOrigins,
  failed: () => null,
});
