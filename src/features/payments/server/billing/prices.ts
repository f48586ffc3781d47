import { dailyLimits } from '#features/accounts/server/subscriptions/service.ts';
import type { Billing, BillingEntry, Price, Pricing } from '#features/payments/contract/billing.ts';
import type { Config } from '#kernel/config.ts';
import { UNITS_PER_USD, type Units, unitsToUsd } from '#shared/money.ts';

import { GRACE_MS, type PaidPlan } from './plan-periods.ts';

/** A prepaid term and its discount in hundredths of a percent. */
export type Term = { months: number; discountBp: number };

type Prices = Pick<Config, 'PRO_PRICE_USD' | 'PREMIUM_PRICE_USD' | 'PREPAID_DISCOUNTS' | 'FIRST_MONTH_DISCOUNT'>;

const CENTS = 100;
const WHOLE_BP = 10_000n;

/** List price of one month. */
export function monthlyPrice(config: Prices, plan: PaidPlan): Units {
  const usd = plan === 'pro' ? config.PRO_PRICE_USD : config.PREMIUM_PRICE_USD;
  return (BigInt(Math.round(usd * CENTS)) * UNITS_PER_USD) / BigInt(CENTS);
}

export const prepaidTerms = (config: Prices): readonly Term[] => config.PREPAID_DISCOUNTS;

const applyDiscount = (units: Units, discountBp: number): Units =>
  (units * (WHOLE_BP - BigInt(discountBp)) + WHOLE_BP / 2n) / WHOLE_BP;

/** Rounded half up to the micro-dollar; undefined for terms that are not on sale. */
export function findPrice(config: Prices, plan: PaidPlan, months: number): Units | undefined {
  const term = prepaidTerms(config).find((each) => each.months === months);
  return term && applyDiscount(monthlyPrice(config, plan) * BigInt(months), term.discountBp);
}

/** First-month price for an account that has never paid, while the discount is on. */
export function firstMonthPrice(config: Prices, plan: PaidPlan): Units {
  return applyDiscount(monthlyPrice(config, plan), config.FIRST_MONTH_DISCOUNT * CENTS);
}

const DAY_MS = 86_400_000;
const FREE: Price = { currentPrice: 0, originalPrice: 0, hasDiscount: false, discountPercentage: 0 };

const toNumber = (units: Units) => Number(unitsToUsd(units));

/** Public prices of the plans and their daily limits. */
export function priceList(config: Config): Omit<Pricing, 'methods'> {
  const discount = config.FIRST_MONTH_DISCOUNT;
  const priceFor = (plan: PaidPlan): Price => ({
    currentPrice: toNumber(firstMonthPrice(config, plan)),
    originalPrice: toNumber(monthlyPrice(config, plan)),
    hasDiscount: discount > 0,
    discountPercentage: discount,
  });
  return {
    free: FREE,
    pro: priceFor('pro'),
    premium: priceFor('premium'),
    discountActive: discount > 0,
    terms: prepaidTerms(config).map(({ months, discountBp }) => ({ months, discount: discountBp / 10_000 })),
    trialDays: config.TRIAL_DAYS,
    graceDays: GRACE_MS / DAY_MS,
    comingSoon: config.LAUNCH_COMING_SOON,
    limits: { pro: dailyLimits(config, 'pro'), premium: dailyLimits(config, 'premium') },
  };
}

/** Content of a receipt. */
export type Receipt = {
  /** Sequential per payment method without gaps, such as 'M-C-000123'. */
  number: string;
  at: Date;
  /** Line items with amounts as decimal strings. */
  lines: readonly (readonly [what: string, usd: string])[];
  total: string;
  /** 'Card', 'USDC on Base, transaction 0x…'. */
  paidBy: string;
};

/** A payment method as billing sees it. */
export type PaymentMethod = {
  /** Per method: null when available, otherwise the reason. */
  methods: () => Partial<Record<'card' | 'base' | 'solana', string | null>>;
  entriesOf: (userId: number) => Promise<BillingEntry[]>;
  /** Undefined when the id belongs to another method or another account. */
  findReceipt: (userId: number, id: string) => Promise<Receipt | undefined>;
};

export type CardStanding = NonNullable<Billing['card']>;

/** The card subscription of an account, renewing or about to end; null when there is none. */
export type CardReader = (userId: number) => Promise<CardStanding | null>;
