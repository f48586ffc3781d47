import { BadgeCheck } from 'lucide-react';

import { PLAN_NAMES } from '#features/subscriptions/contract.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { dayOf } from '#web/ui/day.ts';
import { Link } from '#web/ui/link.tsx';
import { TableHead } from '#web/ui/table-head.tsx';

import type { AdminUser } from '../contract.ts';
import { SUBSCRIPTION } from './user-words.ts';

const HEADS = ['User', 'Status', 'Plan', 'Created', 'Actions'] as const;
const CELL = 'sm:px-4 sm:py-3 align-middle';

type Acts = { onSetPlan: (user: AdminUser) => void; onDelete: (user: AdminUser) => void };
export type UsersTableProps = Acts & { users: readonly AdminUser[] };
const ACT = 'disabled:cursor-default disabled:opacity-60 max-sm:h-10';

/** A table on a wide screen, a list of blocks on a phone. */
export function UsersTable({ users, ...acts }: UsersTableProps) {
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
