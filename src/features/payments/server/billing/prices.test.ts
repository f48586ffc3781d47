import fc from 'fast-check';
import { expect, test } from 'vitest';

import { loadConfig } from '#kernel/config.ts';
import { unitsToUsd } from '#shared/money.ts';

import { RUNS } from '#tests/support/grants.ts';
import { findPrice, firstMonthPrice, monthlyPrice, prepaidTerms } from './prices.ts';

const config = loadConfig({});
const WHOLE = 10_000n;

test('defaults: 1, 3, 6 and 12 months at 0, 5, 10 and 20 percent', () => {
  expect(prepaidTerms(config).map(({ months }) => unitsToUsd(findPrice(config, 'pro', months) ?? 0n))).toEqual([
    '29.99',
    '85.4715',
    '161.946',
    '287.904',
  ]);
  expect(prepaidTerms(config).map(({ months }) => unitsToUsd(findPrice(config, 'premium', months) ?? 0n))).toEqual([
    '99.00',
    '282.15',
    '534.60',
    '950.40',
  ]);
  expect([unitsToUsd(firstMonthPrice(config, 'pro')), unitsToUsd(monthlyPrice(config, 'premium'))]).toEqual([
    '29.99',
    '99.00',
  ]);
});

test.each([0, 2, 7, 24, -1, 1.5])('%s months are not for sale', (months) => {
  expect(findPrice(config, 'pro', months)).toBeUndefined();
});

test('any price, months and percent: exact to half a micro-dollar, and never above the full price', () => {
  const cents = fc.integer({ min: 50, max: 10_000_000 });
  const term = fc.record({ months: fc.integer({ min: 1, max: 36 }), discountBp: fc.nat(99).map((each) => each * 100) });
  fc.assert(
    fc.property(cents, term, fc.nat(90), (price, given, first) => {
      const prices = {
        PRO_PRICE_USD: price / 100,
        PREMIUM_PRICE_USD: 99,
        PREPAID_DISCOUNTS: [given],
        FIRST_MONTH_DISCOUNT: first,
      };
      const monthly = monthlyPrice(prices, 'pro');
      expect(monthly).toBe(BigInt(price) * 10_000n);
      const full = monthly * BigInt(given.months);
      const asked = findPrice(prices, 'pro', given.months) as bigint;
      const error = asked * WHOLE - full * (WHOLE - BigInt(given.discountBp));
      expect(asked <= full && asked > 0n && error <= WHOLE / 2n && error > -WHOLE / 2n).toBe(true);
      expect(firstMonthPrice(prices, 'pro')).toBe((monthly * BigInt(100 - first)) / 100n);
    }),
    RUNS,
  );
});
