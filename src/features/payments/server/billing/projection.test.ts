import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type PlanStatus, planStatusAt } from '#features/accounts/server/subscriptions/service.ts';

import {
  createGrant,
  DAY_MS,
  expectedPlanAt,
  grants,
  JANUARY_FIRST,
  moment,
  RUNS,
  sortGrants,
} from '#tests/support/grants.ts';
import { computePeriods, deriveFacts, diffFacts, type Grant, type Target } from './plan-periods.ts';

type Ledger = (Target & { id: number })[];

/** Like the ledger: facts are only appended. */
function project(ledger: Ledger, list: readonly Grant[], at: number): Ledger {
  const newest = new Map(ledger.map((fact) => [fact.source, fact]));
  const changes = diffFacts([...newest.values()], deriveFacts(computePeriods(list)), new Date(at));
  return [...ledger, ...changes.map((fact, i) => ({ ...fact, id: ledger.length + i + 1 }))];
}

const answerOf = ({ plan, status }: PlanStatus) => ({ plan, isGrace: status === 'grace' });
const standing = (list: Grant[], at: number) => planStatusAt(project([], list, at), new Date(at));

describe('the facts derived from grants', () => {
  test('match the periods at every later moment', () => {
    fc.assert(
      fc.property(grants, fc.nat(500 * DAY_MS), (list, later) => {
        const known = Math.max(...list.map(({ goodAt }) => goodAt.getTime()));
        for (const at of [known, known + later]) {
          expect(answerOf(standing(list, at))).toEqual(expectedPlanAt(computePeriods(list), at));
        }
      }),
      RUNS,
    );
  });

  test('are independent of arrival order, and a revoked grant leaves no trace', () => {
    fc.assert(
      fc.property(grants, fc.nat(7), fc.nat(60 * DAY_MS), (list, which, later) => {
        const known = Math.max(...list.map(({ goodAt }) => goodAt.getTime()));
        const kept = list.filter((_, i) => i !== which % list.length);
        let ledger: Ledger = [];
        for (const [i] of list.entries()) ledger = project(ledger, list.slice(0, i + 1), known);
        ledger = project(ledger, kept, known);
        const moments = [known, known + later, known + 10 * later];
        for (const at of moments.map((ms) => new Date(ms))) {
          const { holdsUntil, ...told } = planStatusAt(ledger, at);
          const { holdsUntil: same, ...never } = planStatusAt(project([], kept, known), at);
          expect(told).toEqual(never);
          expect(holdsUntil).toEqual(same);
        }
      }),
      RUNS,
    );
  });

  test('are written once: existing ones are not rewritten', () => {
    fc.assert(
      fc.property(grants, moment, (list, at) => {
        const ledger = project([], list, at);
        expect(project(ledger, list, at)).toEqual(ledger);
        const none = project(ledger, [], at);
        expect(project(none, [], at)).toEqual(none);
      }),
      RUNS,
    );
  });

  test('a moved start is written, even if the end is unchanged', () => {
    const at = new Date(JANUARY_FIRST);
    const known: Target = { source: 'grant:a', plan: 'pro', startsAt: at, endsAt: new Date(JANUARY_FIRST + DAY_MS) };
    const moved = { ...known, startsAt: new Date(JANUARY_FIRST + 1) };
    expect(diffFacts([known], new Map([['grant:a', moved]]), at)).toEqual([moved]);
  });

  test('other sources of the ledger are left alone', () => {
    const other: Target = { source: 'admin', plan: 'premium', startsAt: new Date(JANUARY_FIRST), endsAt: null };
    expect(diffFacts([other], new Map(), new Date(JANUARY_FIRST))).toEqual([]);
  });
});

describe('the resulting plan status', () => {
  const at = Date.UTC(2026, 0, 31);
  const end = Date.UTC(2026, 1, 28);

  test('consecutive purchases are one: the end is the last one, and renewal is due only before that', () => {
    const list = [createGrant({ at }), createGrant({ at: at + DAY_MS, source: 'b' })];
    expect(standing(list, end - DAY_MS)).toMatchObject({
      plan: 'pro',
      status: 'active',
      currentPeriodEnd: new Date(Date.UTC(2026, 2, 31)),
      daysUntilExpiry: 32,
      needsRenewal: false,
    });
  });

  test('for three days after the end the plan works as grace, reports its end, and then is free', () => {
    const list = [createGrant({ at })];
    expect(standing(list, end - 1)).toMatchObject({ plan: 'pro', status: 'active', daysUntilExpiry: 1 });
    for (const ms of [end, end + 3 * DAY_MS - 1])
      expect(standing(list, ms)).toMatchObject({
        plan: 'pro',
        status: 'grace',
        currentPeriodEnd: null,
        expiredAt: new Date(end),
        daysUntilExpiry: null,
        needsRenewal: true,
        holdsUntil: new Date(end + 3 * DAY_MS),
      });
    expect(standing(list, end + 3 * DAY_MS)).toMatchObject({
      plan: 'free',
      status: 'expired',
      expiredAt: new Date(end),
    });
  });

  test('consecutive periods are followed up to the first gap', () => {
    fc.assert(
      fc.property(grants, (list) => {
        const known = sortGrants(list).at(-1)?.goodAt.getTime() as number;
        const said = standing(list, known);
        const counting = computePeriods(list).filter(({ start, cut }) => cut > start);
        const running = counting.find(({ start, cut }) => start <= known && known < cut);
        const row = counting.filter(({ plan, cut }) => plan === running?.plan && cut > known);
        expect(said.currentPeriodEnd?.getTime()).toBe(Math.max(...row.map(({ cut }) => cut)));
      }),
      RUNS,
    );
  });
});
