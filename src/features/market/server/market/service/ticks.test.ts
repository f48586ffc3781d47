import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { fileProduct } from '#tests/support/for-file.ts';
import type { VenueTick } from '../types.ts';
import { createTickIntake } from './ticks.ts';

const s = fileProduct({}, 'market.listing');
const ctx = () => s.product.market.ctx;
const shown = (id: string) => {
  const found = ctx().board.priceOf(id);
  if (!found) throw new Error(`${id} is not on the board`);
  return found;
};
const tick = (symbol: string, price: number, secondsFromNow = 0, quote: 'USD' | 'USDT' = 'USD'): VenueTick => ({
  symbol,
  quote,
  price,
  observedAt: new Date(s.clock.now().getTime() + secondsFromNow * 1000),
});

const withoutFetch = (row: object) => ({ ...row, fetched_at: null });

describe('ingesting ticks', () => {
  beforeEach(() => s.advance(60_000));

  test('a tick near the list price is accepted, published and shown with its venue', async () => {
    const intake = createTickIntake(ctx());
    const price = shown('bitcoin').price * 1.001;
    expect(intake.take('coinbase', [tick('BTC', price)])).toBe(1);
    await intake.publish();
    await expect.poll(() => ctx().board.find('bitcoin')?.meta.source).toBe('Coinbase');
    const coin = ctx().board.find('bitcoin');
    expect(coin?.price).toBe(price);
    expect(coin?.market_cap).toBe(Math.round(price * (ctx().board.coin('bitcoin')?.circulating_supply ?? 0)));
    expect(coin?.listing.method).toBe('computed');
  });

  test.each([
    ['another coin with the same symbol is refused', (p: number) => tick('ETH', p * 3), 0],
    ['a coin nobody lists is refused', () => tick('NOSUCH', 1), 0],
    ['a tick older than the price shown is refused', (p: number) => tick('ETH', p, -7200), 0],
    ['a tick within the first agreement is taken', (p: number) => tick('ETH', p * 1.05), 1],
  ])('%s', (_what, make, taken) => {
    expect(createTickIntake(ctx()).take('coinbase', [make(shown('ethereum').price)])).toBe(taken);
  });

  test('USDT prices are converted at the USDT price and count as computed', async () => {
    const rate = shown('tether').price;
    const intake = createTickIntake(ctx());
    intake.take('okx', [tick('SOL', shown('solana').price, 0, 'USDT')]);
    const before = shown('solana').price;
    await intake.publish();
    await expect.poll(() => ctx().board.find('solana')?.meta).toMatchObject({ source: 'OKX', method: 'computed' });
    expect(shown('solana').price).toBeCloseTo(before * rate, 6);
  });

  test('two venues do not alternate: a coin stays with its venue while it ticks', () => {
    const intake = createTickIntake(ctx());
    const { price } = shown('ripple');
    expect(intake.take('coinbase', [tick('XRP', price)])).toBe(1);
    expect(intake.take('okx', [tick('XRP', price, 5, 'USDT')])).toBe(0);
    expect(intake.take('okx', [tick('XRP', price, 25, 'USDT')])).toBe(1);
  });
});

describe('minute candles', () => {
  test('property: whenever it is stored, a minute is its first, highest, lowest and last tick', async () => {
    const { db } = ctx();
    const key = (await db.selectFrom('coins').select('key').where('id', '=', 'sui').executeTakeFirstOrThrow()).key;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ move: fc.double({ min: 0.95, max: 1.05, noNaN: true }), store: fc.boolean() }), {
          minLength: 1,
          maxLength: 8,
        }),
        async (steps) => {
          s.advance(120_000 - (s.clock.now().getTime() % 60_000));
          const minute = s.clock.now().toISOString();
          const intake = createTickIntake(ctx());
          const base = ctx().board.listingOf('sui')?.price ?? 1;
          const prices = steps.map((step) => base * step.move);
          for (const [i, step] of steps.entries()) {
            intake.take('coinbase', [tick('SUI', prices[i] ?? 0, i)]);
            if (step.store) await intake.flush();
          }
          await intake.flush();
          const row = await db
            .selectFrom('candles_1m')
            .selectAll()
            .where('coin_key', '=', key)
            .where('at', '=', minute)
            .executeTakeFirstOrThrow();
          expect(row).toMatchObject({
            open: prices[0],
            high: Math.max(...prices),
            low: Math.min(...prices),
            close: prices.at(-1),
            minutes: 1,
            source: 'coinbase',
          });
        },
      ),
      { numRuns: 25 },
    );
  });

  test('rolled up: hours and days match their minutes, and rolling up twice changes nothing', async () => {
    await s.job('market.rollup');
    const read = (table: 'candles_1h' | 'candles_1d') =>
      ctx().db.selectFrom(table).selectAll().orderBy('coin_key').orderBy('at').execute();
    const hours = await read('candles_1h');
    const minutes = await ctx().db.selectFrom('candles_1m').selectAll().execute();
    for (const hour of hours) {
      const inside = minutes.filter((m) => m.coin_key === hour.coin_key && m.at.slice(0, 13) === hour.at.slice(0, 13));
      expect(hour.high).toBe(Math.max(...inside.map((m) => m.high)));
      expect(hour.low).toBe(Math.min(...inside.map((m) => m.low)));
      expect(hour.minutes).toBe(Math.min(60, inside.length));
    }
    await s.job('market.rollup');
    expect((await read('candles_1h')).map(withoutFetch)).toEqual(hours.map(withoutFetch));
  });
});

test('a database that rejects writes: ticks wait and are stored once it accepts them again', async () => {
  const intake = createTickIntake(ctx());
  s.advance(120_000);
  const { price } = shown('cardano');
  intake.take('coinbase', [tick('ADA', price)]);
  const { db } = ctx();
  const { sql } = await import('kysely');
  await sql`alter table candles_1m add constraint refuse check (close < 0) not valid`.execute(db);
  await expect(intake.flush()).rejects.toThrow(/refuse/);
  await sql`alter table candles_1m drop constraint refuse`.execute(db);
  await intake.flush();
  const rows = await db
    .selectFrom('coin_quotes')
    .selectAll()
    .where('coin_id', '=', 'cardano')
    .where('source', '=', 'coinbase')
    .execute();
  expect(rows).toHaveLength(1);
});
