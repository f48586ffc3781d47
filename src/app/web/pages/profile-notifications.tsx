import { useQuery } from '@tanstack/react-query';
import { PLAN_LIMITS, type Subscription } from '#features/accounts/contract/subscriptions.ts';
import { accountPlan } from '#features/accounts/web/subscriptions/access.ts';
import { CHANNELS } from '#features/accounts/web/subscriptions/channels.ts';
import { EmailPaused } from '#features/notifications/web/email/email-paused.tsx';
import { NotificationSettings } from '#features/notifications/web/notifications/notification-settings.tsx';
import { PushSwitch } from '#features/notifications/web/push/push-switch.tsx';
import { TelegramPanel } from '#features/notifications/web/telegram/telegram-panel.tsx';
import { WebhooksPart } from '#features/notifications/web/webhooks/webhooks-part.tsx';
import { PlanPrice } from '#features/payments/web/billing/plan-price.tsx';
import { dashboardQuery } from '#features/site/web/dashboard/queries.ts';
import { TEXT_LINK } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { OfferCard } from './offer-card.tsx';

/** Demo mode: links to the page that shows what is sent. */
function PhoneOffer() {
  const { data } = useQuery(dashboardQuery);
  if (data?.dataMode !== 'demo') return null;
  return (
    <p className="text-sm text-ink-2">
      Demo mode sends no email, push or Telegram messages:{' '}
      <Link to="/app/phone" className={TEXT_LINK}>
        open the simulated phone
      </Link>
    </p>
  );
}

/** Above the settings on plans without notifications. */
const NotificationsOffer = () => (
  <OfferCard
    id="notifications-offer"
    title="Notifications"
    access="pro"
    holds={[
      'Market and custom alerts by email, push and Telegram',
      'Reminders ahead of macro and crypto events',
      'Quiet hours, a digest, and a delivery log with timings',
    ]}
  >
    Your settings are saved and take effect with Pro and up. Product news is sent on every plan.
  </OfferCard>
);

export type NotificationsProps = { subscription: Subscription };

/** Settings are available on every plan; they take effect from Pro. */
export function ProfileNotifications({ subscription }: NotificationsProps) {
  const { alerts, webhooks } = PLAN_LIMITS[accountPlan({ state: 'known', subscription }) ?? 'free'];
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
