import type { Asset, Matrix, RiskRow } from '#features/analytics/contract.ts';
import { TRACKED } from '#features/market/contract/market.ts';
import type { CorrelationPair } from '#features/market/contract/metrics.ts';
import type { DailyClose } from '#features/market/server/market/service.ts';
import { readCorrelations, seasonCoins } from '#features/market/server/metrics/service.ts';
import type { FigureMeta, FigureOrigin } from '#shared/figures.ts';

import type { AnalyticsContext } from '../context.ts';
import { betaTo, computeReturnRisk, maxDrawdown, rollingVolatility } from '../risk.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LEAST_DAYS = 20;
const ROLLING_DAYS = 30;

type DayReturn = { day: string; value: number };
type Figure = { value: number | null; meta: FigureMeta };

/** Simple daily returns; a missing day removes two. */
export function dailyReturns(closes: readonly DailyClose[]): DayReturn[] {
  return closes.slice(1).flatMap(({ day, close }, i) => {
    const before = closes[i] as DailyClose;
    const isNext = Date.parse(day) - Date.parse(before.day) === DAY_MS;
    return isNext && before.close > 0 ? [{ day, value: close / before.close - 1 }] : [];
  });
}

/** Closes of completed days: one more than the number of returns. */
function closedDays({ market, now }: AnalyticsContext, days: number): Promise<Map<string, DailyClose[]>> {
  const today = Math.floor(now().getTime() / DAY_MS) * DAY_MS;
  const ids = TRACKED.map(({ id }) => id);
  return market.dailyCandles(ids, new Date(today - (days + 1) * DAY_MS), new Date(today - 1));
}

/** Risk of the tracked assets over a number of days. */
export async function readRisk(ctx: AnalyticsContext, days: number): Promise<RiskRow[]> {
  const closes = await closedDays(ctx, days);
  const bitcoin = new Map(dailyReturns(closes.get('bitcoin') ?? []).map(({ day, value }) => [day, value]));
  return TRACKED.map(({ id, symbol }) => riskRow(ctx, symbol, closes.get(id) ?? [], bitcoin, days));
}

function riskRow(
  ctx: AnalyticsContext,
  asset: Asset,
  closes: readonly DailyClose[],
  bitcoin: ReadonlyMap<string, number>,
  wanted: number,
): RiskRow {
  const returns = dailyReturns(closes);
  const common = returns.filter(({ day }) => bitcoin.has(day));
  const newest = closes.at(-1)?.day ?? '';
  const figure = (metric: string, days: number, of: () => number | null, reason: string): Figure => {
    const value = days < LEAST_DAYS ? null : of();
    if (value === null)
      return {
        value,
        meta: {
          metric,
          reason: days < LEAST_DAYS ? `${days} of ${LEAST_DAYS} required daily returns available` : reason,
        },
      };
    return { value, meta: born(ctx, metric, newest, days, wanted) };
  };
  const n = returns.length;
  const known = n < LEAST_DAYS ? null : computeReturnRisk(Float64Array.from(returns, ({ value }) => value));
  const still = 'Its price did not change';
  const figures = {
    annualised_volatility: figure('risk.volatility', n, () => known?.volatility ?? null, still),
    sharpe: figure('risk.sharpe', n, () => known?.sharpe ?? null, still),
    sortino: figure('risk.sortino', n, () => known?.sortino ?? null, 'No daily return was below the risk-free rate'),
    max_drawdown: figure('risk.drawdown', n, () => maxDrawdown(closes.map(({ close }) => close)), still),
    beta_btc: figure(
      'risk.beta',
      common.length,
      () =>
        betaTo(
          Float64Array.from(common, ({ value }) => value),
          Float64Array.from(common, ({ day }) => bitcoin.get(day) as number),
        ),
      'The BTC price did not change',
    ),
  };
  return {
    asset,
    days: n,
    annualised_volatility: figures.annualised_volatility.value,
    sharpe: figures.sharpe.value,
    sortino: figures.sortino.value,
    max_drawdown: figures.max_drawdown.value,
    beta_btc: figures.beta_btc.value,
    meta: Object.fromEntries(Object.entries(figures).map(([name, { meta }]) => [name, meta])),
  };
}

function born(
  { mode, now }: AnalyticsContext,
  metric: string,
  newest: string,
  days: number,
  wanted: number,
): FigureOrigin {
  return {
    metric,
    source: 'Meridian',
    observedAt: new Date(Date.parse(newest) + DAY_MS).toISOString(),
    fetchedAt: now().toISOString(),
    method: mode === 'demo' ? 'demo' : 'computed',
    staleAfter: new Date(Date.parse(newest) + 2 * DAY_MS + 6 * HOUR_MS).toISOString(),
    terms: `${days} daily returns to ${newest}`,
    ...(days < wanted ? { historyDays: days } : {}),
  };
}

/** Volatility over the 30 days ending on each day, percent per year, oldest first. */
export async function readRollingVolatility(ctx: AnalyticsContext, asset: Asset, days: number): Promise<DayReturn[]> {
  const id = TRACKED.find(({ symbol }) => symbol === asset)?.id ?? '';
  const returns = dailyReturns((await closedDays(ctx, days)).get(id) ?? []);
  const values = rollingVolatility(
    Float64Array.from(returns, ({ value }) => value),
    ROLLING_DAYS,
  );
  return Array.from(values, (value, i) => ({ day: returns[i + ROLLING_DAYS - 1]?.day ?? '', value }));
}

type Coin = { id: string; symbol: string };

/** The tracked assets, then the largest others that are neither stablecoins nor copies, each symbol once. */
function largest({ market }: AnalyticsContext, count: number): Coin[] {
  const { board } = market.ctx;
  const chosen: Coin[] = [...TRACKED];
  for (const id of seasonCoins(board)) {
    const coin = board.coin(id);
    if (chosen.length < count && coin && chosen.every(({ symbol }) => symbol !== coin.symbol)) chosen.push(coin);
  }
  return chosen;
}

/** Pairs of the tracked assets as `BTC_ETH`, in both orders. */
export function namedPairs({ assets, pairs }: Matrix): Record<string, CorrelationPair> {
  const tracked = assets.slice(0, TRACKED.length);
  const named = tracked.flatMap((a, i) =>
    tracked.flatMap((b, j) => {
      const pair = pairs[i]?.[j];
      return i === j || !pair ? [] : [[`${a}_${b}`, pair] as const];
    }),
  );
  return Object.fromEntries(named);
}

/** Correlations of the assets' daily log returns. */
export async function readMatrix(ctx: AnalyticsContext, days: number, count: number): Promise<Matrix> {
  const coins = count > TRACKED.length ? largest(ctx, count) : [...TRACKED];
  const pairs = await readCorrelations(ctx.metrics.ctx, coins, days);
  return { timestamp: ctx.now().toISOString(), days, assets: coins.map(({ symbol }) => symbol), pairs };
}
