import { useState } from 'react';

import { addPasskey, type Passkey, removePasskey, startPasskey } from '#features/accounts/contract/passkeys.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Field } from '#ui/field.tsx';
import { FormError, Submit } from '#ui/form.tsx';
import { Modal } from '#ui/modal.tsx';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';

export type AddPasskeyProps = { onAdded: () => void; onClose: () => void };

const LONGEST_NAME = 60;

export function AddPasskey({ onAdded, onClose }: AddPasskeyProps) {
  const [name, setName] = useState('');
  const { busy, failure, submit } = useSubmit('Failed to add the passkey', async (signal) => {
    const start = await callWithProof(startPasskey, {}, signal);
    if (!start) return;
    const { createPasskey: makePasskey } = await import('./create-passkey.ts');
    const response = { ...(await makePasskey(start.options)) };
    const body = { challenge: start.challenge, name: name.trim(), response };
    if (!(await callWithProof(addPasskey, { body }, signal))) return;
    toast('success', 'Passkey added');
    onAdded();
    onClose();
  });
  return (
    <Modal title="Add a passkey" onClose={onClose}>
      <form
        className="grid gap-3 text-sm"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p className="text-ink-2">Your browser will ask for your fingerprint, face, PIN or security key.</p>
        <Field
          label="Name"
          name="passkey-name"
          placeholder="For example, Laptop"
          autoComplete="off"
          required
          maxLength={LONGEST_NAME}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <FormError failure={failure} />
        <Submit busy={busy} busyText="Waiting for your browser..." disabled={name.trim() === ''}>
          Add Passkey
        </Submit>
      </form>
    </Modal>
  );
}

export type RemovePasskeyProps = { passkey: Passkey; onRemoved: () => void; onClose: () => void };

export function RemovePasskey({ passkey: { id, name }, onRemoved, onClose }: RemovePasskeyProps) {
  const act = async (signal: AbortSignal) => {
    if (!(await callWithProof(removePasskey, { params: { id: String(id) } }, signal))) return;
    toast('success', `Passkey ${name} removed`);
    onRemoved();
  };
  return (
    <ConfirmDialog
      title="Remove this passkey?"
      words={['Remove', 'Removing...']}
      failed="Failed to remove the passkey"
      act={act}
      onClose={onClose}
    >
      <span className="font-medium text-ink">{name}</span> will no longer open your account. It stays on your device
      until you delete it there.
    </ConfirmDialog>
  );
}
