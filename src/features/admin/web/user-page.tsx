import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';

import { useToken } from '#web/session.ts';
import { Card } from '#web/ui/card.tsx';
import { Link } from '#web/ui/link.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Empty } from '#web/ui/states.tsx';

import type { AuditEntry } from '../contract.ts';
import { AuditRow } from './audit-row.tsx';
import { userDetailQuery } from './queries.ts';
import { DeliveriesCard, KeysCard, LedgerCard } from './user-cards.tsx';
import { UserHead } from './user-head.tsx';
import { UserPayments } from './user-payments.tsx';
import { UserSessions } from './user-sessions.tsx';

const FRAME = { id: 'user', title: 'User', className: 'min-h-96' };

/** One account with everything that helps to help its person. */
export function UserPage({ id }: { id: string }) {
  const query = useQuery(userDetailQuery(useToken(), id));
  return (
    <div className="grid gap-3">
      <Link
        to="/app/admin?tab=users"
        className="inline-flex h-10 w-fit items-center gap-2 rounded-ctl px-2.5 text-sm font-medium text-ink-2 hover:bg-raised hover:text-ink"
      >
        <ArrowLeft className="size-4" aria-hidden="true" />
        All users
      </Link>
      <QueryView query={query} card={FRAME} failed="Failed to load admin data">
        {(detail) => (
          <>
            <UserHead detail={detail} />
            <div className="grid items-start gap-3 lg:grid-cols-2">
              <div className="grid min-w-0 gap-3">
                <LedgerCard facts={detail.facts} />
                <UserPayments billing={detail.billing} />
                <DeliveriesCard deliveries={detail.deliveries} />
              </div>
              <div className="grid min-w-0 gap-3">
                <UserSessions user={detail.user} sessions={detail.sessions} />
                <KeysCard keys={detail.keys} />
                <HistoryCard entries={detail.audit} />
              </div>
            </div>
          </>
        )}
      </QueryView>
    </div>
  );
}

function HistoryCard({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <Card id="user-audit" title="Audit log" note={<span className="label">the last 50 of this account</span>}>
      {entries.length === 0 ? (
        <Empty title="Nothing yet" />
      ) : (
        <ul>
          {entries.map((entry) => (
            <AuditRow key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
    </Card>
  );
}
