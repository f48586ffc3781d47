import { marketTopic } from '#features/market/contract/market.ts';
import { type Fence, ignoreLeadershipLost, noFence } from '#kernel/leader.ts';
import type { MarketContext } from '../context.ts';
import { startLiveTicks, type Venue } from '../providers/live-ticks.ts';
import { createTickIntake, type TickIntake } from './ticks.ts';

const PUBLISH_MS = 1_000;
const FLUSH_MS = 10_000;
const SOURCES_MS = 15_000;

export type Collector = { intake: TickIntake; stop: () => Promise<void> };

/**
 * Maintains the venues' streams in the leading process and forwards their ticks. An intake passed in outlives the
 * collector: what could not be stored when the database was lost is stored by the next one.
 */
export function startCollector(
  ctx: MarketContext,
  intake: TickIntake = createTickIntake(ctx),
  fence: Fence = noFence,
): Collector {
  const { config } = ctx;
  const venues: Venue[] = [
    {
      source: 'coinbase',
      name: 'Coinbase',
      ccxtId: 'coinbaseexchange',
      quote: 'USD',
      restUrl: config.COINBASE_BASE_URL,
      wsUrl: config.COINBASE_WS_URL,
    },
    {
      source: 'okx',
      name: 'OKX',
      ccxtId: 'okx',
      quote: 'USDT',
      restUrl: config.OKX_BASE_URL,
      wsUrl: config.OKX_WS_URL,
    },
  ];
  const symbols = () => ctx.board.coins().map((coin) => coin.symbol);
  let streams: { stop: () => Promise<void> }[] = [];
  let stopped = false;

  const startStreams = () => {
    if (streams.length > 0 || stopped || ctx.board.size() === 0) return;
    streams = venues.map((venue) =>
      startLiveTicks({
        venue,
        symbols,
        now: ctx.now,
        onTicks: (ticks) => intake.take(venue.source, ticks),
        onUp: () => ctx.sources.succeeded(venue.source),
        onDown: (error) => ctx.sources.failed(venue.source, error),
      }),
    );
  };

  const every = (ms: number, what: string, run: () => Promise<unknown>) => {
    let busy = false;
    const timer = setInterval(() => {
      if (busy) return;
      busy = true;
      run()
        .catch(
          ignoreLeadershipLost((error) => ctx.report('market.collector', 'data_collection', `${what} failed`, error)),
        )
        .finally(() => {
          busy = false;
        });
    }, ms);
    return () => clearInterval(timer);
  };

  const timers = [
    every(PUBLISH_MS, 'Failed to publish ticks', async () => {
      startStreams();
      await intake.publish(fence);
    }),
    every(FLUSH_MS, 'Failed to store ticks', () => intake.flush(fence)),
    every(SOURCES_MS, 'Failed to store source states', async () => {
      if (await ctx.sources.save())
        await ctx.live.publish(marketTopic, { at: ctx.now().getTime(), changed: ['sources', 'dashboard'] });
    }),
  ];
  startStreams();

  return {
    intake,
    async stop() {
      stopped = true;
      for (const stop of timers) stop();
      await Promise.all(streams.map((stream) => stream.stop()));
      try {
        await intake.flush(fence);
      } finally {
        await ctx.sources.save();
      }
    },
  };
}
