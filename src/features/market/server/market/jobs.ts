import { z } from 'zod';

import { defineJob, type Job, noPayload, type Scheduler } from '#kernel/scheduler.ts';

import { okxTickers } from './providers/okx.ts';
import { CANDLES_1M, PRICE_OBSERVATIONS } from './schema.ts';
import { backfillCoin, backfillOlder, missingBackfills, missingOlder, TRACKED_IDS } from './service/backfill.ts';
import { collectAll, collectListing } from './service/collect.ts';
import { createTickIntake } from './service/ticks.ts';
import type { MarketContext } from './service.ts';
import { rollUp } from './store/candles.ts';

const STALE_TICK_MS = 45_000;
const HOUR_MS = 3_600_000;
const TRACKED_FIRST = 100;
/** After a start, the other coins wait until the first page has its analysis, which needs the tracked coins. */
const OTHERS_AFTER_S = 30;

/** The three collection lanes are configurable; each job can be run manually. */
export function marketJobs(ctx: MarketContext, scheduler: () => Scheduler): Job[] {
  const { config } = ctx;
  let hasSwept = false;
  return [
    defineJob({
      name: 'market.listing',
      about: 'Reads the price list: prices, market caps and volumes of all coins',
      schedule: [`*/${config.LISTING_MINUTES} * * * *`],
      exclusive: true,
      retryLimit: 1,
      reads: ['coingecko', 'coinpaprika'],
      payload: noPayload,
      run: async (_, signal) => {
        await collectListing(ctx, signal);
        await scheduler().send('market.backfill-sweep');
      },
    }),
    defineJob({
      name: 'market.collect',
      about: 'The full collection; { "anew": true } reads a list of its own',
      schedule: config.FULL_COLLECTION_CRON,
      exclusive: true,
      collectsSources: true,
      payload: z.preprocess((value) => value ?? {}, z.object({ anew: z.boolean().default(false) })),
      run: ({ anew }, signal) => collectAll(ctx, anew, signal),
    }),
    defineJob({
      name: 'market.tickers',
      about: 'Fast lane: exchange tickers for coins without live stream updates',
      schedule: [`*/${config.FAST_LANE_SECONDS / 60} * * * *`],
      exclusive: true,
      retryLimit: 0,
      reads: ['okx'],
      payload: noPayload,
      run: async (_, signal) => {
        const nowMs = ctx.now().getTime();
        const quiet = new Set(
          ctx.board
            .coins()
            .filter(({ id }) => nowMs - (ctx.board.priceOf(id)?.observedAt ?? 0) > STALE_TICK_MS)
            .map((coin) => coin.symbol),
        );
        if (quiet.size === 0) return;
        const intake = createTickIntake(ctx);
        const ticks = await okxTickers(ctx.clients.okx, signal);
        intake.take(
          'okx',
          ticks.filter((tick) => quiet.has(tick.symbol)),
        );
        await intake.publish();
        await intake.flush();
      },
    }),
    defineJob({
      name: 'market.rollup',
      about: 'Rolls minute candles up into hours and days',
      schedule: ['* * * * *'],
      exclusive: true,
      payload: noPayload,
      run: async () => {
        const now = ctx.now();
        const from = new Date(now.getTime() - 2 * HOUR_MS);
        await ctx.partitions.ensure({ table: 'candles_1h', every: 'month' }, from, now);
        await rollUp(ctx.db, { from: 'candles_1m', to: 'candles_1h', unit: 'hour' }, from, now);
        await rollUp(ctx.db, { from: 'candles_1h', to: 'candles_1d', unit: 'day' }, from, now);
      },
    }),
    defineJob({
      name: 'market.backfill-sweep',
      about: 'Backfills price history for coins with missing data',
      schedule: ['17 * * * *'],
      exclusive: true,
      payload: noPayload,
      run: async () => {
        const missing = await missingBackfills(ctx);
        const tracked = hasSwept ? [] : missing.filter((id) => TRACKED_IDS.includes(id));
        hasSwept = true;
        for (const [i, coinId] of (tracked.length > 0 ? tracked : missing).entries()) {
          await scheduler().send(
            'market.backfill',
            { coinId },
            { key: coinId, priority: Math.max(0, TRACKED_FIRST - i) },
          );
        }
        if (tracked.length > 0) await scheduler().send('market.backfill-sweep', {}, { afterSeconds: OTHERS_AFTER_S });
        if (missing.length > 0) return;
        for (const coinId of await missingOlder(ctx))
          await scheduler().send('market.backfill', { coinId, older: true }, { key: coinId });
      },
    }),
    defineJob({
      name: 'market.backfill',
      about:
        'Fetches the past of one coin: { "coinId": "bitcoin" }; with "older": true the days before the stored ones',
      exclusive: true,
      retryLimit: 8,
      expireSeconds: 600,
      collectsSources: true,
      payload: z.object({ coinId: z.string().min(1), older: z.boolean().default(false) }),
      run: ({ coinId, older }, signal) => (older ? backfillOlder : backfillCoin)(ctx, coinId, signal),
    }),
    defineJob({
      name: 'market.retention',
      about: 'Drops partitions past their retention period',
      schedule: ['23 3 * * *'],
      exclusive: true,
      payload: noPayload,
      run: async () => {
        await ctx.partitions.dropOld({ ...PRICE_OBSERVATIONS, keepDays: config.OBSERVATION_DAYS }, ctx.now());
        await ctx.partitions.dropOld({ ...CANDLES_1M, keepDays: config.MINUTE_CANDLE_DAYS }, ctx.now());
      },
    }),
  ];
}
