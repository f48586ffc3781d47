import type { PaidPlan } from '#features/payments/contract/billing.ts';
import { usd } from './price-text.ts';
import { usePricing } from './pricing.ts';

/** '$29.99/month', with its space reserved in the offer. */
export function PlanPrice({ plan }: { plan: PaidPlan }) {
  const { pricing, isReading } = usePricing();
  if (isReading) return <>&nbsp;</>;
  const { currentPrice, hasDiscount } = pricing[plan];
  return (
    <>
      {usd(currentPrice)}
      {hasDiscount ? ' for the first month' : '/month'}
      {pricing.comingSoon && ', coming soon'}
    </>
  );
}
