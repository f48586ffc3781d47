import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { PLAN_LIMITS, type Subscription, updateProfile } from '#features/accounts/contract/subscriptions.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { Card } from '#ui/card.tsx';
import { CornerButton } from '#ui/corner-button.tsx';
import { Field } from '#ui/field.tsx';
import { FormError, FormNote, Submit } from '#ui/form.tsx';
import { useToken } from '#ui/session.ts';
import { type Failure, useSubmit } from '#ui/use-submit.ts';
import { CHANNELS } from './channels.ts';
import { ProfileFacts } from './profile-facts.tsx';
import { subscriptionQuery } from './queries.ts';

const FAILED = 'Failed to update profile';

/** The main sentence first, then the reason. */
const explained = ({ message, detail }: Failure): Failure => {
  const why = message === FAILED ? detail : message;
  return why ? { message: FAILED, detail: why } : { message: FAILED };
};

type Props = { subscription: Subscription; onSaved: (demoMail: string | undefined) => void };

function ProfileForm({ subscription, onSaved }: Props) {
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
        <p className="mt-1 text-xs text-ink-3">A new address takes effect once you open the link sent to it.</p>
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
          <p className="text-xs text-ink-3">Market alerts require Pro. Account emails are always sent.</p>
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

const SAVED = 'Profile updated successfully!';
const SAVED_MS = 3000;

/** The user's profile, for viewing and editing. */
export function ProfileCard({ subscription }: { subscription: Subscription }) {
  const [editing, setEditing] = useState(false);
  const [saved, setSaved] = useState(0);
  const [demoMail, setDemoMail] = useState<string>();
  useEffect(() => {
    if (saved === 0) return undefined;
    const timer = setTimeout(() => setSaved(0), SAVED_MS);
    return () => clearTimeout(timer);
  }, [saved]);
  return (
    <Card id="account" title="Account" className="relative">
      <CornerButton onClick={() => setEditing(!editing)}>{editing ? 'Cancel' : 'Edit'}</CornerButton>
      <div className="grid gap-3 px-4 pt-1 pb-4">
        {saved > 0 && <FormNote>{SAVED}</FormNote>}
        {editing ? (
          <ProfileForm
            subscription={subscription}
            onSaved={(mail) => {
              setDemoMail(mail);
              setEditing(false);
              setSaved(Date.now());
            }}
          />
        ) : (
          <ProfileFacts subscription={subscription} demoMail={demoMail} />
        )}
      </div>
    </Card>
  );
}
