import { TRACKED } from '#features/market/contract/market.ts';
import { SourceError } from '#kernel/http/source-error.ts';
import type { MarketContext } from '../context.ts';
import { methodIn } from '../names.ts';
import { CANDLES_1H, CANDLES_1M } from '../schema.ts';
import {
  type BarProvenance,
  type CandleTable,
  coinsToBackfill,
  coinsWithoutOlder,
  findBackfill,
  findCoin,
  markOlderRead,
  oldestDay,
  saveBackfill,
  saveBars,
} from '../store/candles.ts';
import type { Bar, BarInterval, CandleProvider } from '../types.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Rules are backtested on 90 days of hours plus the day before; forecasts are fitted on four years of days. */
const DAYS_OF_FORECASTS = 1500;
const TRACKED_DAYS: Partial<Record<BarInterval, number>> = { '1h': 92, '1d': DAYS_OF_FORECASTS };
/** The shortest history among the sources, with some tolerance. */
const ENOUGH_DAYS_OF_HOURS = 85;
/** The youngest of the five coins has traded since May 2023. */
const ENOUGH_DAYS = 1000;
export const TRACKED_IDS: readonly string[] = TRACKED.map(({ id }) => id);
const PLAN: { interval: BarInterval; table: CandleTable; days: number }[] = [
  { interval: '1h', table: 'candles_1h', days: 31 },
  { interval: '1d', table: 'candles_1d', days: 366 },
  { interval: '5m', table: 'candles_1m', days: 1 },
];

/** Fetches a coin's history from the first source that has it: hourly, daily and five-minute bars. Idempotent. */
export async function backfillCoin(ctx: MarketContext, coinId: string, signal: AbortSignal): Promise<void> {
  const coin = await findCoin(ctx.db, coinId);
  if (!coin) return;
  const through = ctx.now();
  const failures: SourceError[] = [];
  for (const provider of ctx.candles) {
    try {
      const stored = await backfillFrom(ctx, provider, coin, through, signal);
      if (!stored) continue;
      await saveBackfill(ctx.db, {
        coin_id: coinId,
        state: 'complete',
        source: provider.source,
        note: null,
        through: through.toISOString(),
      });
      return;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      failures.push(error);
    }
  }
  const passing = failures.find(isPassing);
  if (passing) throw passing;
  const note = failures[0]?.message ?? 'No source provides history for this coin';
  await saveBackfill(ctx.db, {
    coin_id: coinId,
    state: 'unavailable',
    source: null,
    note,
    through: through.toISOString(),
  });
}

type Found = NonNullable<Awaited<ReturnType<typeof findCoin>>>;

const isPassing = ({ kind }: SourceError): boolean =>
  ['resting', 'spent', 'rate_limited', 'cancelled', 'network', 'timeout'].includes(kind);

/**
 * Fetches daily candles older than the stored ones, from the first source that reaches that far. Requested once per
 * coin.
 */
export async function backfillOlder(ctx: MarketContext, coinId: string, signal: AbortSignal): Promise<void> {
  const coin = await findCoin(ctx.db, coinId);
  const oldest = coin && (await oldestDay(ctx.db, coin.key));
  if (!oldest) return;
  const [now, from] = [ctx.now(), new Date(ctx.now().getTime() - DAYS_OF_FORECASTS * DAY_MS)];
  for (const provider of ctx.candles.filter(({ daysBack }) => daysBack === null || daysBack >= DAYS_OF_FORECASTS)) {
    try {
      const bars = oldest > from ? await provider.bars(coin, '1d', from, oldest, signal) : [];
      if (!bars) continue;
      await saveBars(ctx.db, 'candles_1d', whole(bars, '1d', now), provenance(ctx, provider, coin, now));
      break;
    } catch (error) {
      if (!(error instanceof SourceError) || isPassing(error)) throw error;
    }
  }
  await markOlderRead(ctx.db, coinId, now);
}

async function backfillFrom(
  ctx: MarketContext,
  provider: CandleProvider,
  coin: Found,
  to: Date,
  signal: AbortSignal,
): Promise<boolean> {
  for (const { interval, table, days: usual } of PLAN) {
    const days = (TRACKED_IDS.includes(coin.id) && TRACKED_DAYS[interval]) || usual;
    const from = new Date(to.getTime() - days * DAY_MS);
    const bars = await provider.bars(coin, interval, from, to, signal);
    if (!bars) return false;
    if (table === 'candles_1m') await ctx.partitions.ensure(CANDLES_1M, from, to);
    if (table === 'candles_1h') await ctx.partitions.ensure(CANDLES_1H, from, to);
    await saveBars(ctx.db, table, whole(bars, interval, to), provenance(ctx, provider, coin, to));
  }
  return true;
}

const provenance = (
  { mode }: MarketContext,
  { source, method }: CandleProvider,
  { key }: Found,
  fetchedAt: Date,
): BarProvenance => ({ coinKey: key, source, fetchedAt, method: methodIn(mode, method) });

/** The incomplete bar covers only the minutes that have passed. */
function whole(bars: Bar[], interval: BarInterval, now: Date): Bar[] {
  const length = { '5m': 5, '1h': 60, '1d': 1440 }[interval];
  return bars.map((bar) => ({
    ...bar,
    minutes: Math.max(1, Math.min(length, Math.floor((now.getTime() - bar.at.getTime()) / 60_000))),
  }));
}

/**
 * Coins of a live installation whose older days were not requested yet, largest first; none until every coin has its
 * history.
 */
export const missingOlder = async (ctx: MarketContext): Promise<string[]> =>
  ctx.mode === 'live' ? coinsWithoutOlder(ctx.db, TRACKED_IDS) : [];

/** Coins with missing history, or a gap since the product last ran. */
export function missingBackfills(ctx: MarketContext): Promise<string[]> {
  const before = (ms: number) => new Date(ctx.now().getTime() - ms);
  return coinsToBackfill(ctx.db, before(2 * HOUR_MS), {
    ids: TRACKED_IDS,
    hoursSince: before(ENOUGH_DAYS_OF_HOURS * DAY_MS),
    daysSince: before(ENOUGH_DAYS * DAY_MS),
    triedBefore: before(DAY_MS),
  });
}

export async function backfillState(
  ctx: MarketContext,
  coinId: string,
): Promise<'complete' | 'loading' | 'unavailable'> {
  return (await findBackfill(ctx.db, coinId))?.state ?? 'loading';
}
