import { useQueryClient } from '@tanstack/react-query';
import { BadgeCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { cancelEmailChange, type Subscription, updateProfile } from '#features/accounts/contract/subscriptions.ts';
import { call } from '#ui/api/client.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { dayOf } from '#ui/day.ts';
import { DemoMail } from '#ui/demo-mail.tsx';
import { FormError, FormNote } from '#ui/form.tsx';
import { useToken } from '#ui/session.ts';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { CHANNELS } from './channels.ts';
import { subscriptionQuery } from './queries.ts';

type PendingAddressProps = { subscription: Subscription & { pendingEmail: string }; demoMail: string | undefined };

/** A new address pending confirmation: resend or cancel. */
function PendingAddress({ subscription: { email, pendingEmail, notifications }, demoMail }: PendingAddressProps) {
  const queries = useQueryClient();
  const { queryKey } = subscriptionQuery(useToken());
  const [again, setAgain] = useState<{ demoMail?: string | undefined } | null>(null);
  const resend = useSubmit('Failed to send the link again', async (signal) => {
    setAgain(null);
    const next = await callWithProof(updateProfile, { body: { email: pendingEmail, notifications } }, signal);
    if (!next) return;
    queries.setQueryData(queryKey, next);
    setAgain(next);
  });
  const cancel = useSubmit('Failed to cancel the change', async (signal) => {
    queries.setQueryData(queryKey, await call(cancelEmailChange, {}, signal));
    toast('success', `Your address is still ${email}`);
  });
  return (
    <div className="mt-2 grid gap-2">
      <p className="rounded-ctl bg-warn/10 px-3 py-2 text-warn">
        <span className="font-medium break-all">{pendingEmail}</span> is awaiting confirmation: open the link we sent
        there. Until then your address is still {email}.
      </p>
      <DemoMail href={again?.demoMail ?? demoMail} />
      <FormError failure={resend.failure ?? cancel.failure} />
      {again && <FormNote>A new link was sent. The previous link no longer works.</FormNote>}
      <div className="flex flex-wrap gap-2">
        <Button aria-disabled={resend.busy} onClick={() => void resend.submit()} className="max-sm:h-10">
          {resend.busy ? 'Sending…' : 'Send Link Again'}
        </Button>
        <Button aria-disabled={cancel.busy} onClick={() => void cancel.submit()} className="max-sm:h-10">
          {cancel.busy ? 'Cancelling…' : 'Cancel Change'}
        </Button>
      </div>
    </div>
  );
}

type ProfileFactsProps = {
  subscription: Subscription;
  /** Where to read the email to a new address. */
  demoMail?: string | undefined;
};

export function ProfileFacts({ subscription, demoMail }: ProfileFactsProps) {
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
