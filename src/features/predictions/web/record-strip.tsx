import { cx } from '#web/ui/cx.ts';

import type { GradedCall } from '../contract.ts';

/** The newest calls as bars, the oldest first: full and up-coloured hit, short and down-coloured missed. */
export function RecordStrip({ results, className }: { results: readonly GradedCall[]; className?: string }) {
  const hits = results.filter(({ accuracy }) => accuracy === 100).length;
  const label = `Newest ${results.length} graded calls, oldest first: ${hits} hit, ${results.length - hits} missed`;
  return (
    <div role="img" aria-label={label} className={cx('flex h-9 items-end gap-[3px]', className)}>
      {results.toReversed().map(({ seq, accuracy }) => (
        <span key={seq} className={cx('flex-1 rounded-[2px]', accuracy === 100 ? 'h-full bg-up' : 'h-1/3 bg-down')} />
      ))}
    </div>
  );
}
