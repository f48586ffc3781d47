import { Eye, EyeOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type Event, ignoreEvent, unignoreEvent } from '#features/events/contract.ts';
import { call } from '#ui/api/client.ts';
import { Button } from '#ui/button.tsx';
import { useToken } from '#ui/session.ts';
import { useReadAgain } from './queries.ts';
import { titleId } from './words.ts';

export type OnDelete = (event: Event) => void;

/** For admins. Without a token nothing happens; an act that fails leaves the event as it was. */
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
