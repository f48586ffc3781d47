import { useState } from 'react';
import type { Event } from '#features/events/contract.ts';
import { Button } from '#ui/button.tsx';
import { EventActions, type OnDelete } from './event-actions.tsx';
import { EventItem } from './event-item.tsx';

/** Rows rendered at a time. */
const STEP = 20;

type Props = {
  events: readonly Event[];
  /** For admins. */
  onDelete: OnDelete | null;
  label: string;
};

export function EventList({ events, onDelete, label }: Props) {
  const [shown, setShown] = useState(STEP);
  return (
    <>
      <ul aria-label={label} className="border-t border-line">
        {events.slice(0, shown).map((event) => (
          <EventItem
            key={event.id}
            event={event}
            actions={onDelete && <EventActions event={event} onDelete={onDelete} />}
          />
        ))}
      </ul>
      {shown < events.length && (
        <div className="border-t border-line px-4 py-3 text-center">
          <Button onClick={() => setShown(shown + STEP)} className="max-sm:h-10">
            Show {Math.min(STEP, events.length - shown)} more
          </Button>
        </div>
      )}
    </>
  );
}
