import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Candles, type ChartInterval, chartInterval, listCandles } from '#features/market/contract/market.ts';
import { bar, deleteBars, storeBars } from '#tests/support/bars.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { registerUser } from '#tests/support/people.ts';
import { statusAndMessage } from '#tests/support/rows.ts';
import { type TestProduct } from '#tests/support/start.ts';
import { type CandleTable, rollUp } from './store/candles.ts';
import type { Bar } from './types.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const iso = (ms: number) => new Date(ms).toISOString();

const s = fileProduct({ env: { COIN_LIMIT: '30' } });
const pro = member(s, 'pro', 'pro');
let empty: Awaited<ReturnType<TestProduct['get']>>;
beforeAll(async () => {
  empty = await s.get('/api/candles?symbol=BTC');
  await s.job('market.listing');
});

const ctx = () => s.product.market.ctx;
const now = () => s.clock.now().getTime();

const store = (coinId: string, table: CandleTable, bars: Bar[]) => storeBars(s, coinId, table, bars);

async function candles(query: string, who: { get: (url: string) => ReturnType<TestProduct['get']> } = pro) {
  const res = await who.get(`/api/candles?${query}`);
  expect(res.statusCode, res.body).toBe(200);
  return listCandles.reply.parse(res.json());
}
const refused = async (query: string) => {
  const res = await pro.get(`/api/candles?${query}`);
  return [res.statusCode, res.json<{ error: string }>().error];
};

beforeEach(() => deleteBars(s));

