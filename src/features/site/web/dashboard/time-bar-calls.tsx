import { useQuery } from '@tanstack/react-query';
import { getCalls, type RecordedCall } from '#features/analysis/contract/predictions.ts';
import { call } from '#ui/api/client.ts';
import { cx } from '#ui/cx.ts';

const CALLS = { provider: 'consensus', asset: 'BTC', horizon: '24h', limit: 100 } as const;
/** Of 100 calls each: more than a month of an analysis every hour. */
const PAGES = 8;

/** The consensus calls issued since a moment, newest first. */
async function callsSince(from: number, signal: AbortSignal): Promise<RecordedCall[]> {
  const all: RecordedCall[] = [];
  let before: number | undefined;
  for (let page = 0; page < PAGES; page++) {
    const { calls, next } = await call(
      getCalls,
      { query: before === undefined ? CALLS : { ...CALLS, before } },
      signal,
    );
    all.push(...calls.filter(({ issued_at }) => Date.parse(issued_at) >= from));
    if (next === null || all.length < (page + 1) * CALLS.limit) break;
    before = next;
  }
  return all;
}

const GRADES: Record<'hit' | 'miss' | 'open' | 'void', string> = {
  hit: 'bg-up',
  miss: 'bg-down',
  open: 'bg-ink-3',
  void: 'bg-line-strong',
};

/** What was known of a call at a moment. */
function gradeAt(
  { resolved_at, state, predicted_direction, actual_direction }: RecordedCall,
  ms: number,
): keyof typeof GRADES {
  if (resolved_at === null || Date.parse(resolved_at) > ms) return 'open';
  if (state === 'void') return 'void';
  return predicted_direction === actual_direction ? 'hit' : 'miss';
}

/** The consensus calls for Bitcoin as they were known at the moment shown: they appear and are graded as one drags. */
export function TimeBarCalls({ from, to, ms }: { from: number; to: number; ms: number }) {
  const { data = [] } = useQuery({
    queryKey: ['time-bar-calls', from],
    queryFn: ({ signal }) => callsSince(from, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const known = data
    .filter(({ issued_at }) => Date.parse(issued_at) <= ms)
    .map((each) => ({ ...each, grade: gradeAt(each, ms) }));
  const counted = (grade: keyof typeof GRADES, one: string, many: string) => {
    const count = known.filter((each) => each.grade === grade).length;
    return `${count} ${count === 1 ? one : many}`;
  };
  return (
    <>
      <div className="relative h-2" aria-hidden="true">
        {known.map(({ seq, issued_at, grade }) => (
          <span
            key={seq}
            className={cx('absolute h-2 w-px', GRADES[grade])}
            style={{ left: `${((100 * (Date.parse(issued_at) - from)) / (to - from)).toFixed(2)}%` }}
          />
        ))}
      </div>
      <p className="label num">
        BTC 24h consensus calls by then: {counted('hit', 'hit', 'hits')}, {counted('miss', 'miss', 'misses')},{' '}
        {counted('open', 'open', 'open')}
      </p>
    </>
  );
}
