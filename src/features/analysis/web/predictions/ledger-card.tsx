import { useQuery } from '@tanstack/react-query';
import { Download, ShieldCheck } from 'lucide-react';

import { dateTime } from '#shared/format.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Empty, ErrorState } from '#ui/states.tsx';
import { rootsQuery, verifyQuery } from './queries.ts';
import { FILE_LINK } from './replay-card.tsx';
import { count } from './words.ts';

const ROOTS = 30;
/** What was written down cannot be rewritten: here anyone can see for themselves. */
export function LedgerCard() {
  return (
    <Card
      id="ledger"
      title="The ledger"
      note={<p className="label">Append-only, every entry chained to the one before</p>}
    >
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
        Verify it now
      </h3>
      <p className="mt-0.5 mb-2 text-sm text-ink-2">
        The server reads every entry, computes its hash anew, and compares the roots and everything that scores are read
        from.
      </p>
      <Button onClick={() => void refetch()} disabled={isFetching}>
        <ShieldCheck className="size-3.5" aria-hidden="true" />
        {isFetching ? 'Verifying …' : 'Verify the ledger'}
      </Button>
      <div aria-live="polite">
        {isError && (
          <ErrorState
            message="The ledger could not be verified"
            detail={error.message}
            onRetry={() => void refetch()}
          />
        )}
        {data && (
          <div className="mt-3 rounded-[10px] border border-line p-3.5 text-sm">
            <p className={data.faults.length === 0 ? 'font-medium text-up' : 'font-medium text-down'}>
              {data.faults.length === 0
                ? `✓ All ${count(data.entries)} entries are whole`
                : `✕ ${data.faults.length === 100 ? 'At least 100' : data.faults.length} faults`}
            </p>
            {data.faults.length > 0 && (
              <ul className="mt-1 list-disc pl-5">
                {data.faults.map((fault) => (
                  <li key={fault}>{fault}</li>
                ))}
              </ul>
            )}
            <dl className="num mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-xs [&_dt]:text-ink-3">
              <dt>Read</dt>
              <dd>{dateTime(Date.parse(data.verified_at))}</dd>
              <dt>Daily roots</dt>
              <dd>{count(data.roots)}</dd>
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
        Take it with you
      </h3>
      <p className="mt-0.5 mb-2 text-sm text-ink-2">
        The whole ledger as JSON Lines, enough to recompute every score on this page, or every call with its outcome as
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
        Check it yourself
      </h3>
      <pre className="mt-1.5 rounded-ctl bg-raised p-3 font-mono text-xs whitespace-pre-wrap">
        {
          'hash = SHA-256(hash of the entry before + "\\n" + seq + "\\n"\n     + recorded_at + "\\n" + kind + "\\n" + body), in hex'
        }
      </pre>
      <p className="mt-1.5 text-sm text-ink-2">
        The entry before the first one is 64 zeros. The root of a day is the hash of its last entry: keep a copy, and no
        entry up to it can change without your seeing it. In the source code, <code>scripts/recompute-record.mjs</code>{' '}
        does all this from the JSON Lines file, and recomputes every published number.
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
      <p className="mt-0.5 mb-2 text-sm text-ink-2">Published after midnight UTC. The newest {ROOTS}:</p>
      <QueryView
        query={query}
        loading={<div className="skel h-60" />}
        failed="Failed to load the roots"
        isEmpty={({ roots }) => roots.length === 0}
        empty={<Empty title="No root has been published yet" note="The first one follows the first whole day." />}
      >
        {({ roots }) => (
          <ul className="num max-h-[26rem] overflow-y-auto rounded-[10px] border border-line text-xs">
            {roots
              .slice(-ROOTS)
              .toReversed()
              .map(({ day, through_seq: seq, hash }) => (
                <li key={day} className="flex items-center gap-3 border-t border-line px-3 py-1 first:border-t-0">
                  <span className="shrink-0 font-medium">{day}</span>
                  <span className="shrink-0 text-ink-3 max-sm:hidden">to {count(seq)}</span>
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
