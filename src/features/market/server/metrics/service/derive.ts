import type { Board, DailyClose } from '#features/market/server/market/service.ts';
import type { MetricsContext } from '#features/market/server/metrics/context.ts';
import { FUTURES_ASSETS } from '#features/market/server/metrics/futures.ts';
import { findRule } from '#features/market/server/metrics/metrics.ts';
import { isDerivative, type Snapshot } from '#features/market/server/metrics/snapshot.ts';
import type { Observation, StoredObservation } from '#features/market/server/metrics/types.ts';
import { compact } from '#shared/format.ts';

import { WALLETS_KNOWN } from '../providers/large-transfers.ts';
import { dailyValues, observationsBetween } from '../store.ts';

/** A venue with an older figure is excluded from sums. */
const FRESH_MS = 20 * 60_000;

const oldest = (rows: StoredObservation[]) => new Date(Math.min(...rows.map((row) => Date.parse(row.observed_at))));
const sum = (rows: StoredObservation[]) => rows.reduce((total, { value }) => total + value, 0);
const sourceNames = (rows: StoredObservation[]) => [...new Set(rows.map(({ source }) => source))];

/** Open interest summed over the available venues, funding as their mean weighted by open interest. */
export function deriveDerivatives(snapshot: Snapshot): Observation[] {
  const fresh = (metric: string) =>
    snapshot.all(metric).filter((row) => snapshot.at.getTime() - Date.parse(row.observed_at) <= FRESH_MS);
  const rows: Observation[] = [];
  const interest = FUTURES_ASSETS.flatMap((asset) => fresh(`venue.oi.${asset}`));
  for (const asset of ['btc', 'eth'] as const) {
    const venues = fresh(`venue.oi.${asset}`);
    if (venues.length > 0) rows.push(openInterest(`oi.${asset}`, venues, `${venues.length} venues`));
    rows.push(...funding(`funding.${asset}`, fresh(`venue.funding.${asset}`), venues));
  }
  if (interest.length > 0) {
    const assets = FUTURES_ASSETS.map((asset) => asset.toUpperCase()).join(', ');
    rows.push(openInterest('oi.total', interest, `${sourceNames(interest).length} venues, ${assets}`));
  }
  const rates = FUTURES_ASSETS.flatMap((asset) => fresh(`venue.funding.${asset}`));
  return [...rows, ...funding('funding.market', rates, interest)];
}

function openInterest(metric: string, rows: StoredObservation[], over: string): Observation {
  return {
    metric,
    value: sum(rows),
    observedAt: oldest(rows),
    detail: { venues: sourceNames(rows), terms: `Sum over ${over}` },
  };
}

const weightKey = ({ metric, source }: StoredObservation) => `${metric.split('.').at(-1)} ${source}`;

function funding(metric: string, rates: StoredObservation[], interest: StoredObservation[]): Observation[] {
  const weights = new Map(interest.map((row) => [weightKey(row), row.value]));
  const weighed = rates.flatMap((row) => {
    const weight = weights.get(weightKey(row)) ?? 0;
    return weight > 0 ? [{ row, weight }] : [];
  });
  const total = weighed.reduce((all, { weight }) => all + weight, 0);
  if (total === 0) return [];
  const used = weighed.map(({ row }) => row);
  return [
    {
      metric,
      value: weighed.reduce((all, { row, weight }) => all + row.value * (weight / total), 0),
      observedAt: oldest(used),
      detail: { venues: sourceNames(used), terms: 'Average of the venues, weighted by open interest' },
    },
  ];
}

/** Sums over our own price list, as a fallback for global sources, and the stablecoin supply ratio. */
export function deriveMarket(snapshot: Snapshot, board: Board): Observation[] {
  const totals = board.totals();
  const bitcoin = board.find('bitcoin');
  const rows: Observation[] = [];
  if (totals.meta && totals.market_cap !== null) {
    const observedAt = new Date(totals.meta.observedAt);
    const terms = `Sum over ${totals.coins} coins`;
    rows.push({ metric: 'market.cap', value: totals.market_cap, observedAt, detail: { terms } });
    if (totals.volume_24h !== null)
      rows.push({ metric: 'market.volume', value: totals.volume_24h, observedAt, detail: { terms } });
    if (bitcoin?.market_cap)
      rows.push({
        metric: 'dominance.btc',
        value: (100 * bitcoin.market_cap) / totals.market_cap,
        observedAt,
        detail: { terms: `BTC market cap ÷ sum over ${totals.coins} coins` },
      });
  }
  return [...rows, ...supplyRatio(snapshot, bitcoin)];
}

