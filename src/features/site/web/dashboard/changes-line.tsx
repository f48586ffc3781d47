import { queryOptions, useQuery } from '@tanstack/react-query';
import { ArrowRight, RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type Change, getChanges } from '#features/site/contract/dashboard.ts';
import { age } from '#shared/format.ts';
import { call } from '#ui/api/client.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Figure } from '#ui/figure.tsx';
import { Link } from '#ui/link.tsx';
import { useNow } from '#ui/now.ts';
import { useToken } from '#ui/session.ts';

const KEY = 'lastVisit';
const MINUTE_MS = 60_000;
/** A visit ends this long after the dashboard was last visible. */
const VISIT_GAP_MS = 30 * MINUTE_MS;
/** History available on every plan. */
const LONGEST_MS = 29 * 24 * 60 * MINUTE_MS;

/** `seen` is when the dashboard was last visible, `since` when the previous visit ended; ms since epoch. */
type Visit = { seen: number; since: number | null };

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

function stored(): Visit | null {
  try {
    const { seen, since } = JSON.parse(localStorage.getItem(KEY) ?? '') as Partial<Visit>;
    return isTime(seen) ? { seen, since: isTime(since) ? since : null } : null;
  } catch {
    return null;
  }
}

/** Continues the visit, or starts a new one after a long enough absence. */
export function visit(now: number): Visit {
  const last = stored();
  const since = last && (now - last.seen > VISIT_GAP_MS ? last.seen : last.since);
  const next = { seen: now, since: since !== null && since <= now && now - since < LONGEST_MS ? since : null };
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Without storage every visitor counts as new.
  }
  return next;
}

/** When this user's previous visit ended, ms since epoch; null for a newcomer, undefined before it is known. */
function useLastVisit(): number | null | undefined {
  const [since, setSince] = useState<number | null>();
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') setSince(visit(Date.now()).since);
    };
    look();
    const timer = setInterval(look, MINUTE_MS);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return since;
}

const STEP_MS = 600_000;
const REFETCH_MS = 300_000;
const LIST = 'grid min-w-0 flex-1 gap-x-4 sm:grid-cols-3';
const ITEM = 'flex h-9 min-w-0 items-center gap-2';

/** `since` is null for the last 24 hours. */
const changesQuery = (token: string | null, since: string | null) =>
  queryOptions({
    queryKey: ['changes', token, since],
    queryFn: ({ signal }) => call(getChanges, { query: since === null ? {} : { since } }, signal),
    refetchInterval: REFETCH_MS,
  });

const DOT: Record<Change['tone'], string> = {
  up: 'bg-up',
  down: 'bg-down',
  warning: 'bg-warn',
  neutral: 'bg-ink-3',
};

const NAME: Record<Change['kind'], string> = {
  coin: 'Move against the market',
  market: 'Market',
  consensus: 'AI consensus',
  release: 'Release',
  alerts: 'New alerts',
  source: 'Data sources',
};

export type ChangesLineProps = { className: string };

/** At most three changes since the previous visit, or in the last 24 hours for a newcomer. */
export function ChangesLine({ className }: ChangesLineProps) {
  const last = useLastVisit();
  const now = useNow(60_000);
  const since = last == null ? null : new Date(Math.floor(last / STEP_MS) * STEP_MS).toISOString();
  const { data, isError, refetch } = useQuery({ ...changesQuery(useToken(), since), enabled: last !== undefined });
  return (
    <section
      aria-labelledby="changes"
      className={cx(className, 'gap-x-6 overflow-hidden px-3 py-2 sm:px-4 xl:flex xl:items-center')}
    >
      <div className="flex items-baseline gap-x-2 xl:block xl:w-36">
        <h2 id="changes" className="text-sm font-semibold whitespace-nowrap">
          {last == null ? 'Last 24h' : 'Since your last visit'}
        </h2>
        {last != null && <p className="label num">{age(now - last)}</p>}
      </div>
      {data ? <List changes={data.changes} /> : isError ? <Failed onRetry={() => void refetch()} /> : <Waiting />}
    </section>
  );
}

function List({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return <p className="text-sm text-ink-3">No changes to report yet.</p>;
  return (
    <ul className={LIST}>
      {changes.map(({ kind, text, tone, href, meta }) => (
        <li key={text} className={ITEM}>
          <span className={cx('size-2 shrink-0 rounded-full', DOT[tone])} aria-hidden="true" />
          <Figure meta={meta} name={NAME[kind]} className="num text-left text-sm leading-4">
            <span className="whitespace-normal">{text}</span>
          </Figure>
          <Link
            to={href}
            aria-label={`Show more: ${text}`}
            className="grid size-6 shrink-0 place-items-center rounded-chip text-ink-3 hover:bg-raised hover:text-ink"
          >
            <ArrowRight className="size-3.5" aria-hidden="true" />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <p role="alert" className="flex items-center gap-3 text-sm text-ink-2">
      Couldn’t load what changed.
      <Button onClick={onRetry}>
        <RotateCw className="size-3.5" aria-hidden="true" />
        Retry
      </Button>
    </p>
  );
}

const Waiting = () => (
  <ul aria-busy="true" className={LIST}>
    {[0, 1, 2].map((each) => (
      <li key={each} className={ITEM}>
        <span className="skel h-4 w-full" />
      </li>
    ))}
  </ul>
);
