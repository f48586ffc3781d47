import type { ReactNode } from 'react';

/** Cell styles of tables of figures with row headings in the first column. */
export const HEAD = 'label pb-1 pl-3 text-right font-medium whitespace-nowrap';
export const BODY =
  '[&_td]:h-8 [&_td]:border-t [&_td]:border-line [&_td]:text-right [&_th]:border-t [&_th]:border-line';

/** Content wider than the screen scrolls horizontally, also by keyboard. */
export function ScrollBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
    <div role="region" aria-label={label} tabIndex={0} className="relative overflow-x-auto px-4 pb-4">
      {children}
    </div>
  );
}
