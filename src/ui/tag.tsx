import { cx } from './cx.ts';

/** The name of a plan next to a feature it includes. */
export function Tag({ children, className }: { children: string; className?: string }) {
  return (
    <span
      className={cx(
        'rounded-chip border border-line-strong px-1.5 text-[10px] leading-4 font-semibold text-ink-2',
        className,
      )}
    >
      {children}
    </span>
  );
}
