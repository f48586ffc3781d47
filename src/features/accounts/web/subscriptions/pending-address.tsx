import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { cancelEmailChange, type Subscription, updateProfile } from '#features/accounts/contract/subscriptions.ts';
import { call } from '#ui/api/client.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { Button } from '#ui/button.tsx';
import { DemoMail } from '#ui/demo-mail.tsx';
import { FormError, FormNote } from '#ui/form.tsx';
import { useToken } from '#ui/session.ts';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { subscriptionQuery } from './queries.ts';

type Props = { subscription: Subscription & { pendingEmail: string }; demoMail: string | undefined };

/** A new address that waits for its link to be opened: sent again, or given up. */
export function PendingAddress({ subscription: { email, pendingEmail, notifications }, demoMail }: Props) {
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
