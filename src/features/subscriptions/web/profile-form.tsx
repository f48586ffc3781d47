import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { callWithProof } from '#web/api/proof.ts';
import { useToken } from '#web/session.ts';
import { Field } from '#web/ui/field.tsx';
import { FormError, Submit } from '#web/ui/form.tsx';
import { type Failure, useSubmit } from '#web/ui/use-submit.ts';

import { PLAN_LIMITS, type Subscription, updateProfile } from '../contract.ts';
import { CHANNELS } from './channels.ts';
import { subscriptionQuery } from './queries.ts';

const FAILED = 'Failed to update profile';

/** The sentence first, then why. */
const explained = ({ message, detail }: Failure): Failure => {
  const why = message === FAILED ? detail : message;
  return why ? { message: FAILED, detail: why } : { message: FAILED };
};

type Props = { subscription: Subscription; onSaved: (demoMail: string | undefined) => void };

export function ProfileForm({ subscription, onSaved }: Props) {
  const queries = useQueryClient();
  const token = useToken();
  const [email, setEmail] = useState(subscription.email);
  const [notifications, setNotifications] = useState(subscription.notifications);
  const { busy, failure, submit } = useSubmit(FAILED, async (signal) => {
    const next = await callWithProof(updateProfile, { body: { email: email.trim(), notifications } }, signal);
    if (!next) return;
    queries.setQueryData(subscriptionQuery(token).queryKey, next);
    onSaved(next.demoMail);
  });
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className="max-w-md">
        <Field
          label="Email"
          type="email"
          name="email"
          autoComplete="email"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <p className="mt-1 text-xs text-ink-3">A new address counts once the link sent to it was opened.</p>
      </div>
      <fieldset>
        <legend className="text-sm font-medium">Notifications</legend>
        {CHANNELS.map(({ id, name, note }) => (
          <label key={id} className="flex min-h-10 cursor-pointer items-center gap-2.5 text-sm">
            <input
              type="checkbox"
              checked={notifications[id]}
              onChange={(event) => setNotifications({ ...notifications, [id]: event.target.checked })}
              className="size-4 shrink-0 accent-(--accent)"
            />
            {name}
            <span className="text-ink-3">{note}</span>
          </label>
        ))}
        {!PLAN_LIMITS[subscription.plan].alerts && (
          <p className="text-xs text-ink-3">Market alerts come with Pro. Mail about your account is always sent.</p>
        )}
      </fieldset>
      <FormError failure={failure && explained(failure)} />
      <div>
        <Submit busy={busy} busyText="Saving..." className="sm:w-auto">
          Save Changes
        </Submit>
      </div>
    </form>
  );
}
