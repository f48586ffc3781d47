import { PLAN_LIMITS, PLAN_NAMES, type Subscription } from '#features/accounts/contract/subscriptions.ts';
import { planOf } from '#features/accounts/web/subscriptions/access.ts';
import { ApiNotes } from '#features/api/web/api-keys/api-notes.tsx';
import { KeysCard } from '#features/api/web/api-keys/keys-card.tsx';
import { UsageCard } from '#features/api/web/api-keys/usage-card.tsx';
import { useDayLimits } from '#features/payments/web/billing/pricing.ts';
import { type PaidLimits, perDay } from '#shared/day-limits.ts';

import { OfferCard } from './offer-card.tsx';

export type ApiKeysProps = { subscription: Subscription };

/** No number is named before it is known. */
function callsText(limits: PaidLimits | undefined): string {
  if (!limits) return 'API calls, counted for all keys together';
  const [pro, premium] = [limits.pro.apiCallsPerDay, limits.premium.apiCallsPerDay];
  if (premium === pro) return pro === null ? 'API calls without limit' : perDay(pro, 'call');
  const more = premium === null ? 'without limit' : premium.toLocaleString('en-US');
  return pro === null
    ? `API calls without limit, ${more} a day with ${PLAN_NAMES.premium}`
    : `${perDay(pro, 'call')}, ${more} with ${PLAN_NAMES.premium}`;
}

/** Keys of who has them; to others what they would do. */
export function ProfileApiKeys({ subscription }: ApiKeysProps) {
  const has = PLAN_LIMITS[planOf({ state: 'known', subscription }) ?? 'free'].apiKeys;
  return (
    <div className="grid items-start gap-3 lg:grid-cols-2">
      <div className="grid gap-3">{has ? <KeysCard /> : <KeysOffer />}</div>
      <div className="grid gap-3">
        {has && <UsageCard />}
        <ApiNotes />
      </div>
    </div>
  );
}

const KeysOffer = () => (
  <OfferCard
    id="api-keys-offer"
    title="API Keys"
    access="pro"
    holds={[
      callsText(useDayLimits()),
      'Every number with its source and age, as JSON or CSV',
      'A door for AI assistants, with the same keys',
    ]}
  >
    Your own programs read what the screen shows. Keys you had are kept, and work again with Pro and up.
  </OfferCard>
);
