import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CATEGORIES } from '#features/events/contract.ts';
import { NOON } from '#ui/testing/figures.ts';
import { isPast } from './event-dates.ts';
import { computeSurprise } from './event-item.tsx';
import {
  CATEGORY_CHOICES,
  choose,
  computeStats,
  type EventFilter,
  feedPath,
  IMPACT_CHOICES,
  NO_FILTER,
  parseFilter,
  SORT_CHOICES,
  TIME_CHOICES,
  writeFilter,
} from './filter.ts';
import { eventAt, events, ignoredEvent } from './fixtures.ts';

const DAY_MS = 86_400_000;
const one = <T extends string>(choices: readonly (readonly [T, string])[]) =>
  fc.constantFrom(...choices.map(([value]) => value));

const someEvent = fc
  .record({
    id: fc.integer({ min: 1, max: 999 }),
    days: fc.integer({ min: -7, max: 60 }),
    category: fc.constantFrom(...CATEGORIES),
    impact: fc.constantFrom('high' as const, 'medium' as const, 'low' as const),
    ignored: fc.boolean(),
    title: fc.option(fc.constantFrom('CPI', 'Halving', 'Rate decision')),
  })
  .map(({ id, days, ...change }) => eventAt(id, new Date(NOON + days * DAY_MS + 60_000).toISOString(), change));
const someEvents = fc.array(someEvent, { maxLength: 30 });
const someFilter: fc.Arbitrary<EventFilter> = fc.record({
  category: one(CATEGORY_CHOICES),
  impact: one(IMPACT_CHOICES),
  time: one(TIME_CHOICES),
  sort: one(SORT_CHOICES),
  view: fc.constantFrom('list' as const, 'calendar' as const),
  search: fc.constantFrom('', 'cpi', 'Rate & more', '50%'),
  ignored: fc.boolean(),
});

describe('the address', () => {
  test('encodes every filter and restores it', () => {
    fc.assert(
      fc.property(someFilter, (filter) => {
        expect(parseFilter(writeFilter(new URLSearchParams(), filter))).toEqual(filter);
      }),
    );
  });

  test('is empty without a filter, and ignores unknown values', () => {
    expect(writeFilter(new URLSearchParams('category=fed&other=1'), NO_FILTER).toString()).toBe('other=1');
    expect(parseFilter(new URLSearchParams('category=weather&impact=&time=never&sort=x&view=y&ignored=yes'))).toEqual(
      NO_FILTER,
    );
  });

  test('a subscription includes filters that select events, not display options', () => {
    expect(feedPath(NO_FILTER)).toBe('/api/events.ics');
    const filter = {
      ...NO_FILTER,
      category: 'fed',
      impact: 'high',
      search: ' rate ',
      sort: 'impact',
      view: 'calendar',
    };
    expect(feedPath(filter as EventFilter)).toBe('/api/events.ics?category=fed&impact=high&search=rate');
  });
});

describe('the selection', () => {
  test('matches the filter, each event once, and misses no match', () => {
    fc.assert(
      fc.property(someEvents, someFilter, (all, filter) => {
        const chosen = choose(all, filter, NOON);
        const fits = (each: (typeof all)[number]) =>
          (filter.ignored || !each.ignored) &&
          (filter.category === 'all' ||
            each.category === filter.category ||
            (filter.category === 'fed' && each.category === 'monetary_policy')) &&
          (filter.impact === 'all' || each.impact === filter.impact) &&
          (filter.time === 'all' || (!isPast(each, NOON) && each.daysUntil <= (filter.time === 'thisWeek' ? 7 : 30))) &&
          (filter.search === '' || `${each.title} ${each.source}`.toLowerCase().includes(filter.search.toLowerCase()));
        expect(new Set(chosen)).toEqual(new Set(all.filter(fits)));
        expect(chosen.length).toBe(all.filter(fits).length);
      }),
    );
  });

  test('is in the requested order, with past events last and newest first', () => {
    const rank = { high: 0, medium: 1, low: 2 };
    fc.assert(
      fc.property(someEvents, one(SORT_CHOICES), (all, sort) => {
        const chosen = choose(all, { ...NO_FILTER, sort }, NOON);
        const firstPast = chosen.findIndex((each) => isPast(each, NOON));
        const ahead = firstPast < 0 ? chosen : chosen.slice(0, firstPast);
        const past = chosen.slice(ahead.length);
        expect(past.every((each) => isPast(each, NOON))).toBe(true);
        for (const [i, next] of ahead.slice(1).entries()) {
          const each = ahead[i] ?? next;
          if (sort === 'date') expect(each.date <= next.date).toBe(true);
          if (sort === 'impact') expect(rank[each.impact]).toBeLessThanOrEqual(rank[next.impact]);
        }
        for (const [i, next] of past.slice(1).entries()) expect((past[i] ?? next).date >= next.date).toBe(true);
      }),
    );
  });

  test.each([
    ['title', 'halving'],
    ['description', 'height 1,050,000'],
    ['source', 'DERIBIT'],
  ])('is found by %s', (_, search) => {
    expect(choose(events, { ...NO_FILTER, search }, NOON)).toHaveLength(1);
  });

  test('Federal Reserve covers both its categories', () => {
    const titles = choose(events, { ...NO_FILTER, category: 'fed' }, NOON).map(({ title }) => title);
    expect(titles).toEqual(['Federal Reserve Chair speaks on the outlook', 'FOMC rate decision']);
  });
});

test('the counts cover events ahead, within 7 and 30 days, without ignored ones', () => {
  expect(computeStats([...events, ignoredEvent], NOON)).toEqual({ total: 8, high: 4, thisWeek: 4, nextMonth: 6 });
  fc.assert(
    fc.property(someEvents, (all) => {
      const { total, high, thisWeek, nextMonth } = computeStats(all, NOON);
      expect(thisWeek).toBeLessThanOrEqual(nextMonth);
      expect(Math.max(nextMonth, high)).toBeLessThanOrEqual(total);
    }),
  );
});

describe('a surprise', () => {
  const of = (actual: string | null, forecast: string | null) => computeSurprise({ actual, forecast, previous: null });

  test.each([
    ['+0.4%', '+0.3%', '+0.1 pp', 1],
    ['-0.1%', '0.2%', '\u22120.3 pp', -1],
    ['147K', '110K', '+37K', 1],
    ['$2.17', '$2.20', '\u2212$0.03', -1],
    ['0.3%', '0.3%', 'in line', 0],
  ])('%s against %s is %s', (actual, forecast, text, sign) => {
    expect(of(actual, forecast)).toEqual({ text, sign });
  });

  test.each([
    [null, '0.3%'],
    ['0.3%', null],
    ['147K', '0.1M'],
    ['soon', '1'],
  ])('there is no surprise for %s against %s', (actual, forecast) => {
    expect(of(actual, forecast)).toBeNull();
  });
});
