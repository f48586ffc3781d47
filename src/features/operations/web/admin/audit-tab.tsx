import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { Card } from '#ui/card.tsx';
import { CornerButton } from '#ui/corner-button.tsx';
import { Inbox, type InboxPage, LoadMore } from '#ui/inbox.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';

import { type AuditFilter, AuditFilterBar, NO_FILTER } from './audit-filter.tsx';
import { AuditRow } from './audit-row.tsx';
import { auditQuery } from './queries.ts';

const CARD = { id: 'audit', title: 'Audit Log', className: 'relative min-h-96' };

/** Who did what to whom, when and from where, newest first. */
export function AuditTab() {
  const queries = useQueryClient();
  const [filter, setFilter] = useState(NO_FILTER);
  const [round, setRound] = useState(0);
  return (
    <Card {...CARD}>
      <CornerButton
        onClick={() => {
          void queries.resetQueries({ queryKey: ['admin-audit'] });
          setRound(round + 1);
        }}
      >
        <RotateCw className="size-3.5" aria-hidden="true" />
        Refresh
      </CornerButton>
      <AuditFilterBar filter={filter} onChange={(change) => setFilter({ ...filter, ...change })} />
      <Inbox key={`${round} ${JSON.stringify(filter)}`} renderPage={(page) => <Page {...page} filter={filter} />} />
    </Card>
  );
}

function Page({ filter, before, last, onMore }: InboxPage & { filter: AuditFilter }) {
  const query = useQuery(auditQuery(useToken(), filter, before));
  const entries = query.data?.entries ?? [];
  const oldest = entries.at(-1);
  const isFiltered = Object.values(filter).some((value) => value !== '');
  return (
    <>
      {entries.length === 0 && (
        <li className="flex flex-1 flex-col">
          <QueryView
            query={query}
            failed="Failed to load admin data"
            loading={<Loading />}
            isEmpty={() => true}
            empty={
              isFiltered ? (
                <Empty title="No entries found" note="No entries match these filters." />
              ) : (
                <Empty title="Nothing yet" note="Actions by users and administrators appear here." />
              )
            }
          >
            {() => null}
          </QueryView>
        </li>
      )}
      {entries.map((entry) => (
        <AuditRow key={entry.id} entry={entry} />
      ))}
      {last && query.data?.more && oldest && <LoadMore onMore={() => onMore(oldest.id)} />}
    </>
  );
}

function Loading() {
  return (
    <div className="grid gap-3 px-4 py-3">
      <output className="sr-only">Loading the audit log</output>
      <div className="skel h-8" aria-hidden="true" />
      <div className="skel h-8" aria-hidden="true" />
      <div className="skel h-8" aria-hidden="true" />
    </div>
  );
}
