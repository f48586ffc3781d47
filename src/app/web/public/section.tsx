import type { ReactNode } from 'react';
import { date, dateTime } from '#shared/format.ts';
import { cx } from '#ui/cx.ts';

/** Spacing between the sections of the page. */
export const APART = 'mt-20 sm:mt-28';

type HeadProps = { id: string; title: string; className?: string; isWide?: boolean; children: ReactNode };

/** The heading of a section and its link into the app; a wide one has its text next to its title. */
export function SectionHead({ id, title, className, isWide = false, children }: HeadProps) {
  return (
    <div className={cx(className, isWide && 'grid gap-x-12 lg:grid-cols-[1.35fr_1fr]')}>
      <h2
        id={id}
        className="max-w-[22ch] text-[32px] leading-[1.1] font-semibold tracking-[-0.035em] text-balance sm:text-[44px]"
      >
        {title}
      </h2>
      <div className={cx('mt-5 max-w-[30rem] text-[17px] leading-7 text-ink-2', isWide && 'lg:mt-1')}>{children}</div>
    </div>
  );
}

export function More({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="mt-3 inline-flex h-11 items-center text-[15px] font-medium text-accent hover:underline">
      {children}
    </a>
  );
}

/** Shown in place of a figure without data. */
export const Waiting = ({ children }: { children: string }) => (
  <p className="rounded-[10px] border border-line px-5 py-16 text-center text-ink-2">{children}</p>
);

/** The heading of a figure: its subject and its time. */
export function FigureHead({ title, note, className }: { title: string; note: ReactNode; className?: string }) {
  return (
    <div className={cx('flex flex-wrap items-baseline justify-between gap-x-4', className)}>
      <h3 className="text-lg font-semibold">{title}</h3>
      <p className="label num">{note}</p>
    </div>
  );
}

/** '21 Nov 2026' */
export const dayText = (iso: string): string => date(Date.parse(iso));

/** '14:03:12 UTC' */
export const clockText = (iso: string): string => dateTime(Date.parse(iso)).split(', ')[1] ?? '';
