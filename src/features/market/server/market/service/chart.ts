import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import type { Candles, ChartInterval } from '#features/market/contract/market.ts';
import { AppError } from '#kernel/errors.ts';
import type { Plan } from '#shared/contract.ts';
import type { Provenance } from '#shared/provenance.ts';

import type { BoardCoin } from '../board.ts';
import type { MarketContext } from '../context.ts';
import { HISTORY_FRESH_MS, methodIn, sourceName } from '../names.ts';
import { type Bin, type ChartRow, chartRows } from '../store/bars.ts';
import { type CandleTable, findCoinKey } from '../store/candles.ts';
import { backfillState } from './backfill.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WEEK_MS = 7 * DAY_MS;
/** 1970 began on a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The source table of each interval, and its default number of candles. */
const INTERVALS = {
  '1': { table: 'candles_1m', bin: 1, usual: 480 },
  '5': { table: 'candles_1m', bin: 5, usual: 576 },
  '15': { table: 'candles_1m', bin: 15, usual: 672 },
  '30': { table: 'candles_1m', bin: 30, usual: 672 },
  '60': { table: 'candles_1h', bin: 60, usual: 720 },
  '240': { table: 'candles_1h', bin: 240, usual: 540 },
  D: { table: 'candles_1d', bin: 'day', usual: 365 },
  W: { table: 'candles_1d', bin: 'week', usual: 260 },
  M: { table: 'candles_1d', bin: 'month', usual: 120 },
} as const satisfies Record<ChartInterval, { table: CandleTable; bin: Bin; usual: number }>;

const fillGaps = (bin: Bin): number => (typeof bin === 'number' ? bin * MINUTE_MS : bin === 'week' ? WEEK_MS : DAY_MS);

/** Start of the candle `steps` after the one that contains the moment; ms since epoch, always UTC. */
function candleStart(interval: ChartInterval, moment: number, steps = 0): number {
  const { bin } = INTERVALS[interval];
  if (bin === 'month') {
    const day = new Date(moment);
    return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + steps, 1);
  }
  const origin = bin === 'week' ? FIRST_MONDAY_MS : 0;
  return (Math.floor((moment - origin) / fillGaps(bin)) + steps) * fillGaps(bin) + origin;
}

/** Number of candles between two starts. */
export function candlesBetween(interval: ChartInterval, first: number, last: number): number {
  const { bin } = INTERVALS[interval];
  if (bin !== 'month') return Math.round((last - first) / fillGaps(bin));
  const [a, b] = [new Date(first), new Date(last)];
  return (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
}

const MOST_CANDLES = 5000;

type Asked = {
  symbol: string;
  interval: ChartInterval;
  from?: string | undefined;
  to?: string | undefined;
  plan: Plan | null;
};
type Range = { first: number; end: number };

/** Candles of one interval; requests the history if it was never fetched. */
export async function readChart(
  ctx: MarketContext,
  { symbol, interval, from, to, plan }: Asked,
  requestBackfill: (coinId: string) => Promise<void>,
): Promise<Candles> {
  const limitedToDays = historyLimit(ctx, interval, plan);
  const range = resolveRange(ctx.now().getTime(), interval, { from, to, limitedToDays });
  const coin = findCoin(ctx.board.coins(), symbol);
  const coinKey = coin && (await findCoinKey(ctx.db, coin.id));
  if (ctx.board.size() === 0)
    throw new AppError('unavailable', 'No prices available yet. Please try again in a minute');
  if (!coin || coinKey === undefined) throw new AppError('not_found', 'Unknown symbol');
  const [rows, history] = await Promise.all([
    range ? chartRows(ctx.db, coinKey, INTERVALS[interval], new Date(range.first), new Date(range.end)) : [],
    backfillState(ctx, coin.id),
  ]);
  if (history === 'loading') await requestBackfill(coin.id);
  return {
    id: coin.id,
    symbol: coin.symbol,
    interval,
    history,
    candles: rows.map(({ at, open, high, low, close, volume }) => ({ at, open, high, low, close, volume })),
    gaps: gapsIn(rows, interval),
    limitedToDays,
    meta: chartProvenance(ctx, rows),
  };
}

/** The highest ranked coin of that symbol; else the coin with that id. */
function findCoin(coins: BoardCoin[], given: string): BoardCoin | undefined {
  const symbol = given.toUpperCase();
  const place = ({ rank }: BoardCoin) => rank ?? Number.POSITIVE_INFINITY;
  const named = coins.filter((coin) => coin.symbol.toUpperCase() === symbol);
  const [best] = named.toSorted((a, b) => place(a) - place(b) || (a.id < b.id ? -1 : 1));
  return best ?? coins.find(({ id }) => id === given.toLowerCase());
}

/** The plan's limit, and the retention of minutes. */
function historyLimit({ config }: MarketContext, interval: ChartInterval, plan: Plan | null): number | null {
  const shown = PLAN_LIMITS[plan ?? 'free'].historyDays;
  if (INTERVALS[interval].table !== 'candles_1m') return shown;
  return Math.min(config.MINUTE_CANDLE_DAYS, shown ?? Number.POSITIVE_INFINITY);
}

/** Starts of whole candles; undefined when the range contains none. */
function resolveRange(
  now: number,
  interval: ChartInterval,
  { from, to, limitedToDays }: { from?: string | undefined; to?: string | undefined; limitedToDays: number | null },
): Range | undefined {
  const last = to === undefined ? now : Math.min(now, Date.parse(to));
  const since = from === undefined ? candleStart(interval, last, 1 - INTERVALS[interval].usual) : Date.parse(from);
  if (from !== undefined && to !== undefined && since > Date.parse(to))
    throw new AppError('bad_request', 'The range ends before it starts');
  const shown = limitedToDays === null ? since : Math.max(since, now - limitedToDays * DAY_MS);
  if (shown > last) return undefined;
  const range = { first: candleStart(interval, shown), end: candleStart(interval, last, 1) };
  const count = candlesBetween(interval, range.first, range.end);
  if (count > MOST_CANDLES)
    throw new AppError(
      'bad_request',
      `This range has ${count} candles; the limit is ${MOST_CANDLES}. Choose a shorter range or a longer interval`,
    );
  return range;
}

function gapsIn(rows: readonly ChartRow[], interval: ChartInterval): Candles['gaps'] {
  return rows.slice(1).flatMap((row, i) => {
    const before = rows[i] as ChartRow;
    const begins = Date.parse(row.at);
    const covered = candleStart(interval, Date.parse(before.ended_at) - 1, 1);
    const missing = Math.max(candleStart(interval, Date.parse(before.at), 1), covered);
    if (missing >= begins) return [];
    const [from, to] = [missing, candleStart(interval, begins, -1)].map((at) => new Date(at).toISOString());
    return [{ from: from as string, to: to as string }];
  });
}

/** Every contributing source, the one with most candles first; the age is that of the newest. */
function chartProvenance(ctx: MarketContext, rows: readonly ChartRow[]): Provenance | null {
  const newest = rows.at(-1);
  if (!newest) return null;
  const bySource = [...Map.groupBy(rows, ({ source }) => source)].toSorted(([, a], [, b]) => b.length - a.length);
  return {
    source: bySource.map(([source]) => sourceName(source)).join(', '),
    observedAt: newest.observed_at,
    fetchedAt: newest.fetched_at,
    method: methodIn(ctx.mode, newest.method),
    staleAfter: new Date(Date.parse(newest.observed_at) + HISTORY_FRESH_MS).toISOString(),
  };
}