describe('GET /api/candles', () => {
  test('503: before the first price list no symbol can be looked up', () => {
    expect(statusAndMessage(empty)).toEqual([503, 'No prices available yet. Please try again in a minute']);
  });

  test('200: without history there are no candles, and loading is requested', async () => {
    const body = await candles('symbol=SOL');
    expect(body).toMatchObject({ id: 'solana', symbol: 'SOL', interval: '60', history: 'loading', candles: [] });
    expect(body).toMatchObject({ gaps: [], meta: null });
    expect(await s.product.scheduler.waiting('market.backfill')).toContainEqual({ coinId: 'solana' });
  });

  test.each(chartInterval.options)(
    '200: interval %s after the history was fetched, with source and age',
    async (interval) => {
      await s.job('market.backfill', { coinId: 'ripple' });
      const body = await candles(`symbol=XRP&interval=${interval}`);
      expect(body).toMatchObject({ id: 'ripple', interval, history: 'complete' });
      expect(body.meta).toMatchObject({ source: 'OKX', method: 'computed', fetchedAt: iso(now()) });
      expect(now() - Date.parse(body.meta?.observedAt ?? '')).toBeLessThan(10 * MINUTE_MS);
      expect(body.candles.length).toBeGreaterThan(interval === 'M' ? 11 : 47);
      expect(body.gaps).toEqual([]);
      const times = body.candles.map((candle) => candle.at);
      expect(times).toEqual([...new Set(times)].toSorted());
      for (const { open, high, low, close, volume } of body.candles) {
        expect(high).toBeGreaterThanOrEqual(Math.max(open, close));
        expect(low).toBeLessThanOrEqual(Math.min(open, close));
        expect(volume).toBeGreaterThanOrEqual(0);
      }
    },
  );

  test('the symbol is case-insensitive, may be an id, and resolves to the best-ranked of several coins', async () => {
    for (const symbol of ['BTC', 'btc', 'bitcoin', 'Bitcoin'])
      expect((await candles(`symbol=${symbol}`)).id).toBe('bitcoin');
    const { db } = ctx();
    const row = { symbol: 'BTC', name: 'Not it', updated_at: iso(now()), listed: true };
    await db
      .insertInto('coins')
      .values([
        { ...row, id: 'a-copy', rank: null },
        { ...row, id: 'another-copy', rank: 900 },
      ])
      .execute();
    const at = iso(now());
    const quote = { source: 'coingecko', price: 5, observed_at: at, fetched_at: at, method: 'measured' };
    await db
      .insertInto('coin_quotes')
      .values(['a-copy', 'another-copy'].map((coin_id) => ({ ...quote, coin_id, market_cap: 9e15 }) as never))
      .execute();
    await s.product.refresh();
    expect(ctx().board.has('a-copy')).toBe(true);
    expect((await candles('symbol=BTC')).id).toBe('bitcoin');
    expect((await candles('symbol=a-copy')).id).toBe('a-copy');
    await db.deleteFrom('coin_quotes').where('coin_id', 'like', '%-copy').execute();
    await db.deleteFrom('coins').where('id', 'like', '%-copy').execute();
    await s.product.refresh();
  });

  test.each([
    ['an unknown symbol', 'symbol=NOPE', 404, 'Unknown symbol'],
    ['an empty symbol', 'symbol=', 400, 'A symbol is required'],
    ['an interval that is not offered', 'symbol=BTC&interval=7', 400, 'interval'],
    ['an invalid time', 'symbol=BTC&from=yesterday', 400, 'Times must be written as 2026-01-31T00:00:00Z'],
    [
      'a reversed range',
      'symbol=BTC&from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z',
      400,
      'The range ends before it starts',
    ],
    [
      'too many',
      'symbol=BTC&interval=D&from=2000-01-01T00:00:00Z',
      400,
      'This range has 9821 candles; the limit is 5000. Choose a shorter range or a longer interval',
    ],
  ])('rejects %s with a message', async (_what, query, status, error) => {
    const [code, words] = await refused(query);
    expect(code).toBe(status);
    expect(words).toContain(error);
  });

  test('a future range is empty, one that ends there ends now', async () => {
    await store('bitcoin', 'candles_1h', [bar(now() - 60 * MINUTE_MS, 10, 1, 60), bar(now(), 11, 1, 1)]);
    const hour = iso(now() - 60 * MINUTE_MS);
    expect((await candles(`symbol=BTC&from=${iso(now() + DAY_MS)}`)).candles).toEqual([]);
    expect((await candles(`symbol=BTC&from=${hour}&to=${iso(now() + 900 * DAY_MS)}`)).candles).toHaveLength(2);
  });

  test('the first and last candles of a range are whole, including the running one', async () => {
    const week = Date.UTC(2026, 10, 16);
    await store(
      'bitcoin',
      'candles_1d',
      Array.from({ length: 19 }, (_, i) => bar(week - 14 * DAY_MS + i * DAY_MS, 100 + i, 7, 1440)),
    );
    const body = await candles(`symbol=BTC&interval=W&from=${iso(week - 9 * DAY_MS)}&to=${iso(week - 3 * DAY_MS)}`);
    expect(body.candles).toEqual([
      { at: iso(week - 14 * DAY_MS), open: 100, high: 108, low: 98, close: 107, volume: 49 },
      { at: iso(week - 7 * DAY_MS), open: 107, high: 115, low: 105, close: 114, volume: 49 },
    ]);
    const running = { at: iso(week), open: 114, high: 120, low: 112, close: 119, volume: 35 };
    expect((await candles('symbol=BTC&interval=W')).candles.at(-1)).toEqual(running);
    const months = await candles('symbol=BTC&interval=M');
    expect(months.candles.map(({ at }) => at)).toEqual(['2026-11-01T00:00:00.000Z']);
  });

  test('a time without candles is a gap and stays unfilled; time covered by five-minute bars is not', async () => {
    const at = now() - 60 * MINUTE_MS;
    const minutes = [0, 1, 2, 5, 6, 20];
    await store('bitcoin', 'candles_1m', [
      ...minutes.map((i) => bar(at + i * MINUTE_MS, 100 + i, 1)),
      bar(at + 25 * MINUTE_MS, 125, 5, 5),
      bar(at + 30 * MINUTE_MS, 130, 1),
    ]);
    const one = await candles('symbol=BTC&interval=1');
    expect(one.candles).toHaveLength(8);
    const gap = (from: number, to: number) => ({ from: iso(at + from * MINUTE_MS), to: iso(at + to * MINUTE_MS) });
    expect(one.gaps).toEqual([gap(3, 4), gap(7, 19), gap(21, 24)]);
    expect((await candles('symbol=BTC&interval=5')).gaps).toEqual([gap(10, 15)]);
    expect((await candles('symbol=BTC&interval=30')).gaps).toEqual([]);
  });

  test('a missing week and month appear in the gaps too', async () => {
    const days = [Date.UTC(2026, 7, 31), Date.UTC(2026, 10, 2)].map((at) => bar(at, 50, null, 1440));
    await store('bitcoin', 'candles_1d', days);
    const gapsOf = async (interval: string) => (await candles(`symbol=BTC&interval=${interval}`)).gaps;
    expect(await gapsOf('M')).toEqual([{ from: '2026-09-01T00:00:00.000Z', to: '2026-10-01T00:00:00.000Z' }]);
    expect(await gapsOf('W')).toEqual([{ from: '2026-09-07T00:00:00.000Z', to: '2026-10-26T00:00:00.000Z' }]);
    expect(await gapsOf('D')).toEqual([{ from: '2026-09-01T00:00:00.000Z', to: '2026-11-01T00:00:00.000Z' }]);
  });

  test('a volume is known only where bars with volume cover the time', async () => {
    const at = now() - 60 * MINUTE_MS;
    await store('bitcoin', 'candles_1m', [
      bar(at, 100, 30, 5),
      bar(at + 2 * MINUTE_MS, 101, null),
      bar(at + 5 * MINUTE_MS, 102, 4),
      bar(at + 7 * MINUTE_MS, 103, 5),
      bar(at + 10 * MINUTE_MS, 104, 6),
      bar(at + 11 * MINUTE_MS, 105, null),
    ]);
    const five = await candles('symbol=BTC&interval=5');
    expect(five.candles.map(({ volume }) => volume)).toEqual([30, 9, null]);
  });

  test('five years of daily candles are one response without a gap', async () => {
    const last = Date.UTC(2026, 10, 20);
    const first = Date.UTC(2021, 10, 20);
    const days = Array.from({ length: (last - first) / DAY_MS + 1 }, (_, i) =>
      bar(first + i * DAY_MS, 100 + i, 1, 1440),
    );
    await store('bitcoin', 'candles_1d', days);
    const body = await candles(`symbol=BTC&interval=D&from=${iso(first)}`);
    expect(body.candles).toHaveLength(1827);
    expect([body.candles[0]?.at, body.candles.at(-1)?.at]).toEqual([iso(first), iso(last)]);
    expect(body).toMatchObject({ gaps: [], limitedToDays: null });
  });

  test.each([
    ['visitor', 30, 30],
    ['free', 30, 30],
    ['pro', null, 30],
  ] as const)('%s sees %s days, in minutes %s', async (who, days, minuteDays) => {
    const caller = { visitor: { get: s.get }, free: who === 'free' ? await registerUser(s, 'free') : pro, pro }[who];
    await store(
      'bitcoin',
      'candles_1d',
      Array.from({ length: 100 }, (_, i) => bar(Date.UTC(2026, 10, 20) - (99 - i) * DAY_MS, 100, 1, 1440)),
    );
    const body = await candles('symbol=BTC&interval=D&from=2020-01-01T00:00:00Z', caller);
    expect(body).toMatchObject({ limitedToDays: days });
    expect(body.candles).toHaveLength(days === null ? 100 : 31);
    expect((await candles('symbol=BTC&interval=5', caller)).limitedToDays).toBe(minuteDays);
    const old = await candles('symbol=BTC&interval=D&to=2026-09-30T00:00:00Z', caller);
    expect(old.candles).toHaveLength(days === null ? 49 : 0);
  });
});

