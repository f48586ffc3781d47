import { useQuery } from '@tanstack/react-query';
import { Download, ShieldCheck } from 'lucide-react';

import { dateTime, grouped } from '#shared/format.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Empty, ErrorState } from '#ui/states.tsx';
import { rootsQuery, verifyQuery } from './queries.ts';
import { FILE_LINK } from './replay-card.tsx';

const ROOTS = 30;
/** The ledger cannot be rewritten; this lets anyone verify it. */
export function LedgerCard() {
  return (
    <Card id="ledger" title="The Ledger" note={<p className="label">Append-only hash chain</p>}>
      <div className="grid grid-cols-1 gap-x-8 gap-y-6 px-4 pt-1 pb-5 lg:grid-cols-2">
        <div className="grid min-w-0 grid-cols-1 content-start gap-6">
          <Verify />
          <Files />
          <Formula />
        </div>
        <Roots />
      </div>
    </Card>
  );
}

function Verify() {
  const { data, isFetching, isError, error, refetch } = useQuery(verifyQuery);
  return (
    <section aria-labelledby="verify">
      <h3 id="verify" className="text-sm font-semibold">
        Verify Now
      </h3>
      <p className="mt-0.5 mb-2 text-sm text-ink-2">
        The server rereads every entry, recomputes its hash and compares it with the published roots and the records
        behind the scores.
      </p>
      <Button onClick={() => void refetch()} disabled={isFetching}>
        <ShieldCheck className="size-3.5" aria-hidden="true" />
        {isFetching ? 'Verifying …' : 'Verify the ledger'}
      </Button>
      <div aria-live="polite">
        {isError && (
          <ErrorState message="Couldn’t verify the ledger" detail={error.message} onRetry={() => void refetch()} />
        )}
        {data && (
          <div className="mt-3 rounded-[10px] border border-line p-3.5 text-sm">
            <p className={data.faults.length === 0 ? 'font-medium text-up' : 'font-medium text-down'}>
              {data.faults.length === 0
                ? `✓ All ${grouped(data.entries)} entries verified`
                : `✕ ${data.faults.length === 100 ? 'At least 100' : data.faults.length} errors found`}
            </p>
            {data.faults.length > 0 && (
              <ul className="mt-1 list-disc pl-5">
                {data.faults.map((fault) => (
                  <li key={fault}>{fault}</li>
                ))}
              </ul>
            )}
            <dl className="num mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-xs [&_dt]:text-ink-3">
              <dt>Verified</dt>
              <dd>{dateTime(Date.parse(data.verified_at))}</dd>
              <dt>Daily roots</dt>
              <dd>{grouped(data.roots)}</dd>
              <dt>Head hash</dt>
              <dd className="font-mono [overflow-wrap:anywhere]">{data.head ?? 'None yet'}</dd>
            </dl>
          </div>
        )}
      </div>
    </section>
  );
}

function Files() {
  return (
    <section aria-labelledby="files">
      <h3 id="files" className="text-sm font-semibold">
        Download
      </h3>
      <p className="mt-0.5 mb-2 text-sm text-ink-2">
        The full ledger as JSON Lines, enough to recompute every score on this page, or all calls with their outcomes as
        a table.
      </p>
      <p className="flex flex-wrap gap-1.5">
        <a href="/api/ledger/export?format=json" download className={FILE_LINK}>
          <Download className="size-3.5" aria-hidden="true" />
          Ledger, JSON Lines
        </a>
        <a href="/api/ledger/export?format=csv" download className={FILE_LINK}>
          <Download className="size-3.5" aria-hidden="true" />
          Calls, CSV
        </a>
      </p>
    </section>
  );
}

function Formula() {
  return (
    <section aria-labelledby="check">
      <h3 id="check" className="text-sm font-semibold">
        Verify It Yourself
      </h3>
      <pre className="mt-1.5 rounded-ctl bg-raised p-3 font-mono text-xs whitespace-pre-wrap">
        {
          'hash = SHA-256(previous hash + "\\n" + seq + "\\n"\n     + recorded_at + "\\n" + kind + "\\n" + body), in hex'
        }
      </pre>
      <p className="mt-1.5 text-sm text-ink-2">
        The first entry follows 64 zeros. A daily root is the hash of the last entry of that day: with a copy of it you
        would detect any change before it. <code>scripts/recompute-record.mjs</code> in the source code verifies the
        JSON Lines file and recomputes every published number.
      </p>
    </section>
  );
}

function Roots() {
  const query = useQuery(rootsQuery);
  return (
    <section aria-labelledby="roots" className="min-w-0">
      <h3 id="roots" className="text-sm font-semibold">
        Daily roots
      </h3>
      <p className="mt-0.5 mb-2 text-sm text-ink-2">Published after midnight UTC. Latest {ROOTS}:</p>
      <QueryView
        query={query}
        loading={<div className="skel h-60" />}
        failed="Failed to load the roots"
        isEmpty={({ roots }) => roots.length === 0}
        empty={<Empty title="No roots published yet" note="The first is published after the first full day." />}
      >
        {({ roots }) => (
          <ul className="num max-h-[26rem] overflow-y-auto rounded-[10px] border border-line text-xs">
            {roots
              .slice(-ROOTS)
              .toReversed()
              .map(({ day, through_seq: seq, hash }) => (
                <li key={day} className="flex items-center gap-3 border-t border-line px-3 py-1 first:border-t-0">
                  <span className="shrink-0 font-medium">{day}</span>
                  <span className="shrink-0 text-ink-3 max-sm:hidden">to {grouped(seq)}</span>
                  <span className="min-w-0 flex-1 truncate font-mono text-ink-2" title={hash}>
                    {hash}
                  </span>
                  <CopyButton text={hash} what={`Root of ${day}`} />
                </li>
              ))}
          </ul>
        )}
      </QueryView>
    </section>
  );
}
