import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Event } from '#features/events/contract.ts';
import { useAddressChoice, useAddressText } from '#ui/address-filter.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CornerButton } from '#ui/corner-button.tsx';
import { cx } from '#ui/cx.ts';
import { useNow } from '#ui/now.ts';
import { QueryView } from '#ui/query-view.tsx';
import { SearchBox } from '#ui/search-box.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { TableHead } from '#ui/table-head.tsx';
import { toast } from '#ui/toast.ts';
import { DeleteEvent, EventActions, type OnDelete } from './event-actions.tsx';
import { dayKey, dayWords, isPast, timeWords } from './event-dates.ts';
import { CATEGORY_WORDS, eventTitle, titleId } from './impact.tsx';
import { type AdminList, adminEventsQuery } from './queries.ts';

const STEP = 50;
const MINUTE_MS = 60_000;
const HEADS = ['Event', 'Status', 'Date and time', 'Category', 'Source', 'Actions'] as const;
const CELL = 'sm:px-4 sm:py-3 align-middle';

/** A table on a wide screen, a list of blocks on a phone. */
function EventsTable({ events, onDelete }: { events: readonly Event[]; onDelete: OnDelete }) {
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
          {eventTitle(event)}
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

const CARD = { id: 'events', title: 'Events Management', className: 'relative min-h-96' };
const FAILED = 'Failed to fetch events';
const LISTS: Record<'All' | 'Upcoming' | 'Past', AdminList> = { All: 'all', Upcoming: 'upcoming', Past: 'past' };
const CHOICES = ['All', 'Upcoming', 'Past'] as const;

const fits = ({ title }: Event, q: string): boolean => (title ?? '').toLowerCase().includes(q.toLowerCase());

/** Every stored event, for administrators. */
export function EventsTab() {
  const queries = useQueryClient();
  const [choice, choose] = useAddressChoice('filter', CHOICES);
  const [q, search] = useAddressText('search');
  const [leaving, remove] = useState<Event | null>(null);
  const query = useQuery(adminEventsQuery(useToken(), LISTS[choice]));
  useEffect(() => {
    if (query.errorUpdateCount > 0 && query.isError) toast('error', FAILED);
  }, [query.errorUpdateCount, query.isError]);
  const found = query.data?.filter((event) => fits(event, q));
  return (
    <Card
      {...CARD}
      note={
        found && (
          <output className="label num">
            {found.length} of {query.data?.length} events
          </output>
        )
      }
    >
      <CornerButton onClick={() => void queries.invalidateQueries({ queryKey: ['events'] })}>
        <RotateCw className="size-3.5" aria-hidden="true" />
        Refresh
      </CornerButton>
      <div className="flex flex-wrap items-center gap-3 px-4 pt-1 pb-3">
        <SearchBox label="Search by title" value={q} onSearch={search} />
        <Segmented label="Status" value={choice} options={CHOICES} onChange={choose} />
      </div>
      <QueryView
        query={{ ...query, data: found }}
        failed={FAILED}
        loading={<Loading />}
        isEmpty={(events) => events.length === 0}
        empty={<Empty title="No events found" />}
      >
        {(events) => <EventsTable key={`${choice} ${q}`} events={events} onDelete={remove} />}
      </QueryView>
      {leaving && <DeleteEvent event={leaving} onClose={() => remove(null)} />}
    </Card>
  );
}

function Loading() {
  return (
    <div className="grid gap-3 px-4 py-3">
      <output className="sr-only">Loading events</output>
      <div className="skel h-8" aria-hidden="true" />
      <div className="skel h-8" aria-hidden="true" />
      <div className="skel h-8" aria-hidden="true" />
    </div>
  );
}
