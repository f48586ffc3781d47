import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';

import { useToken } from '#web/session.ts';
import { Card } from '#web/ui/card.tsx';
import { CornerButton } from '#web/ui/corner-button.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { Empty } from '#web/ui/states.tsx';

import { CHANNELS } from '../contract.ts';
import { FailedTable } from './failed-table.tsx';
import { failedDeliveriesQuery } from './queries.ts';
import { CHANNEL_WORDS } from './words.ts';

const CARD = { id: 'failed-deliveries', title: 'Failed deliveries', className: 'relative min-h-96' };
const FAILED = 'Failed to load admin data';
const ALL = 'All';
const CHOICES = [ALL, ...CHANNELS.map((channel) => CHANNEL_WORDS[channel])];

const countWords = (shown: number, total: number) =>
  shown < total
    ? `newest ${shown} of ${total.toLocaleString('en-US')}`
    : `${total} failed ${total === 1 ? 'delivery' : 'deliveries'}`;

/** What could not be delivered to anybody, for administrators. */
export function FailedTab() {
  const queries = useQueryClient();
  const [choice, choose] = useState(ALL);
  const [round, setRound] = useState(0);
  const channel = CHANNELS.find((each) => CHANNEL_WORDS[each] === choice) ?? null;
  const query = useQuery(failedDeliveriesQuery(useToken(), channel));
  return (
    <Card
      {...CARD}
      note={
        query.data && (
          <output className="label num">{countWords(query.data.deliveries.length, query.data.total)}</output>
        )
      }
    >
      <CornerButton
        onClick={() => {
          void queries.resetQueries({ queryKey: ['failed-deliveries'] });
          setRound(round + 1);
        }}
      >
        <RotateCw className="size-3.5" aria-hidden="true" />
        Refresh
      </CornerButton>
      <div className="grid gap-3 px-4 pt-1 pb-3">
        <p className="text-sm text-ink-2">
          Tried until its tries were used up, or refused for good by the channel. Kept for 30 days; Retry begins anew.
        </p>
        <div>
          <Segmented label="Channel" value={choice} options={CHOICES} onChange={choose} />
        </div>
      </div>
      <QueryView
        query={query}
        failed={FAILED}
        loading={<Loading />}
        isEmpty={({ deliveries }) => deliveries.length === 0}
        empty={
          <Empty
            title="No failed deliveries"
            note={channel ? `None by ${CHANNEL_WORDS[channel]}.` : 'Whatever cannot be delivered appears here.'}
          />
        }
      >
        {({ deliveries }) => <FailedTable key={`${round} ${choice}`} deliveries={deliveries} />}
      </QueryView>
    </Card>
  );
}

function Loading() {
  return (
    <div className="grid gap-3 px-4 py-3">
      <output className="sr-only">Loading failed deliveries</output>
      <div className="skel h-8" aria-hidden="true" />
      <div className="skel h-8" aria-hidden="true" />
      <div className="skel h-8" aria-hidden="true" />
    </div>
  );
}
