import { callWithProof } from '#web/api/proof.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { toast } from '#web/ui/toast.ts';

import { disableTwoFactor } from '../contract.ts';

export type DisableProps = { onDone: () => void; onClose: () => void };

export function DisableTwoFactor({ onDone, onClose }: DisableProps) {
  const act = async (signal: AbortSignal) => {
    if (!(await callWithProof(disableTwoFactor, {}, signal))) return;
    toast('success', 'Two-factor sign-in is off');
    onDone();
  };
  return (
    <ConfirmDialog
      title="Turn off two-factor sign-in?"
      words={['Turn Off', 'Turning off...']}
      failed="Failed to turn off two-factor sign-in"
      act={act}
      onClose={onClose}
    >
      Your password alone will open the account. Your authenticator app and the backup codes stop working for it.
    </ConfirmDialog>
  );
}
