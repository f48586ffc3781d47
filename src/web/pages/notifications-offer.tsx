import { OfferCard } from './offer-card.tsx';

/** Above the settings of who gets no notifications with their plan. */
export const NotificationsOffer = () => (
  <OfferCard
    id="notifications-offer"
    title="Notifications"
    access="pro"
    holds={[
      'Market alerts and your own rules by email, push and Telegram',
      'Reminders before macro and crypto events',
      'Quiet hours, a digest, and a log of what was sent and how long it took',
    ]}
  >
    What you choose here is kept. It acts with Pro and up; product news reaches every plan.
  </OfferCard>
);
