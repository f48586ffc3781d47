import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, Download } from 'lucide-react';
import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import {
  type AdminUser,
  type AuditEntry,
  endUserSessions,
  type UserDetail,
} from '#features/operations/contract/admin.ts';
import type { Billing, BillingEntry } from '#features/payments/contract/billing.ts';
import { ago, dateTime } from '#shared/format.ts';
import { call } from '#ui/api/client.ts';
import { saveFile } from '#ui/api/file.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { dayOf } from '#ui/day.ts';
import { FormError } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { useNow } from '#ui/now.ts';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { AuditRow } from './audit-tab.tsx';
import { refreshUser, userDetailQuery } from './queries.ts';
import { UserHead } from './user-head.tsx';
import { PAYMENT, usd } from './user-labels.ts';
import { DeliveriesCard, KeysCard, LedgerCard } from './users-tab.tsx';

function cardWords({ plan, months, renewsAt, cancelled, pastDue }: NonNullable<Billing['card']>): string {
  const every = months === 1 ? 'every month' : `every ${months} months`;
  const day = renewsAt && dayOf(renewsAt);
  const end = cancelled ? `cancelled${day ? `, ends ${day}` : ''}` : day ? `renews ${day}` : '';
  const parts = [`${PLAN_NAMES[plan]} by card, ${every}`, end, pastDue ? 'the last charge was declined' : ''];
  return parts.filter((part) => part !== '').join('; ');
}

/** Balance, card and payment history, with receipts. */
function UserPayments({ billing: { credit, card, entries } }: { billing: Billing }) {
  return (
    <Card id="user-payments" title="Payments" note={<span className="num label">{usd(credit)} balance</span>}>
      {card && <p className="border-b border-line px-4 py-2.5 text-sm">{cardWords(card)}</p>}
      {entries.length === 0 ? (
        <Empty title="No payments yet" />
      ) : (
        <ul>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Entry({ entry: { at, title, amount, state, receipt } }: { entry: BillingEntry }) {
  const saving = useSubmit('Failed to load the receipt. Please try again.', (signal) =>
    receipt ? saveFile(receipt, `receipt-${at.slice(0, 10)}.pdf`, signal) : Promise.resolve(),
  );
  const { words, tone } = PAYMENT[state];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2.5 text-sm first:border-t-0">
      <div className="min-w-0 grow max-sm:w-full">
        <p className="font-medium [overflow-wrap:anywhere]">{title}</p>
        <p className="num text-xs text-ink-3">{dayOf(at)}</p>
      </div>
      <span className="num font-medium">{usd(amount)}</span>
      <Badge tone={tone}>{words}</Badge>
      {receipt && (
        <Button
          aria-disabled={saving.busy}
          onClick={() => void saving.submit()}
          aria-label={`Receipt as PDF: ${title}, ${dayOf(at)}`}
          className="max-sm:h-10"
        >
          <Download className="size-3.5" aria-hidden="true" />
          PDF
        </Button>
      )}
      {saving.failure && (
        <div className="w-full">
          <FormError failure={saving.failure} />
        </div>
      )}
    </li>
  );
}

type Props = { user: AdminUser; sessions: UserDetail['sessions'] };

/** Active sessions; one or all can be ended. */
function UserSessions({ user: { id }, sessions }: Props) {
  const queries = useQueryClient();
  const now = useNow(60_000);
  const { busy, failure, submit } = useSubmit('Failed to sign out', async (signal, session: string | null) => {
    const { ended } = await call(endUserSessions, { params: { id: String(id) }, body: { session } }, signal);
    toast('success', ended === 1 ? '1 session was signed out' : `${ended} sessions were signed out`);
    await refreshUser(queries, id);
  });
  return (
    <Card id="user-sessions" title="Sessions" note={<span className="num label">{sessions.length}</span>}>
      {sessions.length === 0 ? (
        <Empty title="No active sessions" />
      ) : (
        <ul>
          {sessions.map((session) => (
            <li
              key={session.id}
              className="flex items-center gap-3 border-t border-line px-4 py-2.5 text-sm first:border-t-0"
            >
              <div className="min-w-0 flex-1">
                <p className="font-medium">{session.device}</p>
                <p className="num text-xs break-words text-ink-3">
                  {session.network} · signed in {dayOf(session.createdAt)} ·{' '}
                  <time dateTime={session.seenAt} title={dateTime(Date.parse(session.seenAt))}>
                    last seen {ago(now - Date.parse(session.seenAt)).toLowerCase()}
                  </time>
                </p>
              </div>
              <Button
                aria-label={`Sign out ${session.device}, ${session.network}`}
                aria-disabled={busy}
                onClick={() => void submit(session.id)}
                className="max-sm:h-10"
              >
                Sign out
              </Button>
            </li>
          ))}
        </ul>
      )}
      {(sessions.length > 0 || failure) && (
        <div className="grid gap-2 border-t border-line px-4 py-3">
          <Button aria-disabled={busy} onClick={() => void submit(null)} className="w-fit max-sm:h-10">
            {busy ? 'Signing out...' : 'Sign out everywhere'}
          </Button>
          <FormError failure={failure} />
        </div>
      )}
    </Card>
  );
}

const FRAME = { id: 'user', title: 'User', className: 'min-h-96' };

/** Support view of one account. */
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
    <Card id="user-audit" title="Audit Log" note={<span className="label">latest 50 for this account</span>}>
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
