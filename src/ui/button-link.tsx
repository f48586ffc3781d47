import type { ComponentProps } from 'react';

import { cx } from './cx.ts';
import { Link } from './link.tsx';

type Props = ComponentProps<typeof Link> & { kind?: 'primary' | 'outline' };

/** A link styled as the primary action. */
export function ButtonLink({ kind = 'primary', className, ...rest }: Props) {
  return (
    <Link
      className={cx(
        'inline-flex items-center justify-center rounded-ctl text-sm font-medium whitespace-nowrap',
        kind === 'primary' ? 'bg-btn text-btn-ink hover:opacity-90' : 'border border-line-strong hover:bg-raised',
        className,
      )}
      {...rest}
    />
  );
}
