import type { z } from 'zod/mini';
import { checkMoment } from '#features/accounts/server/subscriptions/service.ts';
import type { ChartRange, getCandles, getCoin, SourceQuote } from '#features/market/contract/market.ts';
import { AppError } from '#kernel/errors.ts';
import type { Plan } from '#shared/contract.ts';
import type { Provenance } from '#shared/provenance.ts';
import type { BoardQuote } from '../board.ts';
import type { MarketContext } from '../context.ts';
import { HISTORY_FRESH_MS, LISTING_FRESH_MS, methodIn, PRICE_FRESH_MS, sourceName } from '../names.ts';
import { type CandleSeries, type CandleTable, findCoinKey, readCandleRows } from '../store/candles.ts';
import { readQuotes } from '../store/listing.ts';
import { type ListedDay, listedDays } from '../store/ticks.ts';
import { backfillState } from './backfill.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const RANGES = {
  '24h': { table: 'candles_1m', spanMs: DAY_MS, binMinutes: 5, interval: '5m' },
  '7d': { table: 'candles_1h', spanMs: 7 * DAY_MS, binMinutes: 60, interval: '1h' },
  '30d': { table: 'candles_1h', spanMs: 30 * DAY_MS, binMinutes: 240, interval: '4h' },
  '1y': { table: 'candles_1d', spanMs: 365 * DAY_MS, binMinutes: 1440, interval: '1d' },
  all: { table: 'candles_1d', spanMs: 50 * 365 * DAY_MS, binMinutes: 1440, interval: '1d' },
} as const satisfies Record<ChartRange, { table: CandleTable; spanMs: number; binMinutes: number; interval: string }>;

/** A coin with the latest quote of every source, newest first. */
export async function readCoin(
  ctx: MarketContext,
  id: string,
): Promise<z.infer<(typeof getCoin)['reply']> | undefined> {
  const coin = ctx.board.find(id);
  if (!coin) return undefined;
  const quotes = await readQuotes(ctx.db, id);
  return {
    coin,
    quotes: quotes.toSorted((a, b) => b.observedAt - a.observedAt).map((quote) => toSourceQuote(ctx, quote)),
  };
}

function toSourceQuote(ctx: MarketContext, quote: BoardQuote): SourceQuote {
  const { source, price, volume_24h, market_cap, change_24h, observedAt, fetchedAt, method } = quote;
  const freshMs = volume_24h === null ? PRICE_FRESH_MS : LISTING_FRESH_MS;
  const name = sourceName(source);
  const meta: Provenance = {
    source: name,
    observedAt: new Date(observedAt).toISOString(),
    fetchedAt: new Date(fetchedAt).toISOString(),
    method: methodIn(ctx.mode, method),
    staleAfter: new Date(observedAt + freshMs).toISOString(),
  };
  return { source: name, price, volume_24h, market_cap, change_24h, meta };
}

/** Market cap and volume of a coin, one value per day from its price list. */
export async function readListedDays(ctx: MarketContext, id: string, days: number): Promise<ListedDay[]> {
  const now = ctx.now();
  const rows = await listedDays(ctx.db, id, new Date(now.getTime() - days * DAY_MS), now);
  return rows.map((row) => ({ ...row, source: sourceName(row.source) }));
}

type Asked = { id: string; range: ChartRange; plan: Plan | null };

/** A chart's candles within the plan's history; requests the history if it was never fetched. */
export async function readCandles(
  ctx: MarketContext,
  { id, range, plan }: Asked,
  requestBackfill: (coinId: string) => Promise<void>,
): Promise<z.infer<(typeof getCandles)['reply']>> {
  const coinKey = ctx.board.has(id) ? await findCoinKey(ctx.db, id) : undefined;
  if (coinKey === undefined) throw new AppError('not_found', 'Unknown coin');
  const { table, spanMs, binMinutes, interval } = RANGES[range];
  const from = new Date(ctx.now().getTime() - spanMs);
  checkMoment(from, ctx.now(), plan);
  const [series, history] = await Promise.all([
    readCandleRows(ctx.db, table, coinKey, from, binMinutes),
    backfillState(ctx, id),
  ]);
  if (history === 'loading') await requestBackfill(id);
  return { range, interval, history, candles: series.candles, meta: candleProvenance(ctx, series) };
}

function candleProvenance(ctx: MarketContext, { newest }: CandleSeries): Provenance | null {
  if (!newest) return null;
  return {
    source: sourceName(newest.source),
    observedAt: newest.at,
    fetchedAt: newest.fetched_at,
    method: methodIn(ctx.mode, newest.method),
    staleAfter: new Date(Date.parse(newest.at) + HISTORY_FRESH_MS).toISOString(),
  };
}
