import { dayLimitsOf } from '#features/accounts/server/subscriptions/service.ts';
import type { Price, Pricing } from '#features/payments/contract/billing.ts';
import type { Config } from '#kernel/config.ts';
import { type Units, usdOf } from '#shared/money.ts';
import { GRACE_MS, type PaidPlan } from './plan-periods.ts';
import { firstMonthPrice, monthlyPrice, termsOf } from './prices.ts';

const DAY_MS = 86_400_000;
const FREE: Price = { currentPrice: 0, originalPrice: 0, hasDiscount: false, discountPercentage: 0 };

const numberOf = (units: Units) => Number(usdOf(units));

/** What plans cost whoever asks, and what they allow in a day. */
export function priceList(config: Config): Omit<Pricing, 'methods'> {
  const discount = config.FIRST_MONTH_DISCOUNT;
  const priceFor = (plan: PaidPlan): Price => ({
    currentPrice: numberOf(firstMonthPrice(config, plan)),
    originalPrice: numberOf(monthlyPrice(config, plan)),
    hasDiscount: discount > 0,
    discountPercentage: discount,
  });
  return {
    free: FREE,
    pro: priceFor('pro'),
    premium: priceFor('premium'),
    discountActive: discount > 0,
    terms: termsOf(config).map(({ months, discountBp }) => ({ months, discount: discountBp / 10_000 })),
    trialDays: config.TRIAL_DAYS,
    graceDays: GRACE_MS / DAY_MS,
    comingSoon: config.LAUNCH_COMING_SOON,
    limits: { pro: dayLimitsOf(config, 'pro'), premium: dayLimitsOf(config, 'premium') },
  };
}
