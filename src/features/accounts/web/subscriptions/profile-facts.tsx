import { BadgeCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import { Badge } from '#ui/badge.tsx';
import { dayOf } from '#ui/day.ts';
import { CHANNELS } from './channels.ts';
import { PendingAddress } from './pending-address.tsx';

type Props = {
  subscription: Subscription;
  /** Where the mail to a new address can be read. */
  demoMail?: string | undefined;
};

export function ProfileFacts({ subscription, demoMail }: Props) {
  const { email, emailVerified, pendingEmail, planName, createdAt, notifications } = subscription;
  return (
    <dl className="text-sm">
      <Fact name="Email">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium break-all">
          {email}
          {emailVerified ? (
            <Badge tone="up">
              <BadgeCheck className="size-3" aria-hidden="true" />
              Verified
            </Badge>
          ) : (
            <Badge tone="warn">Unverified</Badge>
          )}
        </span>
        {pendingEmail && (
          <PendingAddress key={pendingEmail} subscription={{ ...subscription, pendingEmail }} demoMail={demoMail} />
        )}
      </Fact>
      <Fact name="Plan">
        <span className="font-medium">{planName}</span>
      </Fact>
      <Fact name="Member since">
        <span className="num font-medium">{dayOf(createdAt)}</span>
      </Fact>
      <Fact name="Notifications">
        <ul className="flex flex-wrap gap-x-5 gap-y-1">
          {CHANNELS.map(({ id, name }) => (
            <li key={id} className="flex items-center gap-2">
              {name}
              {notifications[id] ? <Badge tone="up">On</Badge> : <Badge>Off</Badge>}
            </li>
          ))}
        </ul>
      </Fact>
    </dl>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-h-11 content-center gap-x-4 gap-y-0.5 border-t border-line py-2 first:border-t-0 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
