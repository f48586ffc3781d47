import { call } from '#web/api/client.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

import { type AdminIncident, retractIncident } from '../contract.ts';

type Props = { incident: AdminIncident; onDone: () => void; onClose: () => void };

export function RetractDialog({ incident: { id, title }, onDone, onClose }: Props) {
  return (
    <ConfirmDialog
      title="Retract the incident?"
      words={['Retract', 'Retracting...']}
      failed="Failed to retract the incident"
      act={async (signal) => {
        await call(retractIncident, { params: { id: String(id) } }, signal);
        onDone();
      }}
      onClose={onClose}
    >
      “{title}” is taken off the status page. It is kept here, marked as retracted.
    </ConfirmDialog>
  );
}