/** SSR = BTC market cap ÷ supply of USD-pegged coins. */
function supplyRatio(snapshot: Snapshot, bitcoin: ReturnType<Board['find']>): Observation[] {
  const supply = snapshot.find('stablecoins.supply');
  if (!supply || !bitcoin?.market_cap || supply.value <= 0) return [];
  const age = snapshot.at.getTime() - Date.parse(supply.observed_at);
  if (age > findRule('ssr').freshMs) return [];
  return [
    {
      metric: 'ssr',
      value: bitcoin.market_cap / supply.value,
      // The supply changes slowly: the ratio takes the timestamp of the cap, or a later one would replace it.
      observedAt: new Date(bitcoin.listing.observedAt),
      detail: {
        venues: [supply.source, 'coingecko'],
        terms: `BTC market cap $${compact(bitcoin.market_cap)} ÷ stablecoin supply $${compact(supply.value)}`,
      },
    },
  ];
}

const DAYS = 90;
const COINS = 50;
const DAY_MS = 86_400_000;
const EVERY_MS = 55 * 60_000;
/** With fewer coins the comparison is not representative. */
const LEAST_COINS = 20;
const LEAST_DAYS = 8;

/** Ids of the top 50 eligible for the season index: no stablecoins, no copies of other coins, not BTC. */
export const seasonCoins = (board: Board): string[] =>
  board
    .prices()
    .filter((coin) => !isDerivative(coin) && coin.id !== 'bitcoin' && !pegged(coin.price, coin.change_7d))
    .slice(0, COINS)
    .map(({ id }) => id);

/** Percent of the top 50 that outperformed BTC over 90 days of our own daily closes; a shorter history is disclosed. */
export async function deriveSeason(ctx: MetricsContext, snapshot: Snapshot): Promise<Observation[]> {
  const last = snapshot.find('altcoin_season');
  const now = ctx.now();
  if (last && now.getTime() - Date.parse(last.observed_at) < EVERY_MS) return [];
  const coins = seasonCoins(ctx.market.ctx.board);
  const from = new Date(now.getTime() - (DAYS + 1) * DAY_MS);
  const closes = await ctx.market.dailyCandles([...coins, 'bitcoin'], from, now);
  const season = compareSeason(
    closes.get('bitcoin') ?? [],
    coins.map((id) => closes.get(id) ?? []),
  );
  if (!season) return [];
  const { better, compared, historyDays } = season;
  return [
    {
      metric: 'altcoin_season',
      value: (100 * better) / compared,
      observedAt: now,
      detail: {
        terms: `${better} of ${compared} coins beat BTC over ${historyDays} days`,
        ...(historyDays < DAYS ? { historyDays } : {}),
      },
    },
  ];
}

type Season = { better: number; compared: number; historyDays: number };

/**
 * How many coins outperformed BTC between its first and its last day. A coin without both days is excluded; null below
 * a week of BTC, or below 20 coins.
 */
export function compareSeason(bitcoin: readonly DailyClose[], others: readonly DailyClose[][]): Season | null {
  const first = bitcoin[0];
  const newest = bitcoin.at(-1);
  if (!first || !newest || bitcoin.length < LEAST_DAYS) return null;
  const bitcoinReturn = newest.close / first.close;
  const compared = others.flatMap((past) => {
    const start = past.find(({ day }) => day >= first.day);
    const end = past.at(-1);
    if (start?.day !== first.day || end?.day !== newest.day) return [];
    return [end.close / start.close > bitcoinReturn];
  });
  if (compared.length < LEAST_COINS) return null;
  return { better: compared.filter(Boolean).length, compared: compared.length, historyDays: bitcoin.length - 1 };
}

/** A price that stays at one dollar all week is a stablecoin, whatever its name. */
const pegged = (price: number, change7d: number | null) =>
  Math.abs(price - 1) < 0.03 && change7d !== null && Math.abs(change7d) < 1;

const HOUR_MS = 3_600_000;
const BLOCKS_AN_HOUR = 6;
/** Blocks are closer together than this, so the margin always contains one. */
const EDGE_MS = 3 * HOUR_MS;

const blockHeight = ({ detail }: StoredObservation) => Number(detail?.['height']);

