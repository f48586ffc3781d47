import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  createGrant,
  DAY_MS,
  expectedPlanAt,
  grants,
  JANUARY_FIRST,
  moment,
  months,
  RUNS,
  sortGrants,
} from '#tests/support/grants.ts';
import {
  addMonths,
  computePeriods,
  GRACE_MS,
  type Grant,
  gracePeriod,
  prorationCredit,
  unusedValue,
} from './plan-periods.ts';

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const days = (list: Grant[]) => computePeriods(list).map(({ start, cut, end }) => [start, cut, end].map(day));
const JAN_31 = Date.UTC(2026, 0, 31);
const before = (list: readonly Grant[], at: number) => list.filter(({ goodAt }) => goodAt.getTime() < at);

describe('plan months', () => {
  test('grow with every month, and end no later in the month than they began', () => {
    fc.assert(
      fc.property(moment, fc.nat(40), (anchor, count) => {
        expect(addMonths(anchor, count + 1)).toBeGreaterThan(addMonths(anchor, count));
        expect(new Date(addMonths(anchor, count)).getUTCDate()).toBeLessThanOrEqual(new Date(anchor).getUTCDate());
        expect(addMonths(anchor, count) % DAY_MS).toBe(anchor % DAY_MS);
      }),
      RUNS,
    );
  });

  test('bought one after another end on the same date as bought together', () => {
    fc.assert(
      fc.property(moment, months, months, (at, m, n) => {
        const two = computePeriods([createGrant({ at, months: m }), createGrant({ at, months: n, source: 'b' })]);
        expect(two[1]?.end).toBe(computePeriods([createGrant({ at, months: m + n })])[0]?.end);
      }),
      RUNS,
    );
  });

  test('paid two days late within the grace keep the 31st, paid later they start over', () => {
    const second = (at: number) => createGrant({ at, source: 'b' });
    expect(days([createGrant({ at: JAN_31 }), second(Date.UTC(2026, 2, 2))])).toEqual([
      ['2026-01-31', '2026-02-28', '2026-02-28'],
      ['2026-02-28', '2026-03-31', '2026-03-31'],
    ]);
    expect(days([createGrant({ at: JAN_31 }), second(Date.UTC(2026, 2, 3))])[1]?.[0]).toBe('2026-03-03');
  });

  test('days are added, and later months count from their end', () => {
    const trial = createGrant({ at: JAN_31, months: 0, days: 7 });
    expect(days([trial, createGrant({ at: JAN_31 + DAY_MS, source: 'b' })])).toEqual([
      ['2026-01-31', '2026-02-07', '2026-02-07'],
      ['2026-02-07', '2026-03-07', '2026-03-07'],
    ]);
    expect(days([createGrant({ at: JAN_31, days: 2 })])).toEqual([['2026-01-31', '2026-03-02', '2026-03-02']]);
  });
});

describe('folding grants', () => {
  test('neither arrival order nor duplicates matter', () => {
    const mixed = grants.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }), fc.subarray(list)),
    );
    fc.assert(
      fc.property(mixed, ([list, shuffled, again]) => {
        expect(computePeriods([...shuffled, ...again])).toEqual(computePeriods(list));
      }),
      RUNS,
    );
  });

  test('of two grants of one moment the source decides, in any arrival order', () => {
    const pair = [createGrant({ at: JAN_31 }), createGrant({ at: JAN_31, plan: 'premium', source: 'b' })];
    expect(computePeriods(pair.toReversed())).toEqual(computePeriods(pair));
    expect(days(pair)[0]).toEqual(['2026-01-31', '2026-01-31', '2026-02-28']);
  });

  test('no two plans overlap, and each grant has all of its time unless Premium+ replaced it', () => {
    fc.assert(
      fc.property(grants, (list) => {
        const periods = computePeriods(list);
        expect(periods).toHaveLength(list.length);
        const counting = periods.filter(({ start, cut }) => cut > start).toSorted((a, b) => a.start - b.start);
        for (const [i, { cut }] of counting.entries())
          expect(counting[i + 1]?.start ?? cut).toBeGreaterThanOrEqual(cut);
        for (const period of periods) {
          const grant = list.find(({ source }) => source === period.source) as Grant;
          const { start, cut, end, plan } = period;
          expect([plan, period.units, period.isTrial]).toEqual([grant.plan, grant.units, grant.months === 0]);
          const given = grant.goodAt.getTime();
          expect(start).toBeGreaterThan(grant.months > 0 ? given - GRACE_MS : given - 1);
          expect(end).toBeGreaterThan(start);
          const most = addMonths(start, grant.months) + grant.days * DAY_MS;
          expect(Math.abs(end - most)).toBeLessThanOrEqual(3 * DAY_MS);
          if (cut === end) continue;
          const upgrades = list.filter((each) => each.plan === 'premium').map(({ goodAt }) => goodAt.getTime());
          expect(plan).toBe('pro');
          expect(upgrades.some((at) => cut === Math.max(start, at))).toBe(true);
        }
      }),
      RUNS,
    );
  });

  test('a renewal in the grace never overlaps the other plan', () => {
    const premium = createGrant({ at: JAN_31, plan: 'premium' });
    const pro = createGrant({ at: Date.UTC(2026, 2, 1), source: 'b' });
    const again = createGrant({ at: Date.UTC(2026, 2, 2), plan: 'premium', source: 'c' });
    expect(days([premium, pro, again])).toEqual([
      ['2026-01-31', '2026-02-28', '2026-02-28'],
      ['2026-03-01', '2026-03-02', '2026-04-01'],
      ['2026-03-02', '2026-04-02', '2026-04-02'],
    ]);
  });

  test('Pro bought during Premium+ waits for its end, Premium+ bought during Pro replaces it immediately', () => {
    const later = JAN_31 + 14 * DAY_MS;
    expect(days([createGrant({ at: JAN_31, plan: 'premium' }), createGrant({ at: later, source: 'b' })])[1]).toEqual([
      '2026-02-28',
      '2026-03-28',
      '2026-03-28',
    ]);
    const upgraded = [createGrant({ at: JAN_31 }), createGrant({ at: later, plan: 'premium', source: 'b' })];
    expect(days(upgraded)).toEqual([
      ['2026-01-31', '2026-02-14', '2026-02-28'],
      ['2026-02-14', '2026-03-14', '2026-03-14'],
    ]);
  });
});

