import { disableTwoFactor } from '#features/accounts/contract/two-factor.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { toast } from '#ui/toast.ts';

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
      You will sign in with your password only. Your authenticator app and backup codes will stop working for this
      account.
    </ConfirmDialog>
  );
}
