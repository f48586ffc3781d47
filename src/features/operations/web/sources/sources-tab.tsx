import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { Fragment } from 'react';
import { type AdminSource, collectSource, type SourceRun } from '#features/operations/contract/sources.ts';
import { age, ago, dateTime, grouped } from '#shared/format.ts';
import { useAddressChoice, useAddressText } from '#ui/address-filter.ts';
import { call } from '#ui/api/client.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { Facts } from '#ui/facts.tsx';
import { useNow } from '#ui/now.ts';
import { QueryView } from '#ui/query-view.tsx';
import { SearchBox } from '#ui/search-box.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { TableHead } from '#ui/table-head.tsx';
import { until } from '#ui/until.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { adminSourcesQuery, isUnderWay } from './queries.ts';
import { inOrder, STATES, summary } from './states.ts';

const CELL = 'sm:px-4 sm:py-3 align-top max-sm:w-full';
const RUNS: Record<SourceRun['state'], { words: string; tone: Tone }> = {
  waiting: { words: 'Waiting for a worker', tone: 'plain' },
  running: { words: 'Reading', tone: 'accent' },
  answered: { words: 'Responded', tone: 'up' },
  unanswered: { words: 'No response', tone: 'down' },
  not_asked: { words: 'Not requested', tone: 'warn' },
  failed: { words: 'Job failed', tone: 'down' },
};
const NOT_ASKED = 'Its job has finished: the source is on standby, paused after failures, or was read recently.';

function AdminSourceRow({ source }: { source: AdminSource }) {
  const { id, name, gives, state, note, jobs } = source;
  const { words, dot, text } = STATES[state];
  return (
    <tr className="border-t border-line first:border-t-0 max-sm:grid max-sm:gap-2 max-sm:px-4 max-sm:py-3">
      <th scope="row" className={cx(CELL, 'sm:min-w-32 xl:min-w-44 font-normal')}>
        <span id={`source-${id}`} className="block font-semibold">
          {name}
        </span>
        <span className="block text-xs text-ink-2">{gives}</span>
        <span className="num label [overflow-wrap:anywhere]">{jobs.join(', ')}</span>
      </th>
      <td className={CELL}>
        <span className={cx('flex items-center gap-2 font-medium whitespace-nowrap', text)}>
          <span className={cx('size-1.5 shrink-0 rounded-full', dot)} aria-hidden="true" />
          {state === 'key_missing' ? 'Off' : words}
        </span>
        {note && <span className="block text-xs text-ink-2 [overflow-wrap:anywhere]">{note}</span>}
      </td>
      <td className={CELL}>
        <Responses source={source} />
      </td>
      <td className={CELL}>
        <Key source={source} />
      </td>
      <td className={cx(CELL, 'sm:text-right')}>
        <Collect source={source} />
      </td>
    </tr>
  );
}

function recordWords({ calls, success_rate, latency_ms }: AdminSource['day']) {
  if (success_rate === null) return <span className="text-ink-3">No calls</span>;
  const bad = success_rate < 90 ? 'text-down' : 'text-warn';
  return (
    <span title={`${grouped(calls)} calls`}>
      <span className={cx('font-medium', success_rate < 99 && bad)}>{success_rate.toFixed(1)}%</span>
      {latency_ms !== null && <span className="text-ink-3"> · {grouped(Math.round(latency_ms))} ms</span>}
    </span>
  );
}

function Responses({ source }: { source: AdminSource }) {
  const { day, month, lastSuccessAt, lastFailureAt, nextRunAt, streams, state } = source;
  const now = useNow();
  const past = (at: string | null) =>
    at === null ? (
      <span className="text-ink-3">Never</span>
    ) : (
      <time dateTime={at} title={dateTime(Date.parse(at))}>
        {age(now - Date.parse(at))}
      </time>
    );
  const always = streams && state !== 'key_missing' ? 'Always on' : <span className="text-ink-3">None</span>;
  return (
    <Facts
      of={[
        ['24h', recordWords(day)],
        ['30d', recordWords(month)],
        ['Success', past(lastSuccessAt)],
        ['Failure', past(lastFailureAt)],
        ['Next', nextRunAt === null ? always : until(Date.parse(nextRunAt) - now)],
      ]}
    />
  );
}

