import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { changePassword, PASSWORD_RULES } from '#features/accounts/contract/auth.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { Card } from '#ui/card.tsx';
import { FormError, FormNote, Submit } from '#ui/form.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { useSubmit } from '#ui/use-submit.ts';
import { PasswordRules } from '../password-rules.tsx';

const EMPTY = { current: '', next: '', again: '' };

export function ChangePassword() {
  const queries = useQueryClient();
  const rules = useId();
  const [values, setValues] = useState(EMPTY);
  const [changed, setChanged] = useState(false);
  const { current, next, again } = values;
  const { busy, failure, submit } = useSubmit('Failed to change password', async (signal) => {
    const body = { currentPassword: current, newPassword: next };
    if (!(await callWithProof(changePassword, { body }, signal))) return;
    setValues(EMPTY);
    setChanged(true);
    void queries.invalidateQueries({ queryKey: ['sessions'] });
    // A new password resolves the notice about a weak one.
    void queries.invalidateQueries({ queryKey: ['subscription'] });
  });
  const valid = PASSWORD_RULES.every(({ holds }) => holds(next));
  const differs = again !== '' && again !== next;
  const field = (name: keyof typeof EMPTY) => ({
    name: `${name}-password`,
    required: true,
    value: values[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      setValues({ ...values, [name]: event.target.value });
      setChanged(false);
    },
  });

  return (
    <Card id="password" title="Password">
      <form
        className="grid gap-3 px-4 pt-1 pb-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <PasswordField label="Current password" autoComplete="current-password" {...field('current')} />
        <PasswordField label="New password" autoComplete="new-password" explained={rules} {...field('next')} />
        <PasswordRules id={rules} password={next} />
        <PasswordField
          label="Confirm new password"
          autoComplete="new-password"
          problem={differs ? 'Passwords do not match' : null}
          {...field('again')}
        />
        <FormError failure={failure} />
        {changed && <FormNote>Password changed. Every other session was signed out.</FormNote>}
        <div>
          <Submit
            busy={busy}
            busyText="Changing Password..."
            disabled={!valid || current === '' || next !== again}
            className="sm:w-auto"
          >
            Change Password
          </Submit>
        </div>
      </form>
    </Card>
  );
}
