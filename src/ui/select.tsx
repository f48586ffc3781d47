import './select.css';

import type { ComponentProps } from 'react';

import { cx } from './cx.ts';

const SIZES = {
  /** In a filter bar. */
  bar: 'h-8 max-w-60 bg-surface px-2 text-sm font-medium',
  /** In a form, as high as its other fields. */
  form: 'h-11 w-full bg-bg px-3 text-lg sm:h-10 sm:text-base',
};

type Props = Omit<ComponentProps<'select'>, 'size' | 'onChange'> & {
  size?: keyof typeof SIZES;
  onText: (value: string) => void;
};

/**
 * A list of options. With a mouse it opens in our style where the browser supports that; phones show their own picker.
 */
export const Select = ({ size = 'bar', onText, className, ...rest }: Props) => (
  <select
    {...rest}
    onChange={(event) => onText(event.target.value)}
    className={cx(
      'choice min-w-0 truncate rounded-ctl border border-ink-3/75 aria-invalid:border-down',
      SIZES[size],
      className,
    )}
  />
);
