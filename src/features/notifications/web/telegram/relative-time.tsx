import { ago, dateTime } from '#shared/format.ts';
import { useNow } from '#ui/now.ts';

const STEP_MS = 1000;

/** Such as '3m ago', with the exact time on demand. */
export function RelativeTime({ at }: { at: string }) {
  const ms = Date.parse(at);
  const now = useNow(STEP_MS);
  return (
    <time dateTime={at} title={dateTime(ms)} className="num whitespace-nowrap">
      {ago(now - ms)}
    </time>
  );
}
