import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Delivery } from '#features/notifications/contract/notifications.ts';
import { CallError } from '#ui/api/client.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { CardFrame } from '#ui/card-frame.tsx';
import { useNow } from '#ui/now.ts';
import { QueryView } from '#ui/query-view.tsx';
import { Empty, ErrorState } from '#ui/states.tsx';
import { zoneWords } from '#ui/zone-field.tsx';
import { ChannelsCard, type PushControl, type Ways } from './channels-card.tsx';
import { EventsCard } from './events-card.tsx';
import { CHANNEL_WORDS, momentIn, outcomeNote, STATE_TONES, STATE_WORDS, tookWords } from './labels.ts';
import { Latency } from './latency.tsx';
import { deliveriesQuery } from './queries.ts';
import { ReachCard } from './reach-card.tsx';
import { TimingCard } from './timing-card.tsx';
import { usePreferences } from './use-preferences.ts';

const CARD = { id: 'deliveries', title: 'Delivery Log', className: 'min-h-56' };
const MINUTE_MS = 60_000;
const FAILED = 'Failed to load your deliveries';

type Props = { token: string | null; timeZone: string };

/** Deliveries to the user, with outcome and latency. */
function LogCard({ token, timeZone }: Props) {
  const query = useInfiniteQuery(deliveriesQuery(token));
  const { isFetchNextPageError, isFetchingNextPage, hasNextPage } = query;
  return (
    <QueryView query={query} card={CARD} failed={FAILED}>
      {({ pages }) => {
        const deliveries = pages.flat();
        return (
          <Card {...CARD} note={<span className="label">Last 30 days · {zoneWords(timeZone)}</span>}>
            {deliveries.length === 0 ? (
              <Empty title="Nothing sent yet" note="Everything sent to you appears here with its delivery time." />
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
                  {isFetchingNextPage ? 'Loading more' : 'Older'}
                </Button>
                {isFetchNextPageError && (
                  <p role="alert" className="text-sm font-medium text-down">
                    Couldn’t load older deliveries. Please try again.
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

export type NotificationSettingsProps = {
  ways: Ways;
  hasWebhooks: boolean;
  push?: PushControl;
  /** A card that connects the chat. */
  telegram?: ReactNode;
  /** A card for webhooks, or for users without access to them. */
  webhooks?: ReactNode;
  /** Shown at the top when the plan has no notifications. */
  offer?: ReactNode;
};

const FRAME = { id: 'notifications', title: 'Notifications', className: 'min-h-96' };
const SIGN_IN = 'Authentication required. Please log in to access notification settings.';
const UNAUTHENTICATED = 401;

/** Which notifications a user gets, how and when, and a log of deliveries. Every change is saved immediately. */
export function NotificationSettings({
  ways,
  hasWebhooks,
  push,
  telegram,
  webhooks,
  offer,
}: NotificationSettingsProps) {
  const { token, query, shown, saving, change } = usePreferences();
  const { error } = query;
  if (token === null || (!shown && error instanceof CallError && error.status === UNAUTHENTICATED))
    return (
      <CardFrame {...FRAME}>
        <div role="alert" className="flex flex-1 flex-col items-center justify-center pb-8">
          <Empty title={SIGN_IN} />
          <ButtonLink to="/app?auth=login" className="h-10 px-4">
            Sign In
          </ButtonLink>
        </div>
      </CardFrame>
    );
  if (!shown)
    return (
      <CardFrame {...FRAME}>
        {error ? (
          <ErrorState
            message="Failed to load notification preferences"
            detail={error.message}
            onRetry={() => void query.refetch()}
          />
        ) : undefined}
      </CardFrame>
    );
  const { timeZone } = shown.notificationPreferences;
  return (
    <div className="grid gap-3">
      {offer}
      <output className="label block">{saving ? 'Saving…' : 'Changes are saved automatically.'}</output>
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <div className="grid min-w-0 gap-3">
          <ChannelsCard preferences={shown} onChange={change} ways={ways} push={push} />
          {telegram}
          <EventsCard preferences={shown} onChange={change} ways={ways} />
        </div>
        <div className="grid min-w-0 gap-3">
          <ReachCard preferences={shown} onChange={change} hasWebhooks={hasWebhooks} />
          <TimingCard preferences={shown} onChange={change} />
        </div>
      </div>
      {webhooks}
      <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <LogCard token={token} timeZone={timeZone} />
        <Card id="latency" title="Delivery Speed">
          <div className="px-4 pb-4">
            <Latency />
          </div>
        </Card>
      </div>
    </div>
  );
}
