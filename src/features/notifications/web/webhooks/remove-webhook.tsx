import { removeWebhook, type Webhook } from '#features/notifications/contract/webhooks.ts';
import { call } from '#ui/api/client.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { toast } from '#ui/toast.ts';

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
      <span className="font-medium text-ink">{name}</span> at {host} will no longer receive alerts. Its secret and log
      are deleted.
    </ConfirmDialog>
  );
}
