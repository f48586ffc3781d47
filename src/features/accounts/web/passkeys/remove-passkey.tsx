import { type Passkey, removePasskey } from '#features/accounts/contract/passkeys.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { toast } from '#ui/toast.ts';

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
