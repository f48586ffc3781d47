import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';

import { useToken } from '#web/session.ts';
import { Card } from '#web/ui/card.tsx';
import { CornerButton } from '#web/ui/corner-button.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { Empty } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';

import type { Event } from '../contract.ts';
import { DeleteEvent } from './delete-event.tsx';
import { EventsTable } from './events-table.tsx';
import { type AdminList, adminEventsQuery } from './queries.ts';

const CARD = { id: 'events', title: 'Events Management', className: 'relative min-h-96' };
const FAILED = 'Failed to fetch events';
const LISTS: Record<'All' | 'Upcoming' | 'Past', AdminList> = { All: 'all', Upcoming: 'upcoming', Past: 'past' };
const CHOICES = ['All', 'Upcoming', 'Past'] as const;

const fits = ({ title }: Event, q: string): boolean => (title ?? '').toLowerCase().includes(q.toLowerCase());

/** Every event that is stored, for administrators. */
export function EventsTab() {
  const queries = useQueryClient();
  const [choice, choose] = useState<(typeof CHOICES)[number]>('All');
  const [q, search] = useState('');
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
