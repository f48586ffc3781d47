import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { type FailedRun, retryRun } from '#features/operations/contract/jobs.ts';
import { ago, dateTime, grouped } from '#shared/format.ts';
import { call } from '#ui/api/client.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { useNow } from '#ui/now.ts';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { failedRunsQuery } from './queries.ts';

const CARD = { id: 'failed-runs', title: 'Failed Runs', className: 'min-h-40' };

/** Runs that used up their attempts; the queue retains them for a day. */
export function FailedRunsCard() {
  const query = useQuery(failedRunsQuery(useToken()));
  return (
    <QueryView
      query={query}
      card={CARD}
      failed="Failed to load admin data"
      isEmpty={({ runs }) => runs.length === 0}
      empty={<Empty title="No failed runs" note="Runs that fail permanently are kept here for one day." />}
    >
      {({ runs, total }) => (
        <Card
          {...CARD}
          note={
            <output className="label num">
              {runs.length < total ? `latest ${runs.length} of ${grouped(total)}` : `${total} in the last day`}
            </output>
          }
        >
          <ul className="border-t border-line">
            {runs.map((run) => (
              <Row key={run.id} run={run} />
            ))}
          </ul>
        </Card>
      )}
    </QueryView>
  );
}

function Row({ run: { id, name, payload, error, tries, failedAt } }: { run: FailedRun }) {
  const now = useNow();
  const queries = useQueryClient();
  const at = Date.parse(failedAt);
  const { busy, failure, submit } = useSubmit('Failed to retry the run', async (signal) => {
    await call(retryRun, { params: { id } }, signal);
    toast('success', `${name} restarted`);
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['admin-failed-runs'] }),
      queries.invalidateQueries({ queryKey: ['admin-jobs'] }),
    ]);
  });
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-t border-line px-4 py-3 text-sm first:border-t-0">
      <div className="min-w-0 flex-1">
        <p id={`run-${id}`} className="font-medium">
          <span className="num">{name}</span>{' '}
          <time dateTime={failedAt} title={dateTime(at)} className="num label">
            {ago(now - at)}, {tries} {tries === 1 ? 'try' : 'tries'}
          </time>
        </p>
        <p className="whitespace-pre-line text-down [overflow-wrap:anywhere]">{error}</p>
        {payload && <code className="block text-xs text-ink-2 [overflow-wrap:anywhere]">{payload}</code>}
        {failure && (
          <p role="alert" className="font-medium text-down">
            {failure.message}
          </p>
        )}
      </div>
      <Button
        aria-describedby={`run-${id}`}
        aria-disabled={busy}
        onClick={() => void submit()}
        className="aria-disabled:opacity-60 max-sm:h-10"
      >
        <RotateCw className="size-3.5" aria-hidden="true" />
        {busy ? 'Retrying...' : 'Retry'}
      </Button>
    </li>
  );
}
