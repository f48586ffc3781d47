import { type FormEvent, useId, useState } from 'react';
import { PASSWORD_RULES } from '#features/accounts/contract/auth.ts';
import { FormError, Submit, TEXT_LINK } from '#ui/form.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { useSubmit } from '#ui/use-submit.ts';
import { PasswordRules } from './password-rules.tsx';
import { choosePassword, type Remaining } from './queries.ts';

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
