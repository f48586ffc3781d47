import type { ReactNode } from 'react';
import type { AuditEntry } from '#features/operations/contract/admin.ts';
import { dateTime } from '#shared/format.ts';
import { Link } from '#ui/link.tsx';
import { actionWords } from './audit-words.ts';

/** An account by its address, which leads to it; one that is gone by its id. */
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

function whoOf({ actor, subject }: AuditEntry): ReactNode {
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

/** What was done by whom to whom, when and from where; the entry itself can be opened as text. */
export function AuditRow({ entry }: { entry: AuditEntry }) {
  const { id, at, action, details, network } = entry;
  const raw = JSON.stringify({ id, action, ...details }, null, 2);
  return (
    <li className="border-t border-line px-4 py-2.5 text-sm first:border-t-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="min-w-0">
          <span className="font-medium">{actionWords(action)}</span>{' '}
          <span className="text-ink-2">by {whoOf(entry)}</span>
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
