import { type ApiKey, deactivateKey } from '#features/api/contract/api-keys.ts';
import { call } from '#ui/api/client.ts';
import { PRIMARY, SECONDARY } from '#ui/form.tsx';
import { Modal } from '#ui/modal.tsx';
import { useKeyAct } from './queries.ts';

export type DeactivateProps = { apiKey: ApiKey; onClose: () => void };

export function DeactivateKey({ apiKey: { id, name, api_key: hint }, onClose }: DeactivateProps) {
  const { busy, submit } = useKeyAct('Couldn’t deactivate the key', async (signal) => {
    await call(deactivateKey, { params: { id: String(id) } }, signal);
    onClose();
  });
  return (
    <Modal title="Deactivate API key" onClose={onClose}>
      <div className="grid gap-3 text-sm">
        <p className="font-medium">Are you sure you want to deactivate this API key?</p>
        <p className="text-ink-2">
          <span className="font-medium text-ink">{name}</span> <span className="font-mono text-xs">{hint}</span> stops
          working immediately and cannot be restored. Requests that use it will be rejected.
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <button type="button" onClick={onClose} className={SECONDARY}>
            Cancel
          </button>
          <button type="button" aria-disabled={busy} onClick={() => void submit()} className={PRIMARY}>
            {busy ? 'Deactivating...' : 'Deactivate'}
          </button>
        </div>
      </div>
    </Modal>
  );
}
