import { NotificationSettings } from '#features/notifications/web/notification-settings.tsx';
import { PLAN_LIMITS, type Subscription } from '#features/subscriptions/contract.ts';
import { planOf } from '#features/subscriptions/web/access.ts';
import { CHANNELS } from '#features/subscriptions/web/channels.ts';

import { NotificationsOffer, WebhooksOffer } from './notifications-offer.tsx';

export type NotificationsProps = { subscription: Subscription };

/** Settings are there on every plan; what they do begins with Pro. */
export function ProfileNotifications({ subscription }: NotificationsProps) {
  const { alerts, webhooks } = PLAN_LIMITS[planOf({ state: 'known', subscription }) ?? 'free'];
  return (
    <NotificationSettings
      ways={CHANNELS}
      hasWebhooks={webhooks}
      offer={!alerts && <NotificationsOffer />}
      webhooks={!webhooks && <WebhooksOffer />}
    />
  );
}