/** Large Bitcoin transfers of the last 24h, summed over counted blocks; uncounted blocks are disclosed. */
export async function deriveWhales(ctx: MetricsContext): Promise<Observation[]> {
  const now = ctx.now();
  const from = now.getTime() - DAY_MS;
  const read = async (name: string) =>
    new Map(
      (await observationsBetween(ctx.db, `venue.whales.${name}`, new Date(from - EDGE_MS), now)).map((row) => [
        blockHeight(row),
        row,
      ]),
    );
  const [counts, larges, deposits] = await Promise.all([read('count'), read('large'), read('deposits')]);
  const blocks = [...counts.values()];
  const day = blocks.filter((row) => Date.parse(row.observed_at) > from);
  const newest = day.at(-1);
  if (!newest) return [];
  const heights = day.map(blockHeight);
  const lowest = Math.min(...heights);
  const isWhole = Math.max(...heights) - lowest + 1 === day.length && counts.has(lowest - 1);
  const collectedHours = isWhole ? 24 : Math.min(23, Math.round((10 * day.length) / BLOCKS_AN_HOUR) / 10);
  const total = (of: Map<number, StoredObservation>) =>
    heights.reduce((sum, height) => sum + (of.get(height)?.value ?? 0), 0);
  const observation = (metric: string, value: number, what: string): Observation => ({
    metric,
    value,
    observedAt: new Date(newest.observed_at),
    detail: {
      venues: [...new Set(day.map(({ source }) => source))],
      terms: `${what}, in ${day.length} Bitcoin blocks`,
      collectedHours,
    },
  });
  return [
    observation('whales.count', total(counts), 'Outputs of $1M or more, excluding change'),
    observation('whales.large', total(larges), 'Outputs of $10M or more, excluding change'),
    observation(
      'whales.deposits',
      total(deposits),
      `Outputs of $1M or more to ${WALLETS_KNOWN} published exchange wallets`,
    ),
  ];
}

const SEASON_DAYS = 90;

const dayEnd = (day: string) => new Date(Date.parse(day) + DAY_MS - 1000);

/** Our own figures on past days, from the stored history of their inputs: the day's last value counts. */
export async function derivePast(ctx: MetricsContext): Promise<Observation[]> {
  const now = ctx.now();
  const from = new Date(now.getTime() - ctx.config.METRIC_PAST_DAYS * DAY_MS);
  const today = now.toISOString().slice(0, 10);
  const coins = seasonCoins(ctx.market.ctx.board);
  const closes = await ctx.market.dailyCandles([...coins, 'bitcoin'], from, now);
  const bitcoin = (closes.get('bitcoin') ?? []).filter(({ day }) => day < today);
  return [...(await ratios(ctx, bitcoin, from)), ...seasons(coins, closes, bitcoin)];
}

/** The supply of BTC grows by less than one percent per year, so today's is used for the past. */
async function ratios(ctx: MetricsContext, bitcoin: DailyClose[], from: Date): Promise<Observation[]> {
  const supply = ctx.market.ctx.board.coin('bitcoin')?.circulating_supply;
  if (!supply) return [];
  const rows = await dailyValues(ctx.db, ['stablecoins.supply'], from, ctx.now());
  const stablecoins = new Map(rows.map(({ day, value }) => [day, value]));
  return bitcoin.flatMap(({ day, close }): Observation[] => {
    const pegged = stablecoins.get(day);
    if (!pegged) return [];
    const terms = 'BTC close × current supply ÷ stablecoin supply that day';
    return [{ metric: 'ssr', value: (close * supply) / pegged, observedAt: dayEnd(day), detail: { terms } }];
  });
}

function seasons(coins: string[], closes: Map<string, DailyClose[]>, bitcoin: DailyClose[]): Observation[] {
  const others = coins.map((id) => closes.get(id) ?? []);
  return bitcoin.slice(SEASON_DAYS).flatMap(({ day: last }, i): Observation[] => {
    const window = (past: DailyClose[]) => past.filter(({ day }) => day >= (bitcoin[i]?.day ?? '') && day <= last);
    const season = compareSeason(bitcoin.slice(i, i + SEASON_DAYS + 1), others.map(window));
    if (!season) return [];
    const { better, compared } = season;
    const terms = `${better} of ${compared} coins of today’s top 50 beat BTC over ${SEASON_DAYS} days`;
    return [
      { metric: 'altcoin_season', value: (100 * better) / compared, observedAt: dayEnd(last), detail: { terms } },
    ];
  });
}
