import { useQueryClient } from '@tanstack/react-query';
import { Eye, EyeOff, Trash2 } from 'lucide-react';
import { useState } from 'react';

import { call } from '#web/api/client.ts';
import { useToken } from '#web/session.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

import { deleteEvent, type Event, ignoreEvent, unignoreEvent } from '../contract.ts';
import { titleId } from './words.ts';

const QUESTION = 'Are you sure you want to delete this event? This action cannot be undone.';

/** Lists and the card read again whatever came of it: what could not be done then shows as not done. */
function useReadAgain() {
  const queries = useQueryClient();
  return () =>
    Promise.all(['events', 'dashboard'].map((key) => queries.invalidateQueries({ queryKey: [key] }))).then(() => {});
}

/** For admins. Without a token nothing happens; an act that fails leaves the event as it was. */
export function EventActions({ event }: { event: Event }) {
  const token = useToken();
  const readAgain = useReadAgain();
  const [busy, setBusy] = useState(false);
  const [asking, ask] = useState(false);
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
      <Button aria-describedby={titleId(event)} className="text-down max-sm:h-10" onClick={() => token && ask(true)}>
        <Trash2 className="size-3.5" aria-hidden="true" />
        Delete
      </Button>
      {asking && (
        <ConfirmDialog
          title="Delete event"
          words={['Delete', 'Deleting...']}
          failed="Failed to delete event"
          act={async (signal) => {
            await call(deleteEvent, { params }, signal);
            void readAgain();
          }}
          onClose={() => ask(false)}
        >
          {QUESTION}
        </ConfirmDialog>
      )}
    </>
  );
}
