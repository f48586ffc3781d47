import { age } from '#shared/format.ts';

import { cx } from './cx.ts';
import { useNow } from './now.ts';

type Props = { observedAt: number; staleAfter: number; source?: string | undefined; className?: string };

/** "Updated 12s ago · CoinGecko", amber once the number is older than its contract. */
export function Fresh({ observedAt, staleAfter, source, className }: Props) {
  const now = useNow();
  const stale = now > staleAfter;
  return (
    <span
      className={cx(
        'num inline-flex items-center gap-1.5 text-2xs font-medium whitespace-nowrap',
        stale ? 'text-warn' : 'text-ink-3',
        className,
      )}
    >
      <span className={cx('size-1.5 shrink-0 rounded-full', stale ? 'bg-warn' : 'breathe bg-up')} aria-hidden="true" />
      <span className="truncate">
        {stale ? 'Stale, ' : 'Updated '}
        {age(now - observedAt)}
        {source ? ` · ${source}` : ''}
      </span>
    </span>
  );
}
