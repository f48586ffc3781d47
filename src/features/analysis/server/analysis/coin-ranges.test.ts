import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { getCoinRanges, getCoinRangesRecord } from '#features/market/contract/coin-ranges.ts';
import { fileProduct } from '#tests/support/for-file.ts';

const COINS = ['dogecoin', 'cardano', 'tether', 'bitcoin'];
const HOUR_MS = 3_600_000;

const s = fileProduct({ env: { COIN_LIMIT: '40' } }, 'market.listing');

const rangesOf = async (id: string) =>
  getCoinRanges.reply.parse((await s.get(`/api/coins/${id}/ranges`)).json()).ranges;

/** Five minutes past the hour `hours` later, with the candles until then. */
async function later(hours: number): Promise<void> {
  s.advance(hours * HOUR_MS);
  await s.job('market.listing');
  for (const coinId of COINS) await s.job('market.backfill', { coinId });
  await s.job('analysis.coin-ranges');
}

test('a coin without history has no range, and an unknown coin is rejected', async () => {
  await s.job('analysis.coin-ranges');
  expect(await rangesOf('dogecoin')).toEqual([]);
  expect((await s.get('/api/coins/no-such-coin/ranges')).json()).toMatchObject({ code: 'not_found' });
});

test('requests ranges every minute until there are some', async () => {
  const waiting = () => s.product.scheduler.waiting('analysis.coin-ranges');
  await s.job('analysis.watch');
  expect(await waiting()).toHaveLength(1);
});

test('a coin with history has ranges from its last daily close, with the past coverage of such ranges', async () => {
  await later(0);
  const ranges = await rangesOf('dogecoin');
  expect(ranges.map(({ horizon }) => horizon)).toEqual(['24h', '7d', '28d']);
  const [day] = ranges;
  expect(day).toMatchObject({
    starts_at: '2026-11-20T00:00:00.000Z',
    issued_at: '2026-11-20T12:00:00.000Z',
    record: null,
    replay: { n: expect.any(Number) },
    meta: { source: 'Built-in analyst (statistics, no AI)', method: 'computed' },
  });
  expect(day?.replay?.n).toBeGreaterThan(250);
  expect(day?.replay?.coverage_80).toBeCloseTo(0.8, 0);
  expect(day?.range_80.low).toBeLessThan(day?.price ?? 0);
  expect(day?.range_95.high).toBeGreaterThan(day?.range_80.high ?? Infinity);
  expect(await rangesOf('tether')).toEqual([]);
  // Bitcoin's ranges come from analyses, and none has run yet.
  expect(await rangesOf('bitcoin')).toEqual([]);
});

test('counts only ranges created in the first hour of their day, graded at the final day’s close', async () => {
  // 12:00 to 00:05.
  s.advance(5 * 60_000);
  await later(12);
  const [made] = await rangesOf('dogecoin');
  expect(made).toMatchObject({ starts_at: '2026-11-21T00:00:00.000Z', record: null });
  await later(24);
  const [next] = await rangesOf('dogecoin');
  const isHeld = made && next && made.range_80.low <= next.price && next.price <= made.range_80.high;
  expect(next).toMatchObject({ starts_at: '2026-11-22T00:00:00.000Z', record: { n: 1, coverage_80: isHeld ? 1 : 0 } });
});

test('a day missing its last hours neither grades nor starts a range', async () => {
  const { db } = s.product.market.ctx;
  await later(24);
  const [before] = await rangesOf('dogecoin');
  s.advance(24 * HOUR_MS);
  await s.job('market.listing');
  await s.job('market.backfill', { coinId: 'dogecoin' });
  // Simulates prices that stop at 20:00.
  await sql`delete from candles_1h where at >= '2026-11-23T20:00Z'`.execute(db);
  await sql`update candles_1d set minutes = 1200 where at = '2026-11-23T00:00Z'`.execute(db);
  await s.job('analysis.coin-ranges');
  expect(before?.record?.n).toBe(2);
  expect((await rangesOf('dogecoin'))[0]).toMatchObject({ starts_at: '2026-11-23T00:00:00.000Z', record: { n: 2 } });
  await s.job('market.backfill', { coinId: 'dogecoin' });
  await s.job('analysis.coin-ranges');
  expect((await rangesOf('dogecoin'))[0]).toMatchObject({ starts_at: '2026-11-24T00:00:00.000Z', record: { n: 3 } });
});

test('the record of all coins includes each of them and how many have a range now', async () => {
  const { coins, horizons } = getCoinRangesRecord.reply.parse((await s.get('/api/track-record/ranges')).json());
  // Dogecoin and Cardano: Tether hardly moves, Bitcoin is one of the five.
  expect([coins, horizons.map(({ horizon, record }) => [horizon, record?.n])]).toEqual([
    2,
    [
      ['24h', 5],
      ['7d', undefined],
      ['28d', undefined],
    ],
  ]);
  expect(horizons[0]?.replay?.n).toBeGreaterThan(500);
});

test('stored ranges are created once and never change', async () => {
  const { db } = s.product.market.ctx;
  const all = () => db.selectFrom('coin_ranges').selectAll().orderBy('starts_at').execute();
  const before = await all();
  await s.job('analysis.coin-ranges');
  expect(await all()).toEqual(before);
  for (const change of [sql`update coin_ranges set high_80 = high_95`, sql`delete from coin_ranges`])
    await expect(change.execute(db)).rejects.toThrow('coin_ranges is append-only');
});
