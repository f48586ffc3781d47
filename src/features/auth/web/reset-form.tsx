import { Check, Circle } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';

import { cx } from '#web/ui/cx.ts';
import { FormError, Submit } from '#web/ui/form.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';

import { PASSWORD_RULES } from '../contract.ts';
import { choosePassword } from './queries.ts';

const UNMET = 'Password does not meet requirements';
const DIFFERENT = 'Passwords do not match';

export function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const rules = useId();
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const [left, setLeft] = useState({ next: false, again: false });
  const { busy, failure, submit } = useSubmit('Failed to reset password', async (signal) => {
    await choosePassword({ token, newPassword: next }, signal);
    onDone();
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
      <Rules id={rules} password={next} />
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
      <Submit busy={busy} busyText="Resetting Password..." disabled={busy || !ready}>
        Reset Password
      </Submit>
    </form>
  );
}

function Rules({ id, password }: { id: string; password: string }) {
  return (
    <ul id={id} aria-label="Password requirements" className="grid gap-1 text-sm">
      {PASSWORD_RULES.map(({ text, holds }) => {
        const met = holds(password);
        const Icon = met ? Check : Circle;
        return (
          <li key={text} className={cx('flex items-center gap-2', met ? 'text-up' : 'text-ink-2')}>
            <Icon className="size-3.5 shrink-0" aria-hidden="true" />
            {text}
            <span className="sr-only">{met ? ', met' : ', not met'}</span>
          </li>
        );
      })}
    </ul>
  );
}
