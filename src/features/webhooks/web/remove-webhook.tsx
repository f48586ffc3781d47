import { call } from '#web/api/client.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { toast } from '#web/ui/toast.ts';

import { removeWebhook, type Webhook } from '../contract.ts';

export type RemoveProps = { webhook: Webhook; onRemoved: () => void; onClose: () => void };

export function RemoveWebhook({ webhook: { id, name, host }, onRemoved, onClose }: RemoveProps) {
  const act = async (signal: AbortSignal) => {
    await call(removeWebhook, { params: { id: String(id) } }, signal);
    toast('success', `Webhook ${name} removed`);
    onRemoved();
  };
  return (
    <ConfirmDialog
      title="Remove this webhook?"
      words={['Remove', 'Removing...']}
      failed="Failed to remove the webhook"
      act={act}
      onClose={onClose}
    >
      <span className="font-medium text-ink">{name}</span> at {host} gets no more alerts. Its secret and its log are
      deleted.
    </ConfirmDialog>
  );
}
