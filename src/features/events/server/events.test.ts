import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CATEGORIES, type Event } from '#features/events/contract.ts';
import { type Person, person } from '#tests/support/people.ts';
import { type Started, start } from '#tests/support/start.ts';

const KEYS = {
  FRED_API_KEY: 'demo',
  FINNHUB_API_KEY: 'demo',
  COINMARKETCAL_API_KEY: 'demo',
  EMAIL_CONFIRMATION: 'off',
};
const DAY_MS = 86_400_000;

let s: Started;
let admin: Person;
beforeAll(async () => {
  s = await start({ mode: 'demo', env: KEYS });
  admin = await person(s, 'admin', 'admin');
  await s.job('events.collect');
});
afterAll(() => s.stop());

const list = async () => (await s.get('/api/events')).json<Event[]>();
const of = async (kind: string) => (await list()).filter((event) => event.kind === kind);

describe('GET /api/events', () => {
  test('200: at least 40 future events over all eight categories, the next one first, past ones last', async () => {
    const events = await list();
    const upcoming = events.filter(({ status }) => status === 'upcoming');
    expect(upcoming.length).toBeGreaterThanOrEqual(40);
    expect(new Set(upcoming.map(({ category }) => category))).toEqual(new Set(CATEGORIES));
    const dates = upcoming.map(({ date }) => date);
    expect(dates).toEqual(dates.toSorted());
    const past = events.slice(upcoming.length);
    expect(past.length).toBeGreaterThan(0);
    for (const { status, date } of past) {
      expect(status).toBe('past');
      expect(Date.parse(date)).toBeGreaterThanOrEqual(s.clock.now().getTime() - 7 * DAY_MS);
    }
  });

  test('200: an event says where it comes from, when that was last looked at, and why it has its impact', async () => {
    const [fomc] = await of('fomc');
    expect(fomc).toMatchObject({
      title: 'FOMC rate decision',
      category: 'fed',
      impact: 'high',
      date: '2026-12-09T19:00:00.000Z',
      allDay: false,
      dateEstimated: false,
      source: 'Federal Reserve',
      sourceUrl: 'https://www.federalreserve.gov/monetarypolicy/fomccalendars.htm',
      checkedAt: s.clock.now().toISOString(),
      daysUntil: 19,
      status: 'upcoming',
      otherTimes: [],
    });
    expect(fomc?.why).toMatch(/^High: FOMC rate decision sets the price of dollars/);
    for (const { why } of await list()) expect(why).toMatch(/^(High|Medium|Low): .+\.$/);
  });
});
