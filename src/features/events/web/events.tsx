import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useToken } from '#web/session.ts';
import { useAddressFilter } from '#web/ui/address-filter.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { useNow } from '#web/ui/now.ts';
import { QueryView } from '#web/ui/query-view.tsx';
import { Empty } from '#web/ui/states.tsx';

import type { Event } from '../contract.ts';
import { AdminExtras, useIgnored } from './admin-extras.tsx';
import { Calendar } from './calendar.tsx';
import { DeleteEvent } from './delete-event.tsx';
import type { OnDelete } from './event-actions.tsx';
import { EventList } from './event-list.tsx';
import {
  type ChangeFilter,
  choose,
  type EventFilter,
  isFiltered,
  NO_CHOICE,
  parseFilter,
  statsOf,
  writeFilter,
} from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { eventsQuery, everyEventQuery } from './queries.ts';
import { StatCards } from './stat-cards.tsx';
import { Study } from './study.tsx';
import { Subscribe } from './subscribe.tsx';

const MINUTE_MS = 60_000;
/** How far back the page goes, as its public call does. */
const DAYS_BACK = 7;
const ROWS = ['a', 'b', 'c', 'd', 'e'];

export function Events({ admin }: { admin: boolean }) {
  const [filter, change] = useAddressFilter(parseFilter, writeFilter);
  const [leaving, remove] = useState<Event | null>(null);
  const now = useNow(MINUTE_MS);
  const token = useToken();
  const ignored = useIgnored(admin && filter.ignored);
  const own = useQuery({ ...eventsQuery, enabled: !ignored });
  const every = useQuery({ ...everyEventQuery(token), enabled: ignored });
  const query = ignored ? every : own;
  const events = query.data?.filter(({ daysUntil }) => daysUntil >= -DAYS_BACK);
  return (
    <>
      <StatCards stats={events && statsOf(events, now)} filter={filter} onChange={change} />
      <FilterBar filter={filter} onChange={change}>
        {admin && <AdminExtras filter={filter} onChange={change} busy={query.isFetching} />}
      </FilterBar>
      <div className="grid grid-cols-1 content-start items-start gap-3 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <QueryView
          query={query}
          card={{ id: 'events', title: 'Events', className: 'min-h-96' }}
          loading={<Loading />}
          failed="Failed to load events"
        >
          {() => (
            <Chosen
              events={events ?? []}
              filter={{ ...filter, ignored }}
              onDelete={admin ? remove : null}
              now={now}
              onChange={change}
            />
          )}
        </QueryView>
        <div className="grid gap-3 xl:sticky xl:top-18">
          <Subscribe filter={filter} />
          <Study />
        </div>
      </div>
      {leaving && <DeleteEvent event={leaving} onClose={() => remove(null)} />}
    </>
  );
}

type ChosenProps = {
  events: readonly Event[];
  filter: EventFilter;
  onDelete: OnDelete | null;
  now: number;
  onChange: ChangeFilter;
};

function Chosen({ events, filter, onDelete, now, onChange }: ChosenProps) {
  const chosen = choose(events, filter, now);
  const clear = () => onChange(NO_CHOICE);
  const title = filter.view === 'list' ? 'Events' : 'Calendar';
  return (
    <Card
      id="events"
      title={title}
      note={
        <output className="label num">
          {chosen.length} of {events.length} shown
        </output>
      }
      action={
        isFiltered(filter) && (
          <Button kind="quiet" onClick={clear}>
            Clear filters
          </Button>
        )
      }
    >
      {chosen.length === 0 && <NoneFits filtered={isFiltered(filter)} onClear={clear} />}
      {chosen.length > 0 && filter.view === 'list' && (
        <EventList key={JSON.stringify(filter)} events={chosen} onDelete={onDelete} label="Events" />
      )}
      {chosen.length > 0 && filter.view === 'calendar' && <Calendar events={chosen} onDelete={onDelete} now={now} />}
    </Card>
  );
}

function Loading() {
  return (
    <div className="grid gap-3 px-4 pb-4">
      <output className="text-sm text-ink-2">Loading upcoming events...</output>
      {ROWS.map((row) => (
        <div key={row} className="skel h-16" aria-hidden="true" />
      ))}
    </div>
  );
}

function NoneFits({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return (
    <div className="flex min-h-56 flex-col pb-8 text-center">
      <Empty
        title="No events match your filters"
        note={filtered ? 'Another category, impact, time or search may.' : 'No source has named an event yet.'}
      />
      <Button className="mx-auto" onClick={onClear}>
        Clear filters
      </Button>
    </div>
  );
}
