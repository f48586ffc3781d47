import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Preview,
  previewThreshold,
  type Threshold,
  type ThresholdInput,
} from '#features/alerts/contract/thresholds.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { storeDailyObservations } from '#tests/support/observed.ts';
import { rule, rulesApi } from '#tests/support/own-rules.ts';
import { registerUser } from '#tests/support/people.ts';
import { collectMarket } from '#tests/support/predictions.ts';
import { statusAndMessage } from '#tests/support/rows.ts';

const DAY_MS = 86_400_000;
const s = fileProduct();
let calls: ReturnType<typeof rulesApi>;
let price: number;

beforeAll(async () => {
  await collectMarket(s);
  calls = rulesApi(s, await registerUser(s, 'ann', 'pro'));
  price = s.product.market.ctx.board.find('bitcoin')?.price ?? 0;
});

/** Advances the clock, so that tests need not wait for the rate limit. */
async function preview(more: Partial<ThresholdInput>): Promise<Preview> {
  s.advance(1000);
  const res = await calls.preview(rule(more));
  if (res.statusCode !== 200) throw new Error(res.body);
  return previewThreshold.reply.parse(res.json());
}
const rounded = (value: number) => Math.round(value);

describe('backtest results', () => {
  test('90 days of hourly data for a tracked coin, with source, line, level and fires', async () => {
    const bitcoin = await level();
    const told = await preview({ value: bitcoin });
    expect(told).toMatchObject({ metric: 'btc_price', unit: 'USD', absent: null, level: bitcoin });
    expect(told.tried).toEqual([{ source: 'OKX', grain: 'hourly closes' }]);
    expect(told.days).toBeGreaterThan(89);
    expect(told.days).toBeLessThanOrEqual(90);
    expect(told.points.length).toBeGreaterThan(200);
    expect(told.points.length).toBeLessThanOrEqual(240);
    expect(told.fireCount).toBeGreaterThan(0);
    expect(told.fires).toHaveLength(told.fireCount);
    for (const [, value] of told.fires) expect(value).toBeGreaterThanOrEqual(bitcoin);
    expect(told.perWeek).toBeCloseTo((told.fireCount / told.days) * 7, 1);
    expect(told.after.asset).toBe('BTC');
    expect(told.after.all.n).toBeGreaterThan(85);
    expect(told.after.fires.n).toBeLessThanOrEqual(told.fireCount);
  });

  test('a margin, a cooldown and a hold time suppress crossings, and the suppressed ones are counted', async () => {
    const bitcoin = await level();
    const asked = (options: ThresholdInput['options']) => preview({ value: bitcoin, options });
    const bare = await asked({ margin: 0, cooldownMinutes: 1 });
    expect(bare.suppressed).toBe(0);
    for (const options of [{ margin: bitcoin * 0.02 }, { cooldownMinutes: 10_080 }, { holdMinutes: 600 }]) {
      const told = await asked({ margin: 0, cooldownMinutes: 1, ...options });
      expect(told.fireCount).toBeLessThan(bare.fireCount);
      expect(told.fireCount + told.suppressed).toBe(bare.fireCount);
    }
  });

  test('a level never reached: no fires, the whole span is quiet, and the suggestions do fire', async () => {
    const told = await preview({ value: price * 50 });
    expect(told).toMatchObject({ fireCount: 0, perWeek: 0, fires: [], longestSilenceDays: told.days });
    expect(told.after).toMatchObject({ fires: { n: 0, mean: null }, verdict: 'no evidence' });
    expect(told.suggestions.length).toBeGreaterThan(0);
    for (const { perWeek, value } of told.suggestions) {
      const then = await preview({ value });
      expect(Math.abs((then.perWeek ?? 0) - perWeek)).toBeLessThanOrEqual(0.25 * perWeek + 0.01);
    }
  });

  test('changes in percent and in standard deviations: the line is the change', async () => {
    const percent = await preview({ condition: 'changes_by', value: 2 });
    expect(percent).toMatchObject({ unit: '%', level: 2, absent: null });
    expect(Math.min(...percent.points.map(([, value]) => value))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...percent.points.map(([, value]) => value))).toBeLessThan(100);
    const sigma = await preview({ condition: 'changes_by_sigma', value: 2 });
    expect(sigma).toMatchObject({ unit: 'σ', level: 2, absent: null });
    expect(sigma.days).toBeGreaterThan(80);
    expect(sigma.fireCount).toBeGreaterThan(0);
  });

  test('the rule itself shows its current change and starts in the matching state', async () => {
    const sigmas = { metric: 'btc_price', condition: 'changes_by_sigma' } as const;
    const change = s.product.market.ctx.board.find('bitcoin')?.change_24h ?? 0;
    const dan = rulesApi(s, await registerUser(s, 'dan', 'pro'));
    const [high, low, percent] = (
      await dan.save([
        rule({ ...sigmas, value: 20 }),
        rule({ ...sigmas, value: 0.5 }),
        rule({ condition: 'changes_by', value: 1000 }),
      ])
    ).json<Threshold[]>();
    expect(percent?.current?.value).toBeCloseTo(Math.abs(change), 9);
    const now = high?.current?.value ?? -1;
    expect(now).toBeGreaterThanOrEqual(0);
    expect(now).toBeLessThan(20);
    expect([high?.state, low?.state, percent?.state]).toEqual(['armed', now >= 0.5 ? 'fired' : 'armed', 'armed']);
    await dan.save([]);
  });

  test('a value published after its day counts from the end of that day, in the first and second condition', async () => {
    const noon = s.clock.now().getTime();
    const high = (daysAgo: number) => daysAgo % 6 < 3;
    await storeDailyObservations(s, 'macro.vix', 40, (daysAgo) => (high(daysAgo) ? 30 : 15), { source: 'fred' });
    const alone = await preview({ metric: 'vix', value: 20 });
    const and = { metric: 'vix', condition: 'above', value: 20 } as const;
    const second = await preview({ value: 0.01, options: { and } });
    expect(second.tried).toEqual([
      { source: 'OKX', grain: 'hourly closes' },
      { source: 'FRED', grain: 'daily values' },
    ]);
    const known = [38, 32, 26, 20, 14, 8, 2].map((daysAgo) => noon - (daysAgo - 1) * DAY_MS);
    expect(alone.fires.map(([at]) => at)).toEqual(known);
    expect(second.fires.map(([at]) => at)).toEqual(known);
  });

  test('any coin by its id; one without hourly data uses daily data', async () => {
    const told = await preview({ metric: 'price:ripple', value: 1 });
    expect([told.metric, told.after.asset, told.absent]).toEqual(['price:ripple', 'XRP', null]);
    const { coinId } = await daysOnly();
    const days = await preview({ metric: `price:${coinId}`, value: 1 });
    expect(days.absent).toBeNull();
    expect(days.days).toBeGreaterThan(80);
    expect(days.tried).toEqual([{ source: expect.any(String), grain: 'daily closes' }]);
  });

  test.each([
    ['exchange_flow', 'No source has provided this value yet'],
    ['ai_prediction_short', 'No AI analysis yet'],
    ['price:tether', 'History for this coin is still being collected'],
  ])('explains missing history: %s', async (metric, reason) => {
    const value = metric.startsWith('ai') ? 'BULLISH' : 1;
    expect(await preview({ metric, value })).toMatchObject({ absent: reason, points: [], level: null, days: 0 });
  });

  test('manual dragging is allowed, a script is rate-limited', async () => {
    const ben = rulesApi(s, await registerUser(s, 'ben', 'pro'));
    const replies = await Promise.all(Array.from({ length: 40 }, () => ben.preview(rule())));
    const refused = replies.filter(({ statusCode }) => statusCode === 429);
    expect(refused).toHaveLength(10);
    expect(statusAndMessage(refused[0] as never)).toEqual([
      429,
      'Too many previews in a row. Try again in a few seconds.',
    ]);
    expect(refused[0]?.headers['retry-after']).toBe('1');
    s.advance(1000);
    expect((await ben.preview(rule())).statusCode).toBe(200);
  });

  test('stores nothing', async () => {
    const { ctx } = s.product.market;
    expect(await ctx.db.selectFrom('alert_rules').selectAll().execute()).toEqual([]);
    expect(await ctx.db.selectFrom('alerts').selectAll().execute()).toEqual([]);
  });
});

/** A Bitcoin level in the middle of its history. */
async function level(): Promise<number> {
  const from = new Date(s.clock.now().getTime() - 90 * DAY_MS);
  const { values } = await s.product.market.closes('bitcoin', from, s.clock.now());
  return rounded(values.toSorted()[Math.floor(values.length / 2)] as number);
}

/** A listed coin without hourly candles. */
async function daysOnly(): Promise<{ coinId: string }> {
  const coinId = 'dogecoin';
  await s.job('market.backfill', { coinId });
  const { db } = s.product.market.ctx;
  const { key } = await db.selectFrom('coins').select('key').where('id', '=', coinId).executeTakeFirstOrThrow();
  await db.deleteFrom('candles_1h').where('coin_key', '=', key).execute();
  return { coinId };
}
