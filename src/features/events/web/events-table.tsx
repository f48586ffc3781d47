import { useState } from 'react';

import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { useNow } from '#web/ui/now.ts';
import { TableHead } from '#web/ui/table-head.tsx';

import type { Event } from '../contract.ts';
import { EventActions, type OnDelete } from './event-actions.tsx';
import { dayKey, dayWords, isPast, timeWords } from './when.ts';
import { CATEGORY_WORDS, titleId, titleOf } from './words.ts';

const STEP = 50;
const MINUTE_MS = 60_000;
const HEADS = ['Event', 'Status', 'Date and time', 'Category', 'Source', 'Actions'] as const;
const CELL = 'sm:px-4 sm:py-3 align-middle';

/** A table on a wide screen, a list of blocks on a phone. */
export function EventsTable({ events, onDelete }: { events: readonly Event[]; onDelete: OnDelete }) {
  const [shown, setShown] = useState(STEP);
  return (
    <>
      <table className="w-full text-left text-sm max-sm:block">
        <TableHead heads={HEADS} />
        <tbody className="max-sm:block">
          {events.slice(0, shown).map((event) => (
            <Row key={event.id} event={event} onDelete={onDelete} />
          ))}
        </tbody>
      </table>
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

function Row({ event, onDelete }: { event: Event; onDelete: OnDelete }) {
  const past = isPast(event, useNow(MINUTE_MS));
  const { description, source, category, ignored, allDay, date } = event;
  return (
    <tr className="border-t border-line first:border-t-0 max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-x-2 max-sm:gap-y-1.5 max-sm:px-4 max-sm:py-3">
      <th scope="row" className={cx(CELL, 'font-normal max-sm:w-full')}>
        <span id={titleId(event)} className="font-medium break-words">
          {titleOf(event)}
        </span>
        <span className="line-clamp-2 max-w-[60ch] text-xs text-ink-3">
          {description?.trim() || 'No description available'}
        </span>
      </th>
      <td className={CELL}>
        <span className="flex flex-wrap gap-1.5">
          {past ? <Badge>Past</Badge> : <Badge tone="up">Upcoming</Badge>}
          {ignored && <Badge tone="warn">Ignored</Badge>}
        </span>
      </td>
      <td className={cx(CELL, 'num whitespace-nowrap text-ink-2')}>
        {dayWords(dayKey(event))} <span className="text-ink-3">{allDay ? 'All day' : timeWords(date)}</span>
      </td>
      <td className={CELL}>{(category && CATEGORY_WORDS[category]) || 'N/A'}</td>
      <td className={cx(CELL, 'text-ink-2')}>{source?.trim() || 'N/A'}</td>
      <td className={cx(CELL, 'max-sm:w-full')}>
        <span className="flex justify-end gap-1.5">
          <EventActions event={event} onDelete={onDelete} />
        </span>
      </td>
    </tr>
  );
}
