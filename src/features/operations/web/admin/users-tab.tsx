import { useQuery } from '@tanstack/react-query';
import { BadgeCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { type AdminUser, MOST_USERS, type PlanFact, type UserDetail } from '#features/operations/contract/admin.ts';
import { dateTime, grouped } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CardFrame } from '#ui/card-frame.tsx';
import { cx } from '#ui/cx.ts';
import { dayOf } from '#ui/day.ts';
import { Link } from '#ui/link.tsx';
import { part } from '#ui/part.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { SearchBox } from '#ui/search-box.tsx';
import { useSearchParams } from '#ui/search-params.ts';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { TableHead } from '#ui/table-head.tsx';
import { Party } from './audit-tab.tsx';
import { userCountQuery, usersQuery } from './queries.ts';
import type { DeleteUserProps, SetPlanProps } from './user-dialogs.tsx';
import { CHANNELS, DELIVERY, SUBSCRIPTION, sourceWords } from './user-labels.ts';

const HEADS = ['User', 'Status', 'Plan', 'Created', 'Actions'] as const;
const CELL = 'sm:px-4 sm:py-3 align-middle';

type Acts = { onSetPlan: (user: AdminUser) => void; onDelete: (user: AdminUser) => void };
type UsersTableProps = Acts & { users: readonly AdminUser[] };
const ACT = 'disabled:cursor-default disabled:opacity-60 max-sm:h-10';

