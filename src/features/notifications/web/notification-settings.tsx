import type { ReactNode } from 'react';

import { CallError } from '#web/api/client.ts';
import { ButtonLink } from '#web/ui/button-link.tsx';
import { Card } from '#web/ui/card.tsx';
import { CardFrame } from '#web/ui/card-frame.tsx';
import { Empty, ErrorState } from '#web/ui/states.tsx';

import { ChannelsCard, type PushControl, type Ways } from './channels-card.tsx';
import { EventsCard } from './events-card.tsx';
import { Latency } from './latency.tsx';
import { LogCard } from './log-card.tsx';
import { ReachCard } from './reach-card.tsx';
import { TimingCard } from './timing-card.tsx';
import { usePreferences } from './use-preferences.ts';

export type NotificationSettingsProps = {
  ways: Ways;
  hasWebhooks: boolean;
  push?: PushControl;
  /** Connects the chat; a card. */
  telegram?: ReactNode;
  /** Where webhooks are made, or what is said to who has none; a card. */
  webhooks?: ReactNode;
  /** Stands above, for who gets no notifications with their plan. */
  offer?: ReactNode;
};

const FRAME = { id: 'notifications', title: 'Notifications', className: 'min-h-96' };
const SIGN_IN = 'Authentication required. Please log in to access notification settings.';
const UNAUTHENTICATED = 401;

/** Which news reach a person, how and when, and what became of them. Every change is saved as it is made. */
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
      <output className="label block">{saving ? 'Saving…' : 'Changes are saved as you make them.'}</output>
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
        <Card id="latency" title="How fast it is">
          <div className="px-4 pb-4">
            <Latency />
          </div>
        </Card>
      </div>
    </div>
  );
}
