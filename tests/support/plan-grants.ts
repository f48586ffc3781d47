import fc from 'fast-check';

import { GRACE_MS, type Grant, type PaidPlan, type Period } from '#features/payments/server/billing/plan-periods.ts';

export const DAY_MS = 86_400_000;
export const JANUARY = Date.UTC(2026, 0, 1);
export const RUNS = { numRuns: Number(process.env['RUNS'] ?? 1000) };

/** Whole days now and then, so that ends and purchases meet to the millisecond. */
export const moment = fc.oneof(
  fc.integer({ min: JANUARY, max: JANUARY + 500 * DAY_MS }),
  fc.nat(200).map((days) => JANUARY + days * DAY_MS),
);
export const months = fc.constantFrom(1, 3, 6, 12);
const length = fc.oneof(
  { weight: 5, arbitrary: months.map((each) => ({ months: each, days: 0 })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 14 }).map((days) => ({ months: 0, days })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 14 }).map((days) => ({ months: 1, days })) },
);

export const grantOf = (change: Partial<Omit<Grant, 'goodAt'>> & { at: number }): Grant => {
  const { at, ...given } = change;
  return { source: 'a', plan: 'pro', months: 1, days: 0, units: 29_990_000n, goodAt: new Date(at), ...given };
};

/** Grants as both ways to pay, trials and gifts make them. */
export const grants: fc.Arbitrary<Grant[]> = fc
  .array(
    fc.record({
      way: fc.constantFrom('stripe:invoice', 'wallet', 'admin'),
      plan: fc.constantFrom<PaidPlan>('pro', 'premium'),
      length,
      at: moment,
      units: fc.bigInt({ min: 0n, max: 2_000_000_000n }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((list) =>
    list.map((each, i) =>
      grantOf({ source: `${each.way}:${i}`, plan: each.plan, ...each.length, at: each.at, units: each.units }),
    ),
  );

export const inOrder = (list: readonly Grant[]): Grant[] =>
  list.toSorted((a, b) => a.goodAt.getTime() - b.goodAt.getTime() || (a.source < b.source ? -1 : 1));

export type Answer = { plan: PaidPlan | 'free'; isGrace: boolean };

/** What an account may do, read off its periods alone: the plan that runs, else that of the newest end within its grace. */
export function answerAt(periods: readonly Period[], at: number): Answer {
  const counting = periods.filter(({ start, cut }) => cut > start);
  const running = counting.find(({ start, cut }) => start <= at && at < cut);
  if (running) return { plan: running.plan, isGrace: false };
  const newest = Math.max(...counting.map(({ cut }) => cut).filter((cut) => cut <= at));
  const last = counting.find(({ cut }) => cut === newest);
  if (last && !last.isTrial && at < last.end + GRACE_MS) return { plan: last.plan, isGrace: true };
  return { plan: 'free', isGrace: false };
}
