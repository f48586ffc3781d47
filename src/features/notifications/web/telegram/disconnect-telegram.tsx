import { disconnectTelegram } from '#features/notifications/contract/telegram.ts';
import { call } from '#ui/api/client.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { toast } from '#ui/toast.ts';
import { Told } from '#ui/use-submit.ts';
import { errorSentence } from './queries.ts';

export type DisconnectProps = { onDisconnected: () => void; onClose: () => void };

const LOST = 'Error disconnecting Telegram';

export function DisconnectTelegram({ onDisconnected, onClose }: DisconnectProps) {
  async function act(signal: AbortSignal): Promise<void> {
    try {
      await call(disconnectTelegram, {}, signal);
    } catch (error) {
      throw new Told(errorSentence(error, (words) => `Failed to disconnect: ${words}`, LOST));
    }
    toast('success', 'Telegram account disconnected successfully!');
    onDisconnected();
  }
  return (
    <ConfirmDialog
      title="Disconnect Telegram?"
      words={['Disconnect', 'Disconnecting...']}
      failed={LOST}
      act={act}
      onClose={onClose}
    >
      Your chat stops receiving messages and we delete its ID. You can reconnect at any time with a new code.
    </ConfirmDialog>
  );
}
