import type { Config } from '#kernel/config.ts';
import type { Units } from '#shared/money.ts';
import { UNITS_PER_USD } from '#shared/money.ts';

import type { PaidPlan } from './plan-periods.ts';

/** What can be paid at once, and what it is cheaper by, in hundredths of a percent. */
export type Term = { months: number; discountBp: number };

type Prices = Pick<Config, 'PRO_PRICE_USD' | 'PREMIUM_PRICE_USD' | 'PREPAID_DISCOUNTS' | 'FIRST_MONTH_DISCOUNT'>;

const CENTS = 100;
const WHOLE_BP = 10_000n;

/** One month of a plan without any discount. */
export function monthlyPrice(config: Prices, plan: PaidPlan): Units {
  const usd = plan === 'pro' ? config.PRO_PRICE_USD : config.PREMIUM_PRICE_USD;
  return (BigInt(Math.round(usd * CENTS)) * UNITS_PER_USD) / BigInt(CENTS);
}

export const termsOf = (config: Prices): readonly Term[] => config.PREPAID_DISCOUNTS;

const less = (units: Units, discountBp: number): Units =>
  (units * (WHOLE_BP - BigInt(discountBp)) + WHOLE_BP / 2n) / WHOLE_BP;

/** Rounded half up to the micro-dollar; undefined for months that are not sold. */
export function priceOf(config: Prices, plan: PaidPlan, months: number): Units | undefined {
  const term = termsOf(config).find((each) => each.months === months);
  return term && less(monthlyPrice(config, plan) * BigInt(months), term.discountBp);
}

/** The first month of an account that has never paid, while that discount is on. */
export function firstMonthPrice(config: Prices, plan: PaidPlan): Units {
  return less(monthlyPrice(config, plan), config.FIRST_MONTH_DISCOUNT * CENTS);
}
