import { callWithProof } from '#web/api/proof.ts';
import { FormError, PRIMARY, SECONDARY } from '#web/ui/form.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { toast } from '#web/ui/toast.ts';
import { useSubmit } from '#web/ui/use-submit.ts';

import { disableTwoFactor } from '../contract.ts';

export type DisableProps = { onDone: () => void; onClose: () => void };

export function DisableTwoFactor({ onDone, onClose }: DisableProps) {
  const { busy, failure, submit } = useSubmit('Failed to turn off two-factor sign-in', async (signal) => {
    if (await callWithProof(disableTwoFactor, {}, signal)) {
      toast('success', 'Two-factor sign-in is off');
      onDone();
    }
    onClose();
  });
  return (
    <Modal title="Turn off two-factor sign-in?" onClose={onClose}>
      <div className="grid gap-3 text-sm">
        <p className="text-ink-2">
          Your password alone will open the account. Your authenticator app and the backup codes stop working for it.
        </p>
        <FormError failure={failure} />
        <div className="flex flex-wrap justify-end gap-2">
          <button type="button" onClick={onClose} className={SECONDARY}>
            Cancel
          </button>
          <button type="button" aria-disabled={busy} onClick={() => void submit()} className={PRIMARY}>
            {busy ? 'Turning off...' : 'Turn Off'}
          </button>
        </div>
      </div>
    </Modal>
  );
}
