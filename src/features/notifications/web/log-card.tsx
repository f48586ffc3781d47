import { useInfiniteQuery } from '@tanstack/react-query';

import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { useNow } from '#web/ui/now.ts';
import { QueryView } from '#web/ui/query-view.tsx';
import { Empty } from '#web/ui/states.tsx';
import { zoneWords } from '#web/ui/zone-field.tsx';

import type { Delivery } from '../contract.ts';
import { deliveriesQuery } from './queries.ts';
import { CHANNEL_WORDS, momentIn, outcomeNote, STATE_TONES, STATE_WORDS, tookWords } from './words.ts';

const CARD = { id: 'deliveries', title: 'Delivery log', className: 'min-h-56' };
const MINUTE_MS = 60_000;
const FAILED = 'Failed to load your deliveries';

type Props = { token: string | null; timeZone: string };

/** What was sent to the reader, how it went and how long it took. */
export function LogCard({ token, timeZone }: Props) {
  const query = useInfiniteQuery(deliveriesQuery(token));
  const { isFetchNextPageError, isFetchingNextPage, hasNextPage } = query;
  return (
    <QueryView query={query} card={CARD} failed={FAILED}>
      {({ pages }) => {
        const deliveries = pages.flat();
        return (
          <Card {...CARD} note={<span className="label">kept for 30 days · times are {zoneWords(timeZone)}</span>}>
            {deliveries.length === 0 ? (
              <Empty title="Nothing was sent yet" note="What goes out to you is listed here with how long it took." />
            ) : (
              <ul aria-label="Deliveries">
                {deliveries.map((delivery) => (
                  <Item key={delivery.id} delivery={delivery} timeZone={timeZone} />
                ))}
              </ul>
            )}
            {hasNextPage && (
              <div className="flex flex-wrap items-center gap-3 border-t border-line px-4 py-3">
                <Button
                  aria-disabled={isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                  className="max-sm:h-10"
                >
                  {isFetchingNextPage ? 'Loading older ones' : 'Older'}
                </Button>
                {isFetchNextPageError && (
                  <p role="alert" className="text-sm font-medium text-down">
                    The older ones could not be loaded. Please try again.
                  </p>
                )}
              </div>
            )}
          </Card>
        );
      }}
    </QueryView>
  );
}

function Item({ delivery, timeZone }: { delivery: Delivery; timeZone: string }) {
  const { title, channel, severity, state, queuedAt, latencyMs } = delivery;
  const note = outcomeNote(delivery, timeZone, useNow(MINUTE_MS));
  return (
    <li className="flex items-start gap-3 border-t border-line px-4 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="text-sm font-medium [overflow-wrap:anywhere]">{title}</p>
        <p className="label num mt-0.5">
          {[CHANNEL_WORDS[channel], `${severity} severity`, momentIn(queuedAt, timeZone)].join(' · ')}
        </p>
        {note && <p className="label [overflow-wrap:anywhere]">{note}</p>}
      </div>
      <div className="grid shrink-0 justify-items-end gap-1">
        <Badge tone={STATE_TONES[state]}>{STATE_WORDS[state]}</Badge>
        {latencyMs !== null && <span className="label num">after {tookWords(latencyMs)}</span>}
      </div>
    </li>
  );
}
