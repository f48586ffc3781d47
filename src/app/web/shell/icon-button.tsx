import type { ComponentProps } from 'react';

import { cx } from '#ui/cx.ts';

/** An icon-only header button; `aria-label` names its action. */
export function IconButton({ className, ...rest }: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      className={cx(
        'grid size-10 shrink-0 place-items-center rounded-ctl text-ink-2 hover:bg-raised hover:text-ink lg:size-9',
        className,
      )}
      {...rest}
    />
  );
}
