import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { CATEGORIES, type Event } from '#features/events/contract.ts';
import { start, type TestProduct } from '#tests/support/start.ts';

const KEYS = { FRED_API_KEY: 'demo', FINNHUB_API_KEY: 'demo', COINMARKETCAL_API_KEY: 'demo' };
const DAY_MS = 86_400_000;

let s: TestProduct;
const list = async () => (await s.get('/api/events')).json<Event[]>();
const next = async (kind: string) => (await list()).find((event) => event.kind === kind);
const open = async (env: Record<string, string> = KEYS) => {
  s = await start({ mode: 'demo', env });
  await s.job('events.collect');
};

describe('the calendar', () => {
  beforeAll(() => open());
  afterAll(() => s.stop());

  test('at least 40 future events across all eight categories, the next one first, past ones last', async () => {
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

  test('earnings are requested week by week, as a free key allows, and span months', async () => {
    const days = (await list()).filter(({ category }) => category === 'earnings').map(({ date }) => Date.parse(date));
    expect(Math.max(...days) - s.clock.now().getTime()).toBeGreaterThan(40 * DAY_MS);
    expect(s.sandbox.faults.requests('finnhub')).toBe(16);
  });

  test('an event shows its source, when that was last checked, and the reason for its impact', async () => {
    expect(await next('fomc')).toMatchObject({
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
      otherTimes: [],
    });
    for (const { why } of await list()) expect(why).toMatch(/^(High|Medium|Low): .+\.$/);
  });

  test('reports from several sources merge into one event: no kind occurs twice within a week', async () => {
    const seen = new Map<string, number>();
    for (const { kind, date } of (await list()).filter(({ status }) => status === 'upcoming')) {
      if (kind === null) continue;
      expect(Date.parse(date) - (seen.get(kind) ?? 0), `${kind} ${date}`).toBeGreaterThan(7 * DAY_MS);
      seen.set(kind, Date.parse(date));
    }
    expect(seen.size).toBeGreaterThan(12);
  });

  test('two conflicting sources are both shown; the publisher of the figures has priority', async () => {
    expect(await next('gdp')).toMatchObject({
      date: '2026-11-25T13:30:00.000Z',
      source: 'Bureau of Economic Analysis',
      otherTimes: [
        {
          source: 'FRED',
          date: '2026-11-26T13:30:00.000Z',
          url: 'https://fred.stlouisfed.org/releases/calendar?rid=53',
        },
      ],
    });
    expect((await next('cpi'))?.otherTimes).toEqual([]);
  });

  test('an event without title, description or source is included, with nothing invented', async () => {
    const bare = (await list()).filter(({ title }) => title === null);
    expect(bare).toHaveLength(1);
    expect(bare[0]).toMatchObject({
      description: null,
      source: null,
      sourceUrl: null,
      allDay: true,
      category: 'crypto',
    });
  });

  test('the next halving: an estimated day with its interval, from the block height', async () => {
    const halving = await next('btc-halving');
    expect(halving).toMatchObject({ impact: 'high', dateEstimated: true, allDay: true, category: 'crypto' });
    expect(halving?.title).toBe('Bitcoin halving at block 1,050,000');
    const { from = '', to = '' } = halving?.interval ?? {};
    expect(from < (halving?.date ?? '') && (halving?.date ?? '') < to).toBe(true);
  });

  test('counts down only within a day of a known minute', async () => {
    const before = s.clock.now();
    s.clock.set(new Date('2026-12-08T19:00:00.001Z'));
    await s.product.refresh();
    expect(await next('fomc')).toMatchObject({ timeRemaining: '24h 0m', daysUntil: 1 });
    s.clock.set(new Date('2026-12-09T13:47:30Z'));
    await s.product.refresh();
    expect(await next('fomc')).toMatchObject({ timeRemaining: '5h 13m', daysUntil: 0, status: 'upcoming' });
    s.clock.set(new Date('2026-12-09T19:00:00Z'));
    await s.product.refresh();
    expect((await list()).find(({ date }) => date === '2026-12-09T19:00:00.000Z')).toMatchObject({
      status: 'past',
      daysUntil: 0,
    });
    s.clock.set(before);
    await s.product.refresh();
  });

  test('GET /api/dashboard: the next 60 in compact form, none of them past or ignored, and the total number ahead', async () => {
    type Payload = { upcomingEvents: Event[]; upcomingCounts: Record<string, number> };
    const { upcomingEvents, upcomingCounts } = (await s.get('/api/dashboard')).json<Payload>();
    const upcoming = (await list()).filter(({ status }) => status === 'upcoming');
    for (const impact of ['high', 'medium', 'low'])
      expect(upcomingCounts[impact]).toBe(upcoming.filter((each) => each.impact === impact).length);
    expect(upcoming.length).toBeGreaterThan(upcomingEvents.length);
    expect(upcomingEvents.map(({ id }) => id)).toEqual(upcoming.slice(0, 60).map(({ id }) => id));
    expect(Object.keys(upcomingEvents[0] ?? {}).toSorted()).toEqual(
      ['allDay', 'category', 'date', 'dateEstimated', 'daysUntil', 'id', 'impact', 'source', 'title'].toSorted(),
    );
  });

  test('forecasts of the unofficial calendar are read only if the operator enabled it', async () => {
    const { records } = s.product.market.ctx.sources;
    expect((await records()).find(({ id }) => id === 'consensus-calendar')?.state).toBe('key_missing');
    const at = new Date('2026-12-08T12:00:00Z');
    const other = await start({ mode: 'demo', at, env: { ...KEYS, CONSENSUS_CALENDAR: '1' } });
    await other.job('events.collect');
    const events = (await other.get('/api/events')).json<Event[]>();
    await other.stop();
    expect(events.find(({ kind }) => kind === 'cpi')?.figures).toMatchObject({
      actual: null,
      forecast: expect.stringMatching(/^[+−]?\d\.\d%$/),
    });
  });
});

describe('failures', () => {
  afterEach(() => s.stop());

  test('a release postponed at short notice keeps its place and shows its former day', async () => {
    await open();
    const before = await next('payrolls');
    expect(before?.date).toBe('2026-12-04T13:30:00.000Z');
    s.advance(12.2 * DAY_MS);
    await s.job('events.collect');
    const after = await next('payrolls');
    expect(after).toMatchObject({ id: before?.id, date: '2026-12-08T13:30:00.000Z', dateEstimated: false });
    expect(after?.otherTimes).toEqual([
      {
        source: 'Bureau of Labor Statistics (bundled with the product)',
        date: '2026-12-04T13:30:00.000Z',
        url: 'https://www.bls.gov/schedule/news_release/empsit.htm',
      },
    ]);
  });

  test('dead sources remove nothing; their last result keeps its age', async () => {
    await open();
    const upcoming = async () => (await list()).filter(({ status }) => status === 'upcoming');
    const before = await upcoming();
    const collectedAt = s.clock.now().toISOString();
    s.sandbox.faults.set({ provider: '*', kind: 'server_error' });
    s.advance(7 * 3_600_000);
    await s.job('events.collect');
    const after = await upcoming();
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after.find(({ kind }) => kind === 'jolts')?.checkedAt).toBe(collectedAt);
  });

  test.each([
    ['an HTML page', { kind: 'malformed', html: true }],
    ['nulls where values were', { kind: 'nulls' }],
  ] as const)('%s from all sources: the calendar uses shipped and computed events', async (_, fault) => {
    s = await start({ mode: 'demo', env: KEYS });
    s.sandbox.faults.set({ provider: '*', ...fault });
    await s.job('events.collect');
    const kinds = new Set((await list()).map(({ kind }) => kind));
    for (const kind of ['fomc', 'cpi', 'pce', 'ppi', 'payrolls', 'gdp', 'btc-halving', 'btc-expiry', 'fomc-minutes'])
      expect(kinds, kind).toContain(kind);
    expect((await next('fomc'))?.date).toBe('2026-12-09T19:00:00.000Z');
  });

  test('without any key the calendar has everything that needs no key', async () => {
    await open({});
    const categories = new Set((await list()).map(({ category }) => category));
    expect(categories).toEqual(new Set(CATEGORIES.filter((category) => category !== 'earnings')));
  });

  test('a second process shows what the first collected', async () => {
    s = await start({ mode: 'demo', env: KEYS });
    const other = await s.another();
    await s.job('events.collect');
    await expect.poll(() => other.events.list().length, { timeout: 10_000 }).toBe((await list()).length);
  });
});
