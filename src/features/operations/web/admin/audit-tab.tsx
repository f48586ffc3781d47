import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { AuditEntry } from '#features/operations/contract/admin.ts';
import { dateTime } from '#shared/format.ts';
import { Card } from '#ui/card.tsx';
import { CornerButton } from '#ui/corner-button.tsx';
import { Inbox, type InboxPage, LoadMore } from '#ui/inbox.tsx';
import { Link } from '#ui/link.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { SearchBox } from '#ui/search-box.tsx';
import { Select } from '#ui/select.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { ACTIONS, actionWords } from './audit-labels.ts';
import { auditQuery } from './queries.ts';

export type AuditFilter = { action: string; actor: string; subject: string; from: string; to: string };
const NO_FILTER: AuditFilter = { action: '', actor: '', subject: '', from: '', to: '' };

/** Maximum length of an email address. */
const MAX_SEARCH_LENGTH = 254;
const DAY = 'h-8.5 max-w-60 min-w-0 rounded-ctl border border-ink-3/75 bg-surface px-2 text-sm font-medium max-sm:h-11';

type Props = { filter: AuditFilter; onChange: (change: Partial<AuditFilter>) => void };

function AuditFilterBar({ filter: { action, actor, subject, from, to }, onChange }: Props) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 pt-1 pb-3">
      <SearchBox
        label="Actor: email or id"
        value={actor}
        longest={MAX_SEARCH_LENGTH}
        onSearch={(text) => onChange({ actor: text })}
      />
      <SearchBox
        label="Subject: email or id"
        value={subject}
        longest={MAX_SEARCH_LENGTH}
        onSearch={(text) => onChange({ subject: text })}
      />
      <Select
        aria-label="Action"
        value={action}
        onText={(text) => onChange({ action: text })}
        className="h-8.5 max-sm:h-11"
      >
        <option value="">All actions</option>
        {Object.entries(ACTIONS).map(([noun, { noun: name, acts }]) => (
          <optgroup key={noun} label={name}>
            {Object.keys(acts).length > 1 && <option value={noun}>{name}: all</option>}
            {Object.entries(acts).map(([act, words]) => (
              <option key={act} value={`${noun}.${act}`}>
                {words}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
      <div className="flex flex-wrap gap-x-4 gap-y-2">
        <Day label="From" value={from} max={to} onChange={(day) => onChange({ from: day })} />
        <Day label="To" value={to} min={from} onChange={(day) => onChange({ to: day })} />
      </div>
    </div>
  );
}

type DayProps = { label: string; value: string; min?: string; max?: string; onChange: (day: string) => void };

/** A UTC day. */
function Day({ label, value, onChange, ...bounds }: DayProps) {
  return (
    <label className="flex items-center gap-2 text-sm">
      {label}
      <input
        type="date"
        aria-label={`${label} (UTC)`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={DAY}
        {...bounds}
      />
    </label>
  );
}

/** An account by its address, linked to its page; a deleted one by its id. */
export function Party({ party: { id, email } }: { party: NonNullable<AuditEntry['actor']> }) {
  if (email === null) return <>deleted account {id}</>;
  return (
    <Link
      to={`/app/admin?tab=users&user=${id}`}
      className="text-accent [overflow-wrap:anywhere] underline underline-offset-2"
    >
      {email}
    </Link>
  );
}

function partyText({ actor, subject }: AuditEntry): ReactNode {
  if (actor && subject && actor.id !== subject.id)
    return (
      <>
        <Party party={actor} /> for <Party party={subject} />
      </>
    );
  if (actor) return <Party party={actor} />;
  if (subject)
    return (
      <>
        Unknown, for <Party party={subject} />
      </>
    );
  return 'Unknown';
}

/** One audit entry; its raw details can be expanded. */
export function AuditRow({ entry }: { entry: AuditEntry }) {
  const { id, at, action, details, network } = entry;
  const raw = JSON.stringify({ id, action, ...details }, null, 2);
  return (
    <li className="border-t border-line px-4 py-2.5 text-sm first:border-t-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="min-w-0">
          <span className="font-medium">{actionWords(action)}</span>{' '}
          <span className="text-ink-2">by {partyText(entry)}</span>
        </p>
        <span className="num label">
          <time dateTime={at}>{dateTime(Date.parse(at))}</time>
          {network !== null && ` · ${network}`}
        </span>
      </div>
      <details className="text-xs">
        <summary className="w-fit cursor-pointer py-1 text-ink-3 hover:text-ink">Details</summary>
        <pre className="mt-1 rounded-ctl bg-raised p-3 font-mono text-xs leading-5 break-all whitespace-pre-wrap">
          {raw}
        </pre>
      </details>
    </li>
  );
}

const CARD = { id: 'audit', title: 'Audit Log', className: 'relative min-h-96' };

/** The audit log, newest first. */
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
