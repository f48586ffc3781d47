import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';

import { changePassword, PASSWORD_RULES } from '#features/accounts/contract/auth.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { Card } from '#ui/card.tsx';
import { FormError, FormNote, Submit } from '#ui/form.tsx';
import { part } from '#ui/part.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { useSubmit } from '#ui/use-submit.ts';

import { PasswordRules } from '../password-rules.tsx';
import type { DeleteAccountProps } from './delete-account-dialog.tsx';

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

const DeleteAccountDialog = part<DeleteAccountProps>({
  name: 'The dialog',
  load: async () => (await import('./delete-account-dialog.tsx')).DeleteAccountDialog,
});

export function DeleteAccount(props: Omit<DeleteAccountProps, 'onClose'>) {
  const [open, setOpen] = useState(false);
  return (
    <Card id="delete-account" title="Delete Account">
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 pt-1 pb-4">
        <p className="max-w-[60ch] text-sm text-ink-2">
          Your account and everything in it is removed immediately. This action cannot be undone.
        </p>
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="inline-flex h-11 items-center rounded-ctl border border-down px-4 text-base font-medium whitespace-nowrap text-down hover:bg-down/10 sm:h-10"
        >
          Delete Account
        </button>
      </div>
      {open && <DeleteAccountDialog {...props} onClose={() => setOpen(false)} />}
    </Card>
  );
}
