import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { latestFacts, readPlanStatus } from '#features/accounts/server/subscriptions/service.ts';
import type { Pricing, RenewalInfo } from '#features/payments/contract/billing.ts';
import type { Caller } from '#kernel/route.ts';
import { type Units, unitsToUsd } from '#shared/money.ts';
import type { BillingContext } from '../context.ts';
import type { PaidPlan } from '../plan-periods.ts';
import { findPrice, prepaidTerms, priceList } from '../prices.ts';
import { COMING_SOON } from './trial.ts';

const toNumber = (units: Units) => Number(unitsToUsd(units));

/** Why a payment method is unavailable, as shown to users; null when it is available. */
function availableMethods({ config, ways }: BillingContext): Pricing['methods'] {
  const named = Object.assign({}, ...ways.map((way) => way.methods())) as Partial<Pricing['methods']>;
  const usdc = (network: 'base' | 'solana', name: string) => {
    if (!config.CRYPTO_PAYMENTS) return 'USDC payments are turned off.';
    return named[network] === undefined ? `USDC payments on ${name} are not set up.` : named[network];
  };
  if (config.LAUNCH_COMING_SOON) return { card: COMING_SOON, base: COMING_SOON, solana: COMING_SOON };
  return {
    card: named.card === undefined ? 'Card payments are not set up.' : named.card,
    base: usdc('base', 'Base'),
    solana: usdc('solana', 'Solana'),
  };
}

/** Public prices and the payment methods available. */
export function readPricing(ctx: BillingContext): Pricing {
  return { ...priceList(ctx.config), methods: availableMethods(ctx) };
}

/** Renewal price of the plan that is running or has ended. */
export async function readRenewalInfo(ctx: BillingContext, { userId }: Caller): Promise<RenewalInfo> {
  const plan = await planToRenew(ctx, userId);
  const renewalOptions = prepaidTerms(ctx.config).map(({ months, discountBp }) => ({
    months,
    price: toNumber(findPrice(ctx.config, plan, months) as Units),
    discount: discountBp / 10_000,
  }));
  return { planName: PLAN_NAMES[plan], expiredPlan: plan, renewalOptions };
}

async function planToRenew({ db, now }: BillingContext, userId: number): Promise<PaidPlan> {
  const { plan } = await readPlanStatus(db, userId, now());
  if (plan !== 'free') return plan;
  const ended = (await latestFacts(db, userId))
    .filter((fact) => fact.endsAt !== null && fact.plan !== 'free')
    .toSorted((a, b) => (b.endsAt?.getTime() ?? 0) - (a.endsAt?.getTime() ?? 0));
  return ended[0]?.plan === 'premium' ? 'premium' : 'pro';
}