/** Bars of one interval computed from minutes, by the UTC calendar. */
function byHand(minutes: readonly Bar[], interval: ChartInterval): Candles['candles'] {
  const startOf = (at: Date): number => {
    const midnight = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
    if (interval === 'M') return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1);
    if (interval === 'W') return midnight - ((at.getUTCDay() + 6) % 7) * DAY_MS;
    if (interval === 'D') return midnight;
    const length = Number(interval) * MINUTE_MS;
    return midnight + Math.floor((at.getTime() - midnight) / length) * length;
  };
  return [...Map.groupBy(minutes, ({ at }) => startOf(at))].map(([start, bars]) => ({
    at: iso(start),
    open: bars[0]?.open ?? 0,
    high: Math.max(...bars.map(({ high }) => high)),
    low: Math.min(...bars.map(({ low }) => low)),
    close: bars.at(-1)?.close ?? 0,
    volume: bars.reduce((sum, { volume }) => sum + (volume ?? 0), 0),
  }));
}

// It includes the clock changes in Berlin and New York.
const FIRST = Date.UTC(2026, 9, 22, 0, 0);
const minute = fc.tuple(
  fc.integer({ min: 0, max: 28 * 1440 }),
  fc.integer({ min: 10, max: 900 }),
  fc.integer({ min: 0, max: 50 }),
);

test('property: bars of any interval equal bins of the minutes, regardless of missing minutes', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(minute, { minLength: 1, maxLength: 400, selector: ([at]) => at }),
      async (drawn) => {
        const minutes = drawn
          .toSorted(([a], [b]) => a - b)
          .map(([i, price, volume]) => bar(FIRST + i * MINUTE_MS, price, volume));
        await deleteBars(s);
        await storeBars(s, 'bitcoin', 'candles_1m', minutes);
        const from = new Date(FIRST);
        await rollUp(
          s.product.market.ctx.db,
          { from: 'candles_1m', to: 'candles_1h', unit: 'hour' },
          from,
          s.clock.now(),
        );
        await rollUp(
          s.product.market.ctx.db,
          { from: 'candles_1h', to: 'candles_1d', unit: 'day' },
          from,
          s.clock.now(),
        );
        for (const interval of chartInterval.options) {
          const days = interval === '1' ? 2 : interval === '5' ? 15 : 40;
          const since = Math.max(FIRST, s.clock.now().getTime() - days * DAY_MS);
          const aligned = since - (since % DAY_MS);
          const shown = Number.isNaN(Number(interval)) ? minutes : minutes.filter(({ at }) => at.getTime() >= aligned);
          const res = await pro.get(`/api/candles?symbol=BTC&interval=${interval}&from=${iso(aligned)}`);
          const body = listCandles.reply.parse(res.json());
          expect(body.candles, interval).toEqual(
            byHand(
              shown.filter(({ at }) => at.getTime() <= s.clock.now().getTime()),
              interval,
            ),
          );
        }
      },
    ),
    { numRuns: 12 },
  );
});
