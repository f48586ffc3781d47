import type { ReactNode } from 'react';

import { cx } from '#ui/cx.ts';
import { part } from '#ui/part.tsx';

import type { OriginsProps } from './price-origins.tsx';

type FigureOriginProps = {
  /** Name of the figure in the row; `name:id` outside a row. */
  figure: string;
  /** Marks the text for the painter, see board-painter. */
  live?: string | undefined;
  className?: string;
  children: ReactNode;
};

/**
 * A number in a row, as wide as its text: the space beside it belongs to the row. Its box is fixed, so that new text
 * never shifts anything outside. With 250 rows of six they are not tab stops; arrow keys reach them.
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
  /** null is a dash with its reason; undefined has nothing to show yet. */
  value: number | null | undefined;
};

/** A single number outside a row. */
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

/** The shared popover, once per page. */
export const PriceOrigins = part<OriginsProps>({
  load: async () => (await import('./price-origins.tsx')).PriceOrigins,
  failed: () => null,
});
