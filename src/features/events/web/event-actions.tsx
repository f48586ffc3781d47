import { Eye, EyeOff, Trash2 } from 'lucide-react';
import { useState } from 'react';

import { deleteEvent, type Event, ignoreEvent, unignoreEvent } from '#features/events/contract.ts';
import { call } from '#ui/api/client.ts';
import { Button } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { useToken } from '#ui/session.ts';
import { titleId } from './impact.tsx';
import { useReadAgain } from './queries.ts';

export type OnDelete = (event: Event) => void;

/** For admins. Does nothing without a token; a failed action leaves the event unchanged. */
export function EventActions({ event, onDelete }: { event: Event; onDelete: OnDelete }) {
  const token = useToken();
  const readAgain = useReadAgain();
  const [busy, setBusy] = useState(false);
  const params = { id: String(event.id) };

  async function toggle(): Promise<void> {
    if (!token || busy) return;
    setBusy(true);
    await call(event.ignored ? unignoreEvent : ignoreEvent, { params }).catch(() => {});
    await readAgain();
    setBusy(false);
  }

  const Icon = event.ignored ? Eye : EyeOff;
  return (
    <>
      <Button
        aria-describedby={titleId(event)}
        className="max-sm:h-10"
        aria-disabled={busy}
        onClick={() => void toggle()}
      >
        <Icon className="size-3.5" aria-hidden="true" />
        {event.ignored ? 'Unignore' : 'Ignore'}
      </Button>
      <Button
        aria-describedby={titleId(event)}
        className="text-down max-sm:h-10"
        onClick={() => token && onDelete(event)}
      >
        <Trash2 className="size-3.5" aria-hidden="true" />
        Delete
      </Button>
    </>
  );
}

const QUESTION = 'Are you sure you want to delete this event? This action cannot be undone.';

/** Rendered outside the list, so that refetching it does not close the dialog. */
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
