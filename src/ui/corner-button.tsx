import type { ComponentProps } from 'react';

import { Button } from './button.tsx';
import { cx } from './cx.ts';

/** At the end of the title line of a card that is `relative`, also on phones. */
export function CornerButton({ className, ...rest }: ComponentProps<typeof Button>) {
  return <Button className={cx('absolute top-2 right-3 max-sm:top-1 max-sm:h-10', className)} {...rest} />;
}
