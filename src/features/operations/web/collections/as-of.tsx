import { age, dateTime } from '#shared/format.ts';
import { useNow } from '#ui/now.ts';

/** When a card's figures were counted, and whether the last refresh failed. */
export function AsOf({ at, failed }: { at: number; failed: boolean }) {
  const now = useNow();
  return (
    <span className={`num label ${failed ? 'text-warn' : ''}`}>
      <time dateTime={new Date(at).toISOString()} title={dateTime(at)}>
        {age(now - at)}
      </time>
      {failed && ', last refresh failed'}
    </span>
  );
}
