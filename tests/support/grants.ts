import fc from 'fast-check';
import { GRACE_MS, type Grant, type PaidPlan, type Period } from '#features/payments/server/billing/plan-periods.ts';
import { addGrant, type NewGrant, post, revokeGrant } from '#features/payments/server/billing/service.ts';

import type { Person } from './people.ts';
import type { Started } from './start.ts';

// Test files of a worker share this count, and grants of the same time are ordered by their source: '10' must follow
// '9'.
let count = 0;

/** Grants a plan like a payment; 'wallet:…' by default. Returns its source. */
export async function grantTo(s: Started, { id }: Pick<Person, 'id'>, change: Partial<NewGrant> = {}): Promise<string> {
  const ctx = s.product.billing;
  const at = s.clock.now();
  count += 1;
  const grant: NewGrant = {
    source: `wallet:pay_${String(count).padStart(4, '0')}:1`,
    userId: id,
    plan: 'pro',
    months: 1,
    days: 0,
    goodAt: at,
    units: 29_990_000n,
    at,
    createdBy: null,
    note: '',
    ...change,
  };
  await ctx.db.transaction().execute((tx) => addGrant(ctx, tx, grant));
  return grant.source;
}

export async function takeBack(s: Started, { id }: Pick<Person, 'id'>, source: string): Promise<boolean> {
  const ctx = s.product.billing;
  const revocation = { source, userId: id, at: s.clock.now(), reason: 'reorg' };
  return ctx.db.transaction().execute((tx) => revokeGrant(ctx, tx, revocation));
}

/** Credit of a user, as from a gift or an overpayment. */
export async function creditTo(s: Started, { id }: Pick<Person, 'id'>, units: bigint): Promise<void> {
  count += 1;
  const lines = [['goodwill', units] as const, [`credit:${id}`, -units] as const];
  await post(s.product.billing.db, {
    key: `admin:${count}:${id}`,
    at: s.clock.now(),
    about: '',
    createdBy: null,
    lines,
  });
}

export const DAY_MS = 86_400_000;
export const JANUARY = Date.UTC(2026, 0, 1);
export const RUNS = { numRuns: Number(process.env['RUNS'] ?? 1000) };

/** Sometimes whole days, so that ends and purchases coincide to the millisecond. */
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

/** Grants from both payment methods, trials and gifts. */
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

/**
 * The access of an account, derived from its periods alone: the current plan, else the one that ended last within its
 * grace period.
 */
export function answerAt(periods: readonly Period[], at: number): Answer {
  const counting = periods.filter(({ start, cut }) => cut > start);
  const running = counting.find(({ start, cut }) => start <= at && at < cut);
  if (running) return { plan: running.plan, isGrace: false };
  const newest = Math.max(...counting.map(({ cut }) => cut).filter((cut) => cut <= at));
  const last = counting.find(({ cut }) => cut === newest);
  if (last && !last.isTrial && at < last.end + GRACE_MS) return { plan: last.plan, isGrace: true };
  return { plan: 'free', isGrace: false };
}
