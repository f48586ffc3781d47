import { type FormEvent, useId, useState } from 'react';
import { type RemainingAccess as Access, PASSWORD_RULES } from '#features/accounts/contract/auth.ts';
import { DemoMail } from '#ui/demo-mail.tsx';
import { FormError, FormNote, SECONDARY, Submit, TEXT_LINK } from '#ui/form.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { useSubmit } from '#ui/use-submit.ts';

import { EmailField } from './email-field.tsx';
import { PasswordRules } from './password-rules.tsx';
import { askForReset, choosePassword, endAccess, type Remaining } from './queries.ts';

/** Requests a new link when the old one is no longer valid. */
export function RequestResetForm() {
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState<{ demoMail?: string | undefined } | null>(null);
  const { busy, failure, submit } = useSubmit('Failed to send password reset email', async (signal) =>
    setSent(await askForReset(email, signal)),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  return (
    <form onSubmit={onSubmit} className="grid gap-4">
      <EmailField value={email} onType={setEmail} />
      <FormError failure={failure} />
      {sent && <FormNote>If an account with that email exists, a password reset link has been sent.</FormNote>}
      <DemoMail href={sent?.demoMail} />
      <Submit busy={busy} busyText="Sending…">
        Request a new link
      </Submit>
    </form>
  );
}

const UNMET = 'Password does not meet requirements';
const DIFFERENT = 'Passwords do not match';

export function ResetForm({ token, onDone }: { token: string; onDone: (left: Remaining) => void }) {
  const rules = useId();
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const [left, setLeft] = useState({ next: false, again: false });
  const { busy, failure, submit } = useSubmit('Failed to reset password', async (signal) => {
    onDone(await choosePassword({ token, newPassword: next }, signal));
  });
  const valid = PASSWORD_RULES.every(({ holds }) => holds(next));
  const ready = valid && next === again;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) void submit();
  };
  return (
    <form onSubmit={onSubmit} className="grid gap-4">
      <PasswordField
        label="New password"
        name="new-password"
        required
        autoComplete="new-password"
        explained={rules}
        value={next}
        problem={left.next && next !== '' && !valid ? UNMET : null}
        onBlur={() => setLeft({ ...left, next: true })}
        onChange={(event) => setNext(event.target.value)}
      />
      <PasswordRules id={rules} password={next} />
      <PasswordField
        label="Confirm password"
        name="confirm-password"
        required
        autoComplete="new-password"
        value={again}
        problem={left.again && again !== '' && next !== again ? DIFFERENT : null}
        onBlur={() => setLeft({ ...left, again: true })}
        onChange={(event) => setAgain(event.target.value)}
      />
      <FormError failure={failure} />
      {failure && (
        <a href="/reset-password" className={TEXT_LINK}>
          Request a new link
        </a>
      )}
      <Submit busy={busy} busyText="Resetting Password..." disabled={busy || !ready}>
        Reset Password
      </Submit>
    </form>
  );
}

const KINDS: Record<Access['kind'], string> = {
  api_key: 'API key',
  webhook: 'Webhook',
  telegram: 'Telegram',
  passkey: 'Passkey',
};

type Props = { remaining: readonly Access[]; endToken: string };

/** Access that a reset does not revoke, with one button that does. */
export function RemainingAccess({ remaining, endToken }: Props) {
  const [ended, setEnded] = useState(false);
  const { busy, failure, submit } = useSubmit('Failed to revoke access', async (signal) => {
    await endAccess(endToken, signal);
    setEnded(true);
  });
  if (ended) return <FormNote>All other access has been revoked.</FormNote>;
  return (
    <section aria-labelledby="remaining" className="grid gap-3 rounded-ctl border border-warn/40 bg-warn/10 p-3">
      <h2 id="remaining" className="text-sm font-medium">
        These still have access to your account. Revoke all access if you do not recognize an entry.
      </h2>
      <ul className="grid max-h-60 gap-1.5 overflow-y-auto text-sm">
        {remaining.map(({ kind, name }, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- the list never changes, and names repeat
          <li key={i} className="flex gap-2">
            <span className="w-20 shrink-0 text-ink-2">{KINDS[kind]}</span>
            <span className="min-w-0 break-words">{name}</span>
          </li>
        ))}
      </ul>
      <FormError failure={failure} />
      <button type="button" aria-disabled={busy} onClick={() => void submit()} className={SECONDARY}>
        {busy ? 'Revoking access...' : 'Revoke all access'}
      </button>
    </section>
  );
}
