import { callWithProof } from '#web/api/proof.ts';
import { FormError, PRIMARY, SECONDARY } from '#web/ui/form.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { toast } from '#web/ui/toast.ts';
import { useSubmit } from '#web/ui/use-submit.ts';

import { type Passkey, removePasskey } from '../contract.ts';

export type RemovePasskeyProps = { passkey: Passkey; onRemoved: () => void; onClose: () => void };

export function RemovePasskey({ passkey: { id, name }, onRemoved, onClose }: RemovePasskeyProps) {
  const { busy, failure, submit } = useSubmit('Failed to remove the passkey', async (signal) => {
    if (await callWithProof(removePasskey, { params: { id: String(id) } }, signal)) {
      toast('success', `Passkey ${name} removed`);
      onRemoved();
    }
    onClose();
  });
  return (
    <Modal title="Remove this passkey?" onClose={onClose}>
      <div className="grid gap-3 text-sm">
        <p className="text-ink-2">
          <span className="font-medium text-ink">{name}</span> will no longer open your account. It stays on your device
          until you delete it there.
        </p>
        <FormError failure={failure} />
        <div className="flex flex-wrap justify-end gap-2">
          <button type="button" onClick={onClose} className={SECONDARY}>
            Cancel
          </button>
          <button type="button" aria-disabled={busy} onClick={() => void submit()} className={PRIMARY}>
            {busy ? 'Removing...' : 'Remove'}
          </button>
        </div>
      </div>
    </Modal>
  );
}
