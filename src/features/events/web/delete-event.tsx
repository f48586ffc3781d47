import { deleteEvent, type Event } from '#features/events/contract.ts';
import { call } from '#ui/api/client.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { useReadAgain } from './queries.ts';

const QUESTION = 'Are you sure you want to delete this event? This action cannot be undone.';

/** Stands beside the list, not in a row of it: a list that is read anew leaves the question open. */
export function DeleteEvent({ event, onClose }: { event: Event; onClose: () => void }) {
  const readAgain = useReadAgain();
  return (
    <ConfirmDialog
      title="Delete event"
      words={['Delete', 'Deleting...']}
      failed="Failed to delete event"
      act={async (signal) => {
        await call(deleteEvent, { params: { id: String(event.id) } }, signal);
        void readAgain();
      }}
      onClose={onClose}
    >
      {QUESTION}
    </ConfirmDialog>
  );
}
