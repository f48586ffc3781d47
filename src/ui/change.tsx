import { percent } from '#shared/format.ts';

import { cx } from './cx.ts';

export type Direction = 'up' | 'down' | 'flat' | 'none';

/** The direction after rounding, so that +0.00% never has an arrow. */
export function direction(value: number | null, decimals = 2): Direction {
  if (value === null) return 'none';
  const shown = Number(value.toFixed(decimals));
  if (shown === 0) return 'flat';
  return shown > 0 ? 'up' : 'down';
}

export const changeText = (value: number | null, decimals = 2): string =>
  value === null ? '–' : percent(value, decimals);

type Props = {
  value: number | null;
  decimals?: number;
  className?: string;
  /** Marks the cell for updates from outside React. */
  live?: boolean;
};

export function Change({ value, decimals = 2, className, live }: Props) {
  return (
    <span
      className={cx('change', className)}
      data-dir={direction(value, decimals)}
      data-live={live ? 'change' : undefined}
    >
      {changeText(value, decimals)}
    </span>
  );
}
