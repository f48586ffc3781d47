import type { ComponentProps } from 'react';

import { cx } from './cx.ts';

type Props = ComponentProps<'button'> & { kind?: 'outline' | 'quiet' };

export function Button({ kind = 'outline', className, ...rest }: Props) {
  return (
    <button
      type="button"
      className={cx(
        'inline-flex h-8 items-center gap-1.5 rounded-ctl px-3 text-sm font-medium whitespace-nowrap hover:bg-raised aria-pressed:bg-raised',
        kind === 'outline' ? 'border border-line-strong' : 'px-2.5 text-accent',
        className,
      )}
      {...rest}
    />
  );
}
