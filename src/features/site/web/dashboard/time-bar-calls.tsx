import { useQuery } from '@tanstack/react-query';
import { getCalls, type RecordedCall } from '#features/analysis/contract/predictions.ts';
import { call } from '#ui/api/client.ts';
import { cx } from '#ui/cx.ts';

const CALLS = { provider: 'consensus', asset: 'BTC', horizon: '24h', limit: 100 } as const;
/** Of 100 calls each: more than a month of hourly analyses. */
const PAGES = 8;

type Since = { calls: RecordedCall[]; isCut: boolean };

/** The consensus calls issued since a moment, newest first; `isCut` when there are more than are fetched. */
async function callsSince(from: number, signal: AbortSignal): Promise<Since> {
  const all: RecordedCall[] = [];
  let before: number | undefined;
  for (let page = 0; page < PAGES; page++) {
    const query = before === undefined ? CALLS : { ...CALLS, before };
    const { calls, next } = await call(getCalls, { query }, signal);
    all.push(...calls.filter(({ issued_at }) => Date.parse(issued_at) >= from));
    if (next === null || all.length < (page + 1) * CALLS.limit) return { calls: all, isCut: false };
    before = next;
  }
  return { calls: all, isCut: true };
}

const GRADES: Record<'hit' | 'miss' | 'open' | 'void', string> = {
  hit: 'bg-up',
  miss: 'bg-down',
  open: 'bg-ink-3',
  void: 'bg-line-strong',
};

/** The state of a call as known at a moment. */
function gradeAt(
  { resolved_at, state, predicted_direction, actual_direction }: RecordedCall,
  ms: number,
): keyof typeof GRADES {
  if (resolved_at === null || Date.parse(resolved_at) > ms) return 'open';
  if (state === 'void') return 'void';
  return predicted_direction === actual_direction ? 'hit' : 'miss';
}

/** The consensus calls for Bitcoin as known at the selected moment: they appear and are graded while dragging. */
export function TimeBarCalls({ from, to, ms }: { from: number; to: number; ms: number }) {
  const { data, isError } = useQuery({
    queryKey: ['time-bar-calls', from],
    queryFn: ({ signal }) => callsSince(from, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!data) return <p className="label">{isError ? 'Couldn’t load the calls.' : 'Loading the calls…'}</p>;
  const known = data.calls
    .filter(({ issued_at }) => Date.parse(issued_at) <= ms)
    .map((each) => ({ ...each, grade: gradeAt(each, ms) }));
  const count = (grade: keyof typeof GRADES) => known.filter((each) => each.grade === grade).length;
  const [hits, misses] = [count('hit'), count('miss')];
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
        {data.isCut && `Latest ${data.calls.length} only. `}
        BTC 24h consensus calls by then: {hits} {hits === 1 ? 'hit' : 'hits'}, {misses}{' '}
        {misses === 1 ? 'miss' : 'misses'}, {count('open')} open
      </p>
    </>
  );
}
