import { cx } from '#ui/cx.ts';

type Props = { letter: string; builtIn: boolean; className?: string };

/** A model's letter in a ring; the built-in analyst's in a square. */
export function Mark({ letter, builtIn, className }: Props) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'grid size-[18px] shrink-0 place-items-center border text-[10px] leading-none font-semibold',
        builtIn
          ? 'rounded-[4px] border-dashed border-ink-3 bg-raised text-ink-2'
          : 'rounded-full border-ink-3 bg-surface text-ink',
        className,
      )}
    >
      {letter}
    </span>
  );
}
