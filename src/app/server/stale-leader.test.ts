import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createReadingSource } from '#features/alerts/server/alerts/service/read.ts';
import { evaluate } from '#features/alerts/server/alerts/service.ts';
import { createTickIntake } from '#features/market/server/market/service.ts';
import { startLiquidations } from '#features/market/server/metrics/service.ts';
import { maintain } from '#features/notifications/server/telegram/poller.ts';
import { LeadershipLostError } from '#kernel/leader.ts';
import { evaluateAlerts, storeObservation } from '#tests/support/observed.ts';
import { leadTestLock } from '#tests/support/rule-owner.ts';
import { start, type TestProduct } from '#tests/support/start.ts';
import { BOT, BOT_TOKEN, chatWith } from '#tests/support/telegram.ts';

const HOUR_MS = 3_600_000;

let s: TestProduct;
beforeEach(async () => {
  s = await start({ env: { COIN_LIMIT: '20', TELEGRAM_BOT_TOKEN: BOT_TOKEN } });
});
afterEach(() => s.stop());

const db = () => s.product.market.ctx.db;
const count = async (what: string) =>
  (await sql<{ n: number }>`select count(*) as n from ${sql.raw(what)}`.execute(db())).rows[0]?.n;
const errors = () => count('error_groups');

test('does not publish or store prices it received; they wait until it leads again', async () => {
  await s.job('market.listing');
  const { ctx } = s.product.market;
  const price = (ctx.board.priceOf('bitcoin')?.price ?? 0) * 1.001;
  const intake = createTickIntake(ctx);
  const { fence, takeOver } = await leadTestLock(s);
  await takeOver();
  const tick = { symbol: 'BTC', quote: 'USD' as const, price, observedAt: s.clock.now() };
  expect(intake.take('coinbase', [tick])).toBe(1);
  const stored = () => count(`coin_quotes where source = 'coinbase'`);
  await expect(intake.publish(fence)).rejects.toThrow(LeadershipLostError);
  await expect(intake.flush(fence)).rejects.toThrow(LeadershipLostError);
  expect(await count(`live_frames where topic = 'prices'`)).toBe(0);
  expect(await stored()).toBe(0);
  await intake.flush((await leadTestLock(s)).fence);
  expect(await stored()).toBe(1);
});

test('a late candle from it widens the minute and does not close it', async () => {
  await s.job('market.listing');
  const { ctx } = s.product.market;
  const price = ctx.board.priceOf('bitcoin')?.price ?? 0;
  const [late, newer] = [createTickIntake(ctx), createTickIntake(ctx)];
  const take = (intake: typeof late, factor: number) =>
    intake.take('coinbase', [{ symbol: 'BTC', quote: 'USD', price: price * factor, observedAt: s.clock.now() }]);
  take(late, 1.02);
  s.advance(20_000);
  take(newer, 1.01);
  await newer.flush();
  await late.flush();
  const { rows } = await sql<{ close: number; high: number }>`select close, high from candles_1m
    where source = 'coinbase'`.execute(db());
  expect(rows).toEqual([{ close: price * 1.01, high: price * 1.02 }]);
});

test('raises no alert from its last known state', async () => {
  const funding = (value: number) => storeObservation(s, 'funding.market', value, { source: 'meridian' });
  await funding(0.01);
  await evaluateAlerts(s);
  s.advance(60_000);
  await funding(0.06);
  await s.product.refresh();
  const { ctx } = s.product.alerts;
  const reading = await createReadingSource(ctx)();
  const { fence, takeOver } = await leadTestLock(s);
  await takeOver();
  await expect(evaluate({ ...ctx, fence }, reading)).rejects.toThrow(LeadershipLostError);
  expect(await count('alerts')).toBe(0);
  expect(await evaluate({ ...ctx, fence: (await leadTestLock(s)).fence }, reading)).toHaveLength(1);
});

test('its watch ends without an error log entry', async () => {
  const { fence, takeOver } = await leadTestLock(s);
  await takeOver();
  await storeObservation(s, 'funding.market', 0.06, { source: 'meridian' });
  await s.product.refresh();
  const watch = s.product.alerts.watch(fence);
  await watch.stop();
  expect([await count('alert_gates'), await errors()]).toEqual([0, 0]);
});

test('liquidations it counted do not replace the fuller count', async () => {
  const { ctx } = s.product.metrics;
  const { fence, takeOver } = await leadTestLock(s);
  const counting = await startLiquidations(ctx, { flushMs: HOUR_MS, pingMs: 100, silentAfterMs: 5_000, fence });
  await expect.poll(() => counting.isUp('bybit'), { timeout: 15_000 }).toBe(true);
  await takeOver();
  s.advance(60_000);
  await expect(counting.flush()).rejects.toThrow(LeadershipLostError);
  await expect(counting.stop()).rejects.toThrow(LeadershipLostError);
  expect(await count(`metric_observations where metric like 'venue.liquidations.%'`)).toBe(0);
});

test('does not answer Telegram messages or advance the bot offset', async () => {
  const { telegram } = s.product;
  const { ctx } = telegram;
  if (!ctx.bot) throw new Error('There is no bot');
  const { fence, takeOver } = await leadTestLock(s);
  const chat = chatWith(s, 611);
  const first = maintain({ ...ctx, bot: ctx.bot }, telegram.handle, '', fence);
  await chat.sendAndReadReply('/help');
  const place = () => count(`telegram_bots where bot_id = ${BOT} and next_update_id is not null`);
  await expect.poll(place).toBe(1);
  await takeOver();
  await chat.write('/status');
  await expect
    .poll(() => s.sandbox.faults.requests('telegram', `/bot${BOT}:*/getUpdates`), { timeout: 15_000 })
    .toBeGreaterThan(1);
  await first.stop();
  expect(await chat.heard()).toHaveLength(1);
  const next = maintain({ ...ctx, bot: ctx.bot }, telegram.handle, '', (await leadTestLock(s)).fence);
  await expect.poll(async () => (await chat.heard()).length, { timeout: 15_000 }).toBe(2);
  await next.stop();
  expect(await errors()).toBe(0);
});