function Key({ source: { key, keySetting, keyPresent, budget } }: { source: AdminSource }) {
  const given = keyPresent ? 'set' : key === 'required' ? 'missing' : 'not set, optional';
  return (
    <>
      {keySetting === null ? (
        <span className="text-ink-3">{keyPresent ? 'Key set' : 'No key needed'}</span>
      ) : (
        <>
          <code className="block text-xs">
            {keySetting.split('_').map((word, i) => (
              <Fragment key={word}>
                {i > 0 && <wbr />}
                {i > 0 ? `_${word}` : word}
              </Fragment>
            ))}
          </code>
          <span className={cx('label', given === 'missing' && 'text-warn')}>{given}</span>
        </>
      )}
      {budget && (
        <span className={cx('num block', budget.used >= 0.9 * budget.limit ? 'text-warn' : 'text-ink-2')}>
          {grouped(budget.used)} of {grouped(budget.limit)} calls this month
        </span>
      )}
    </>
  );
}

/** After a manual collection, the row follows its jobs to their outcome. */
function Collect({ source }: { source: AdminSource }) {
  const { id, jobs, state, notNow, run } = source;
  const now = useNow();
  const queries = useQueryClient();
  const { busy, failure, submit } = useSubmit('Failed to collect from this source', async (signal) => {
    await call(collectSource, { params: { id } }, signal);
    await queries.invalidateQueries({ queryKey: ['admin-sources'] });
  });
  if (state === 'key_missing') return null;
  if (jobs.length === 0) return <span className="text-xs text-ink-2">{notNow}</span>;
  const underWay = busy || isUnderWay(source);
  return (
    <>
      <Button
        aria-describedby={`source-${id}`}
        aria-disabled={underWay}
        onClick={() => !underWay && void submit()}
        className="aria-disabled:opacity-60 max-sm:h-10"
      >
        <RefreshCw className="size-3.5" aria-hidden="true" />
        {underWay ? 'Collecting...' : 'Collect now'}
      </Button>
      <output className="block text-xs text-ink-2" aria-labelledby={`source-${id}`}>
        {run && (
          <>
            <Badge tone={RUNS[run.state].tone}>{RUNS[run.state].words}</Badge>
            <span className="block [overflow-wrap:anywhere]">
              {run.note ?? (run.state === 'not_asked' ? NOT_ASKED : '')}
            </span>
            <span className="label">
              asked {ago(now - Date.parse(run.askedAt))}
              {run.askedBy && ` by ${run.askedBy}`}
            </span>
          </>
        )}
      </output>
      {failure && (
        <p role="alert" className="text-sm font-medium text-down">
          {failure.message}
        </p>
      )}
    </>
  );
}

const CARD = { id: 'sources-tab', title: 'Sources', className: 'min-h-96' };
const HEADS = ['Source', 'State', 'Responses', 'Key and quota', 'Actions'] as const;
const CHOICES = ['All', 'Failing', 'Off'] as const;
type Choice = (typeof CHOICES)[number];

const FAILING: ReadonlySet<AdminSource['state']> = new Set(['down', 'rate_limited', 'stale']);
const IN_CHOICE: Record<Choice, (source: AdminSource) => boolean> = {
  All: () => true,
  Failing: ({ state }) => FAILING.has(state),
  Off: ({ state }) => state === 'key_missing' || state === 'refused_region',
};
const NONE: Record<Choice, { title: string; note?: string }> = {
  All: { title: 'No data sources yet' },
  Failing: { title: 'No sources are failing', note: 'Sources that are down, rate-limited or stale appear here.' },
  Off: { title: 'No sources are off', note: 'Sources missing a key or blocked in this region appear here.' },
};

const matches = ({ id, name, gives, jobs }: AdminSource, q: string) =>
  [id, name, gives, ...jobs].some((text) => text.toLowerCase().includes(q.toLowerCase()));

/** Every external source with operational details, for administrators. */
export function SourcesTab() {
  const query = useQuery(adminSourcesQuery(useToken()));
  const [choice, choose] = useAddressChoice('filter', CHOICES);
  const [q, search] = useAddressText('search');
  return (
    <QueryView query={query} card={CARD} failed="Failed to load admin data">
      {({ sources }) => {
        const shown = inOrder(sources.filter((each) => IN_CHOICE[choice](each) && matches(each, q)));
        return (
          <Card {...CARD} note={<output className="label num">{summary(sources)}</output>}>
            <div className="flex flex-wrap items-center gap-3 px-4 pt-1 pb-3">
              <Segmented label="Filter sources" value={choice} options={CHOICES} onChange={choose} />
              <SearchBox label="Search by name, data or job" value={q} onSearch={search} />
            </div>
            {shown.length === 0 ? (
              <Empty {...(q ? { title: 'No sources found' } : NONE[choice])} />
            ) : (
              <table className="w-full text-left text-sm max-sm:block">
                <TableHead heads={HEADS} />
                <tbody className="max-sm:block">
                  {shown.map((source) => (
                    <AdminSourceRow key={source.id} source={source} />
                  ))}
                </tbody>
              </table>
            )}
          </Card>
        );
      }}
    </QueryView>
  );
}
