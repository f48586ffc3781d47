import fc from 'fast-check';
import { GRACE_MS, type Grant, type PaidPlan, type Period } from '#features/payments/server/billing/plan-periods.ts';
import { addGrant, type NewGrant, post, revokeGrant } from '#features/payments/server/billing/service.ts';

import type { TestUser } from './people.ts';
import type { TestProduct } from './start.ts';

// Test files of a worker share this count, and grants of the same time are ordered by their source: '10' must follow
// '9'.
let created = 0;

/** Grants a plan like a payment; 'wallet:…' by default. Returns its source. */
export async function insertGrant(
  s: TestProduct,
  { id }: Pick<TestUser, 'id'>,
  overrides: Partial<NewGrant> = {},
): Promise<string> {
  const ctx = s.product.billing;
  const at = s.clock.now();
  created += 1;
  const grant: NewGrant = {
    source: `wallet:pay_${String(created).padStart(4, '0')}:1`,
    userId: id,
    plan: 'pro',
    months: 1,
    days: 0,
    goodAt: at,
    units: 29_990_000n,
    at,
    createdBy: null,
    note: '',
    ...overrides,
  };
  await ctx.db.transaction().execute((tx) => addGrant(ctx, tx, grant));
  return grant.source;
}

export async function undoGrant(s: TestProduct, { id }: Pick<TestUser, 'id'>, source: string): Promise<boolean> {
  const ctx = s.product.billing;
  const revocation = { source, userId: id, at: s.clock.now(), reason: 'reorg' };
  return ctx.db.transaction().execute((tx) => revokeGrant(ctx, tx, revocation));
}

/** Credit of a user, as from a gift or an overpayment. */
export async function addCredit(s: TestProduct, { id }: Pick<TestUser, 'id'>, units: bigint): Promise<void> {
  created += 1;
  const lines = [['goodwill', units] as const, [`credit:${id}`, -units] as const];
  await post(s.product.billing.db, {
    key: `admin:${created}:${id}`,
    at: s.clock.now(),
    about: '',
    createdBy: null,
    lines,
  });
}

export const DAY_MS = 86_400_000;
export const JANUARY_FIRST = Date.UTC(2026, 0, 1);
export const RUNS = { numRuns: Number(process.env['RUNS'] ?? 1000) };

/** Sometimes whole days, so that ends and purchases coincide to the millisecond. */
export const moment = fc.oneof(
  fc.integer({ min: JANUARY_FIRST, max: JANUARY_FIRST + 500 * DAY_MS }),
  fc.nat(200).map((days) => JANUARY_FIRST + days * DAY_MS),
);
export const months = fc.constantFrom(1, 3, 6, 12);
const length = fc.oneof(
  { weight: 5, arbitrary: months.map((each) => ({ months: each, days: 0 })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 14 }).map((days) => ({ months: 0, days })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 14 }).map((days) => ({ months: 1, days })) },
);

export const createGrant = (overrides: Partial<Omit<Grant, 'goodAt'>> & { at: number }): Grant => {
  const { at, ...rest } = overrides;
  return { source: 'a', plan: 'pro', months: 1, days: 0, units: 29_990_000n, goodAt: new Date(at), ...rest };
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
      createGrant({ source: `${each.way}:${i}`, plan: each.plan, ...each.length, at: each.at, units: each.units }),
    ),
  );

export const sortGrants = (list: readonly Grant[]): Grant[] =>
  list.toSorted((a, b) => a.goodAt.getTime() - b.goodAt.getTime() || (a.source < b.source ? -1 : 1));

export type ExpectedPlan = { plan: PaidPlan | 'free'; isGrace: boolean };

/**
 * The access of an account, derived from its periods alone: the current plan, else the one that ended last within its
 * grace period.
 */
export function expectedPlanAt(periods: readonly Period[], at: number): ExpectedPlan {
  const effective = periods.filter(({ start, cut }) => cut > start);
  const active = effective.find(({ start, cut }) => start <= at && at < cut);
  if (active) return { plan: active.plan, isGrace: false };
  const newest = Math.max(...effective.map(({ cut }) => cut).filter((cut) => cut <= at));
  const last = effective.find(({ cut }) => cut === newest);
  if (last && !last.isTrial && at < last.end + GRACE_MS) return { plan: last.plan, isGrace: true };
  return { plan: 'free', isGrace: false };
}
