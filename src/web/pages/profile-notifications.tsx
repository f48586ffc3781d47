import { PlanPrice } from '#features/billing/web/plan-price.tsx';
import { EmailPaused } from '#features/email/web/email-paused.tsx';
import { NotificationSettings } from '#features/notifications/web/notification-settings.tsx';
import { PushSwitch } from '#features/push/web/push-switch.tsx';
import { PLAN_LIMITS, type Subscription } from '#features/subscriptions/contract.ts';
import { planOf } from '#features/subscriptions/web/access.ts';
import { CHANNELS } from '#features/subscriptions/web/channels.ts';
import { TelegramPanel } from '#features/telegram/web/telegram-panel.tsx';
import { WebhooksPart } from '#features/webhooks/web/webhooks-part.tsx';

import { NotificationsOffer } from './notifications-offer.tsx';
import { PhoneOffer } from './phone-offer.tsx';

export type NotificationsProps = { subscription: Subscription };

/** Settings are there on every plan; what they do begins with Pro. */
export function ProfileNotifications({ subscription }: NotificationsProps) {
  const { alerts, webhooks } = PLAN_LIMITS[planOf({ state: 'known', subscription }) ?? 'free'];
  return (
    <NotificationSettings
      ways={CHANNELS}
      hasWebhooks={webhooks}
      push={PushSwitch}
      telegram={<TelegramPanel />}
      webhooks={<WebhooksPart price={<PlanPrice plan="premium" />} />}
      offer={
        <>
          <PhoneOffer />
          <EmailPaused />
          {!alerts && <NotificationsOffer />}
        </>
      }
    />
  );
}
