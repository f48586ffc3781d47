import type { ComponentProps, ReactNode } from 'react';

import { cx } from './cx.ts';
import type { Failure } from './use-submit.ts';

export const PRIMARY =
  'inline-flex h-11 items-center justify-center rounded-ctl bg-btn px-4 text-base font-medium whitespace-nowrap text-btn-ink hover:opacity-90 aria-disabled:opacity-60 disabled:cursor-default disabled:opacity-60 sm:h-10';
export const SECONDARY =
  'inline-flex h-11 items-center justify-center gap-2 rounded-ctl border border-line-strong px-4 text-base font-medium whitespace-nowrap hover:bg-raised aria-disabled:opacity-60 sm:h-10';
export const TEXT_LINK = 'cursor-pointer rounded-chip font-medium text-accent underline-offset-4 hover:underline';

type SubmitProps = ComponentProps<'button'> & { busy: boolean; busyText: string };

/** While busy it stays focused and does nothing. */
export function Submit({ busy, busyText, className, children, ...rest }: SubmitProps) {
  return (
    <button type="submit" aria-disabled={busy} className={cx(PRIMARY, 'w-full', className)} {...rest}>
      {busy ? busyText : children}
    </button>
  );
}

export function FormError({ failure }: { failure: Failure | null }) {
  if (!failure) return null;
  return (
    <div role="alert" className="rounded-ctl border border-down/40 bg-down/10 px-3 py-2 text-sm">
      <p className="font-medium text-down">{failure.message}</p>
      {failure.detail && <p className="text-ink-2">{failure.detail}</p>}
    </div>
  );
}

export function FormNote({ children }: { children: ReactNode }) {
  return (
    <output className="block rounded-ctl border border-up/40 bg-up/10 px-3 py-2 text-sm font-medium text-up">
      {children}
    </output>
  );
}