/** A table on a wide screen, a list of blocks on a phone. */
function UsersTable({ users, ...acts }: UsersTableProps) {
  return (
    <table className="w-full text-left text-sm max-sm:block">
      <TableHead heads={HEADS} />
      <tbody className="max-sm:block">
        {users.map((user) => (
          <Row key={user.id} user={user} {...acts} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ user, onSetPlan, onDelete }: Acts & { user: AdminUser }) {
  const { id, email, emailVerified, isAdmin, isDisabled, plan, subscriptionStatus, createdAt } = user;
  const status = SUBSCRIPTION[subscriptionStatus];
  return (
    <tr className="border-t border-line first:border-t-0 max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-x-2 max-sm:gap-y-1.5 max-sm:px-4 max-sm:py-3">
      <th scope="row" className={cx(CELL, 'font-normal max-sm:w-full')}>
        <span className="flex items-center gap-1.5">
          <Link to={`/app/admin?tab=users&user=${id}`} className="font-medium break-all hover:underline">
            {email}
          </Link>
          {emailVerified && (
            <BadgeCheck className="size-3.5 shrink-0 text-up" aria-label="Verified address" role="img" />
          )}
        </span>
        <span className="num label">ID {id}</span>
      </th>
      <td className={CELL}>
        <span className="flex flex-wrap gap-1.5">
          {emailVerified ? <Badge tone="up">Verified</Badge> : <Badge tone="warn">Unverified</Badge>}
          {isAdmin && <Badge tone="accent">Admin</Badge>}
          {isDisabled && <Badge tone="down">Disabled</Badge>}
        </span>
      </td>
      <td className={CELL}>
        <span className="flex flex-wrap gap-1.5">
          <Badge>{PLAN_NAMES[plan]}</Badge>
          {status && <Badge tone={status.tone}>{status.words}</Badge>}
        </span>
      </td>
      <td className={cx(CELL, 'num text-ink-2 whitespace-nowrap max-sm:text-xs')}>{dayOf(createdAt)}</td>
      <td className={cx(CELL, 'text-right max-sm:ml-auto')}>
        <span className="inline-flex gap-1.5">
          <Button
            aria-label={`Set plan of ${email}`}
            disabled={isAdmin}
            title={isAdmin ? 'Admins have every feature' : undefined}
            onClick={() => onSetPlan(user)}
            className={ACT}
          >
            Set plan
          </Button>
          <Button
            aria-label={`Delete ${email}`}
            disabled={isAdmin}
            title={isAdmin ? 'Cannot delete admin users' : undefined}
            onClick={() => onDelete(user)}
            className={cx(ACT, 'text-down')}
          >
            Delete
          </Button>
        </span>
      </td>
    </tr>
  );
}

const SetPlanDialog = part<SetPlanProps>({
  name: 'The dialog',
  load: async () => (await import('./user-dialogs.tsx')).SetPlanDialog,
});

const DeleteUserDialog = part<DeleteUserProps>({
  name: 'The dialog',
  load: async () => (await import('./user-dialogs.tsx')).DeleteUserDialog,
});
const USER = { id: 'user', title: 'User', className: 'min-h-96' };
const UserPage = part<{ id: string }>({
  name: 'The user',
  load: async () => (await import('./user-page.tsx')).UserPage,
  loading: <CardFrame {...USER} />,
  frame: (state) => <CardFrame {...USER}>{state}</CardFrame>,
});

const CARD = { id: 'users', title: 'User Management', className: 'min-h-96' };
const FAILED = 'Failed to load admin data';
/** Maximum length of an email address. */
const LONGEST_SEARCH = 254;
/** Rows rendered at a time. */
const STEP = 100;

/** Total number, also beyond the list; until it is known the list gives a lower bound. */
function useTotal(q: string, listed: number | undefined): { text: string; known: number | undefined } {
  const { data } = useQuery(userCountQuery(useToken(), q, listed));
  if (listed !== MOST_USERS) return { text: grouped(listed ?? 0), known: listed };
  return { text: data ? grouped(data.total) : `${MOST_USERS}+`, known: data?.total };
}

/** The list, or the account named in the URL. */
export function UsersTab() {
  const [params] = useSearchParams();
  const user = params.get('user');
  return user === null ? <UserList /> : <UserPage key={user} id={user} />;
}

function UserList() {
  const token = useToken();
  const [q, search] = useState('');
  const [chosen, choose] = useState<AdminUser | null>(null);
  const [leaving, remove] = useState<AdminUser | null>(null);
  const all = useQuery(usersQuery(token, ''));
  const found = useQuery({ ...usersQuery(token, q), placeholderData: (earlier) => earlier });
  const total = useTotal('', all.data?.length);
  const matching = useTotal(q, found.data?.length);
  return (
    <QueryView query={all} card={CARD} failed={FAILED}>
      {() => (
        <Card
          {...CARD}
          note={
            <output className="label num">
              {matching.text} of {total.text} users
            </output>
          }
        >
          <div className="px-4 pt-1 pb-3">
            <SearchBox label="Search by email" value={q} longest={LONGEST_SEARCH} onSearch={search} />
            {found.data && matching.known !== undefined && found.data.length < matching.known && (
              <p className="num pt-2 text-sm text-ink-2">
                {grouped(found.data.length)} of {grouped(matching.known)} shown; search to narrow down
              </p>
            )}
          </div>
          <QueryView
            query={found}
            failed={FAILED}
            isEmpty={(rows) => rows.length === 0}
            empty={<Empty title="No users found" />}
          >
            {(rows) => <Found key={q} users={rows} onSetPlan={choose} onDelete={remove} />}
          </QueryView>
          {chosen && <SetPlanDialog user={chosen} onClose={() => choose(null)} />}
          {leaving && <DeleteUserDialog user={leaving} onClose={() => remove(null)} />}
        </Card>
      )}
    </QueryView>
  );
}

function Found({ users, ...acts }: UsersTableProps) {
  const [shown, setShown] = useState(STEP);
  return (
    <>
      <UsersTable users={users.slice(0, shown)} {...acts} />
      {shown < users.length && (
        <div className="border-t border-line px-4 py-3 text-center">
          <Button onClick={() => setShown(shown + STEP)} className="max-sm:h-10">
            Show {Math.min(STEP, users.length - shown)} more
          </Button>
        </div>
      )}
    </>
  );
}

const ROW = 'border-t border-line px-4 py-2.5 text-sm first:border-t-0';
const when = (iso: string) => dateTime(Date.parse(iso));

/** Title and explanation, with the state at the right. */
export function Item({ title, state, children }: { title: ReactNode; state?: ReactNode; children?: ReactNode }) {
  return (
    <li className={ROW}>
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 font-medium [overflow-wrap:anywhere]">{title}</p>
        {state}
      </div>
      {children}
    </li>
  );
}

export function LedgerCard({ facts }: { facts: readonly PlanFact[] }) {
  return (
    <Card id="user-plan" title="Plan" note={<span className="label">every grant, newest first</span>}>
      {facts.length === 0 ? (
        <Empty title="No plan has been set" note="The account has been on Free since it was created." />
      ) : (
        <ul>
          {facts.map(({ id, plan, source, from, until, by, note, inForce }) => (
            <Item
              key={id}
              title={`${PLAN_NAMES[plan]}: ${sourceWords(source)}`}
              state={inForce && <Badge tone="up">Active</Badge>}
            >
              <p className="num text-xs text-ink-3">
                {dayOf(from)} to {until === null ? 'no end' : dayOf(until)}
                {by && (
                  <>
                    {' '}
                    · by <Party party={by} />
                  </>
                )}
              </p>
              {note && <p className="text-ink-2 [overflow-wrap:anywhere]">{note}</p>}
            </Item>
          ))}
        </ul>
      )}
    </Card>
  );
}

export function DeliveriesCard({ deliveries }: { deliveries: UserDetail['deliveries'] }) {
  return (
    <Card id="user-deliveries" title="Deliveries" note={<span className="label">Latest 50 of the last 30 days</span>}>
      {deliveries.length === 0 ? (
        <Empty title="Nothing sent yet" />
      ) : (
        <ul>
          {deliveries.map(({ id, title, channel, state, queuedAt, tries, note }) => (
            <Item key={id} title={title} state={<Badge tone={DELIVERY[state].tone}>{DELIVERY[state].words}</Badge>}>
              <p className="num text-xs text-ink-3">
                {[CHANNELS[channel], when(queuedAt), tries === 1 ? '1 try' : `${tries} tries`].join(' · ')}
              </p>
              {note && <p className="text-xs [overflow-wrap:anywhere] text-ink-2">{note}</p>}
            </Item>
          ))}
        </ul>
      )}
    </Card>
  );
}

export function KeysCard({ keys }: { keys: UserDetail['keys'] }) {
  return (
    <Card id="user-keys" title="API keys">
      {keys.length === 0 ? (
        <Empty title="No active API keys" />
      ) : (
        <ul>
          {keys.map(({ id, name, scopes, createdAt, lastUsed }) => (
            <Item key={id} title={name}>
              <p className="num text-xs text-ink-3">
                {[
                  `made ${dayOf(createdAt)}`,
                  lastUsed === null ? 'never used' : `last used ${when(lastUsed)}`,
                  scopes.join(', '),
                ].join(' · ')}
              </p>
            </Item>
          ))}
        </ul>
      )}
    </Card>
  );
}