describe('Pro credited by Premium+', () => {
  test('for a period is all at its start, nothing at its end, and never grows', () => {
    fc.assert(
      fc.property(grants, moment, fc.nat(60 * DAY_MS), (list, at, later) => {
        for (const period of computePeriods(list)) {
          expect([unusedValue(period, period.start), unusedValue(period, period.end)]).toEqual([period.units, 0n]);
          expect(unusedValue(period, at) >= unusedValue(period, at + later)).toBe(true);
        }
      }),
      RUNS,
    );
  });

  test('is rounded down, and nothing is left to credit after crediting', () => {
    fc.assert(
      fc.property(grants, moment, (list, at) => {
        const known = before(list, at);
        const given = prorationCredit(computePeriods(known), at);
        const paid = known.reduce((sum, { units, plan }) => (plan === 'pro' ? sum + units : sum), 0n);
        expect(given >= 0n && given <= paid).toBe(true);
        const upgraded = computePeriods([...known, createGrant({ source: 'up', at, plan: 'premium' })]);
        expect(prorationCredit(upgraded, at)).toBe(0n);
        expect(expectedPlanAt(upgraded, at)).toEqual({ plan: 'premium', isGrace: false });
      }),
      RUNS,
    );
    const [period] = computePeriods([createGrant({ at: JANUARY_FIRST, units: 10n })]);
    expect(period && unusedValue(period, JANUARY_FIRST + 1)).toBe(9n);
  });

  test('over the whole lifetime is exactly the unused part of every cut period, once', () => {
    fc.assert(
      fc.property(grants, (list) => {
        const life = sortGrants(list).filter(({ goodAt }, i, all) => goodAt.getTime() !== all[i - 1]?.goodAt.getTime());
        let given = 0n;
        for (const [i, { plan, goodAt }] of life.entries())
          if (plan === 'premium') given += prorationCredit(computePeriods(life.slice(0, i)), goodAt.getTime());
        const cut = computePeriods(life).filter((period) => period.cut < period.end);
        expect(given).toBe(cut.reduce((sum, period) => sum + unusedValue(period, period.cut), 0n));
      }),
      RUNS,
    );
  });
});

describe('grace period', () => {
  test('follows the latest end for three days, a trial has none', () => {
    expect(GRACE_MS).toBe(3 * DAY_MS);
    const [end] = computePeriods([createGrant({ at: JAN_31 })]).map((period) => period.end) as [number];
    expect(gracePeriod(computePeriods([createGrant({ at: JAN_31 })]))).toEqual({
      plan: 'pro',
      start: end,
      end: end + GRACE_MS,
    });
    expect(gracePeriod(computePeriods([createGrant({ at: JAN_31, months: 0, days: 7 })]))).toBeNull();
    expect(gracePeriod([])).toBeNull();
  });

  test('days granted in it count from then on, not from the previous end', () => {
    const gift = createGrant({ at: Date.UTC(2026, 2, 2), months: 0, days: 1, source: 'b' });
    expect(days([createGrant({ at: JAN_31 }), gift])[1]?.slice(0, 2)).toEqual(['2026-03-02', '2026-03-03']);
  });

  test('after a trial a purchased plan starts on purchase', () => {
    const trial = createGrant({ at: JAN_31, months: 0, days: 7 });
    const soon = JAN_31 + 8 * DAY_MS;
    expect(computePeriods([trial, createGrant({ at: soon, source: 'b' })])[1]?.start).toBe(soon);
  });

  test('belongs to the plan that ended last, for any grants', () => {
    fc.assert(
      fc.property(grants, (list) => {
        const periods = computePeriods(list).filter(({ start, cut }) => cut > start);
        const newest = Math.max(...periods.map(({ cut }) => cut));
        const last = periods.find(({ cut }) => cut === newest);
        const grace = gracePeriod(computePeriods(list));
        expect(grace === null).toBe(last?.isTrial);
        if (grace) expect(grace).toEqual({ plan: last?.plan, start: newest, end: newest + GRACE_MS });
      }),
      RUNS,
    );
  });
});
