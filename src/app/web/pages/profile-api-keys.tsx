import { useQuery } from '@tanstack/react-query';
import { PLAN_LIMITS, PLAN_NAMES, type Subscription } from '#features/accounts/contract/subscriptions.ts';
import { accountPlan } from '#features/accounts/web/subscriptions/access.ts';
import { ApiNotes, KeysCard } from '#features/api/web/api-keys/keys-card.tsx';
import { keysQuery } from '#features/api/web/api-keys/queries.ts';
import { UsageCard } from '#features/api/web/api-keys/usage-card.tsx';
import { useDayLimits } from '#features/payments/web/billing/pricing.ts';
import { type PaidLimits, perDay } from '#shared/day-limits.ts';
import { grouped } from '#shared/format.ts';
import { useToken } from '#ui/session.ts';
import { OfferCard } from './offer-card.tsx';

export type ApiKeysProps = { subscription: Subscription };

/** No limit is shown before it is known. */
function callsText(limits: PaidLimits | undefined): string {
  if (!limits) return 'API calls, across all keys';
  const [pro, premium] = [limits.pro.apiCallsPerDay, limits.premium.apiCallsPerDay];
  if (premium === pro) return pro === null ? 'Unlimited API calls' : perDay(pro, 'call');
  const more = premium === null ? 'unlimited' : grouped(premium);
  return pro === null
    ? `Unlimited API calls, ${more} a day with ${PLAN_NAMES.premium}`
    : `${perDay(pro, 'call')}, ${more} with ${PLAN_NAMES.premium}`;
}

/** API keys for plans that include them, else their description. */
export function ProfileApiKeys({ subscription }: ApiKeysProps) {
  const has = PLAN_LIMITS[accountPlan({ state: 'known', subscription }) ?? 'free'].apiKeys;
  const { data: keys } = useQuery({ ...keysQuery(useToken()), enabled: has });
  return (
    <div className="grid items-start gap-3 lg:grid-cols-2">
      <div className="grid gap-3">{has ? <KeysCard /> : <KeysOffer />}</div>
      <div className="grid gap-3">
        {has && <UsageCard />}
        <ApiNotes isEmpty={keys?.length === 0} />
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
      'Every number with source and age, as JSON or CSV',
      'MCP server for AI assistants, using the same keys',
    ]}
  >
    Access the same data from your own applications. Existing keys resume with Pro and up.
  </OfferCard>
);
