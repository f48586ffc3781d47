import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type Fact, planStatusAt } from './store.ts';

const DAY_MS = 86_400_000;
const NOON = new Date('2026-11-20T12:00:00Z');
const after = (days: number) => new Date(NOON.getTime() + days * DAY_MS);
let id = 0;
const fact = (change: Partial<Fact>): Fact => ({
  id: ++id,
  source: 'admin',
  plan: 'pro',
  startsAt: after(-10),
  endsAt: null,
  ...change,
});

const RANK = { free: 0, pro: 1, premium: 2 };
const facts = fc
  .array(
    fc.record({
      source: fc.constantFrom('admin', 'card', 'usdc', 'trial'),
      plan: fc.constantFrom('free' as const, 'pro' as const, 'premium' as const),
      startsAt: fc.integer({ min: -60, max: 60 }).map(after),
      endsAt: fc.option(fc.integer({ min: -60, max: 90 }).map(after)),
    }),
    { maxLength: 12 },
  )
  .map((list) => list.map((each, i): Fact => ({ id: i + 1, ...each })));

describe('the plan derived from an account’s facts', () => {
  test('without facts is free, with nothing expired', () => {
    expect(planStatusAt([], NOON)).toEqual({
      plan: 'free',
      status: 'none',
      currentPeriodEnd: null,
      expiredAt: null,
      daysUntilExpiry: null,
      needsRenewal: false,
      holdsUntil: null,
    });
  });

  test('the best active plan wins; the newest fact of a source replaces its older ones', () => {
    expect(planStatusAt([fact({}), fact({ source: 'card', plan: 'premium' })], NOON).plan).toBe('premium');
    expect(planStatusAt([fact({ plan: 'premium' }), fact({ plan: 'free' })], NOON)).toMatchObject({
      plan: 'free',
      status: 'none',
    });
  });

  test.each([
    [8, 8, false],
    [7, 7, true],
    [0.5, 1, true],
  ])('%s days before it ends, reports %s days and renewal due: %s', (days, said, due) => {
    expect(planStatusAt([fact({ endsAt: after(days) })], NOON)).toMatchObject({
      plan: 'pro',
      status: 'active',
      currentPeriodEnd: after(days),
      daysUntilExpiry: said,
      needsRenewal: due,
      holdsUntil: after(days),
    });
  });

  test.each([
    [7, false],
    [3, false],
    [2, true],
  ])('%s days before a trial ends, renewal is due: %s', (days, due) => {
    const trial = fact({ source: 'grant:trial:7', startsAt: after(days - 7), endsAt: after(days) });
    expect(planStatusAt([trial], NOON)).toMatchObject({ status: 'active', daysUntilExpiry: days, needsRenewal: due });
  });

  test('an expired trial leaves no paid plan to win back', () => {
    const trial = fact({ source: 'grant:trial:7', endsAt: NOON });
    expect(planStatusAt([trial], NOON)).toMatchObject({
      plan: 'free',
      status: 'none',
      expiredAt: null,
      needsRenewal: false,
    });
  });

  test('falls back to free exactly when the plan ends, and reports since when', () => {
    expect(planStatusAt([fact({ endsAt: NOON })], NOON)).toMatchObject({
      plan: 'free',
      status: 'expired',
      expiredAt: NOON,
      needsRenewal: true,
    });
  });

  test('an active plan takes precedence over the grace period of an ended one', () => {
    const grace = fact({ source: 'grace', startsAt: after(-1), endsAt: after(2) });
    expect(planStatusAt([fact({ source: 'grant:a', endsAt: after(-1) }), grace], NOON)).toMatchObject({
      plan: 'pro',
      status: 'grace',
      expiredAt: after(-1),
    });
    expect(planStatusAt([grace, fact({ endsAt: after(1) })], NOON)).toMatchObject({ plan: 'pro', status: 'active' });
  });

  test('a future fact does not count yet, and the result includes its validity end', () => {
    expect(planStatusAt([fact({ startsAt: after(3) })], NOON)).toMatchObject({ plan: 'free', holdsUntil: after(3) });
  });

  test('the order in which facts arrive does not matter', () => {
    fc.assert(
      fc.property(facts, fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), (list, keys) => {
        const mixed = list.map((each, i) => ({ each, key: keys[i] ?? 0 })).toSorted((a, b) => a.key - b.key);
        expect(
          planStatusAt(
            mixed.map(({ each }) => each),
            NOON,
          ),
        ).toEqual(planStatusAt(list, NOON));
      }),
    );
  });

  test('nothing changes before the reported time, and an extra paid fact never removes anything', () => {
    fc.assert(
      fc.property(facts, (list) => {
        const standing = planStatusAt(list, NOON);
        const edge = standing.holdsUntil?.getTime() ?? after(1000).getTime();
        expect(planStatusAt(list, new Date(edge - 1)).plan).toBe(standing.plan);
        const gift = fact({ id: 1000, source: 'gift', plan: 'pro', endsAt: after(30) });
        expect(RANK[planStatusAt([...list, gift], NOON).plan]).toBeGreaterThanOrEqual(Math.max(1, RANK[standing.plan]));
      }),
    );
  });
});
