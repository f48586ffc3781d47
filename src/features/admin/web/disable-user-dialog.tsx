import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { callWithProof } from '#web/api/proof.ts';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.ts';
import { useSubmit } from '#web/ui/use-submit.ts';

import { type AdminUser, disableUser, enableUser, LONGEST_REASON } from '../contract.ts';
import { refreshUser } from './queries.ts';

type Props = { user: AdminUser; onClose: () => void };

/** Shuts an account out, or lets it in again. */
export function DisableUserDialog({ user: { id, email, isDisabled }, onClose }: Props) {
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const word = isDisabled ? 'enable' : 'disable';
  const { busy, failure, submit } = useSubmit(`Failed to ${word} the account`, async (signal) => {
    const params = { id: String(id) };
    const done = isDisabled
      ? await callWithProof(enableUser, { params }, signal)
      : await callWithProof(disableUser, { params, body: { reason: reason.trim() } }, signal);
    if (!done) return;
    toast('success', `${email} is ${word}d now`);
    await refreshUser(queries, id);
    onClose();
  });
  return (
    <FormDialog
      title={isDisabled ? 'Enable account' : 'Disable account'}
      act={isDisabled ? 'Enable' : 'Disable'}
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-ink-2 [overflow-wrap:anywhere]">
        {isDisabled
          ? `${email} can sign in again. API keys, rules and schedules go on; browsers have to be signed in and asked for push anew.`
          : `${email} is signed out everywhere at once, and nobody can sign in. API keys stop, nothing is delivered, schedules pause, and a card is not charged again. The data stay, and the person is told by mail, without your reason.`}
      </p>
      {!isDisabled && (
        <Field
          label="Reason"
          name="reason"
          required
          minLength={3}
          maxLength={LONGEST_REASON}
          placeholder="Why; kept with your name"
          autoComplete="off"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      )}
    </FormDialog>
  );
}
