import type { ReactNode } from 'react';

import { cx } from './cx.ts';

type Props = {
  id: string;
  title: string;
  note?: ReactNode;
  action?: ReactNode;
  className?: string;
  children: ReactNode;
};

export function Card({ id, title, note, action, className, children }: Props) {
  return (
    <section aria-labelledby={id} className={cx('card flex min-w-0 flex-col', className)}>
      <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 pt-2.5 pb-1.5">
        <h2 id={id} className="shrink-0 text-base font-semibold tracking-[-0.01em]">
          {title}
        </h2>
        {note && <div className="min-w-0 grow">{note}</div>}
        {action && (
          <div className="flex max-w-full flex-wrap items-center justify-between gap-1.5 max-sm:has-[>*+*]:w-full">
            {action}
          </div>
        )}
      </header>
      {children}
    </section>
  );
}
