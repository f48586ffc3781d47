import { cx } from '#web/ui/cx.ts';

/** The newest calls as bars, the oldest first: full and up-coloured hit, short and down-coloured missed. */
export function RecordStrip({ hits, className }: { hits: readonly boolean[]; className?: string }) {
  const hit = hits.filter(Boolean).length;
  const label = `Newest ${hits.length} graded calls, oldest first: ${hit} hit, ${hits.length - hit} missed`;
  return (
    <div role="img" aria-label={label} className={cx('flex h-9 items-end gap-[3px]', className)}>
      {[...hits.toReversed().entries()].map(([place, isHit]) => (
        <span key={place} className={cx('flex-1 rounded-[2px]', isHit ? 'h-full bg-up' : 'h-1/3 bg-down')} />
      ))}
    </div>
  );
}
