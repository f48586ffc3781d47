import type { z } from 'zod/mini';

import type { AnalyticsSummary, collectAdvancedData } from '#features/analytics/contract.ts';
import { type CryptoPrice, TRACKED } from '#features/market/contract/market.ts';
import { audit } from '#kernel/audit.ts';
import type { Scheduler } from '#kernel/scheduler.ts';
import type { FigureMeta, FigureOrigin } from '#shared/figures.ts';
import { compact, percent } from '#shared/format.ts';
import type { Provenance } from '#shared/provenance.ts';

import type { AnalyticsContext } from '../context.ts';
import { RISK_FREE } from '../risk.ts';

const HIGH = 10;
const MEDIUM = 5;
/** A smaller standard deviation is a rounding error. */
const NOTHING = 1e-9;

type Part = { symbol: string; value: number; meta: Provenance };
type Figure = { value: number | null; meta: FigureMeta };

/** Current aggregates of the tracked assets. */
export function readSummary({ market, metrics, mode }: AnalyticsContext): AnalyticsSummary {
  const coins = TRACKED.flatMap(({ id }) => market.ctx.board.find(id) ?? []);
  const changes = toParts(coins, ({ change_24h }) => change_24h, 'meta');
  const volumes = toParts(coins, ({ volume_24h }) => volume_24h, 'listing');

  const figure = (metric: string, value: number | null, parts: Part[], terms: string, reason: string): Figure =>
    value === null
      ? { value, meta: { metric, reason } }
      : { value, meta: born(metric, parts, terms, mode === 'demo' ? 'demo' : 'computed') };
  const listed = (parts: Part[], text: (value: number) => string) =>
    parts.map(({ symbol, value }) => `${symbol} ${text(value)}`).join(', ');

  const volume = volumes.length > 0 ? volumes.reduce((sum, { value }) => sum + value, 0) : null;
  const mean = changes.length > 0 ? changes.reduce((sum, { value }) => sum + value, 0) / changes.length : null;
  const spread =
    mean === null || changes.length < 2
      ? null
      : Math.sqrt(changes.reduce((sum, { value }) => sum + (value - mean) ** 2, 0) / changes.length);
  const ratio = mean === null || spread === null || spread < NOTHING ? null : (mean - RISK_FREE) / spread;
  const given = listed(changes, (change) => percent(change));

  const noChange = 'No 24h change available for the tracked assets yet';
  const noSpread = changes.length < 2 ? 'Requires the 24h change of at least two assets' : '';
  const figures: Record<'totalVolume' | 'volatility' | 'riskAdjustedReturn' | 'avgChange', Figure> = {
    totalVolume: figure(
      'analytics.volume',
      volume,
      volumes,
      listed(volumes, (value) => `$${compact(value)}`),
      'No 24h volume available for the tracked assets yet',
    ),
    volatility: figure('analytics.volatility', spread, changes, given, noSpread),
    riskAdjustedReturn: figure(
      'analytics.risk_adjusted',
      ratio,
      changes,
      `(${percent(mean ?? 0)} − ${RISK_FREE}) ÷ ${(spread ?? 0).toFixed(2)}`,
      noSpread || 'The tracked assets moved identically, so volatility is zero',
    ),
    avgChange: figure('analytics.avg_change', mean, changes, given, noChange),
  };
  const dominance = metrics.current().advanced.bitcoinDominance;
  return {
    totalVolume: figures.totalVolume.value,
    volatility: spread,
    riskAdjustedReturn: ratio,
    avgChange: mean,
    bitcoinDominance: dominance.value,
    assetCount: coins.length,
    trend: mean === null ? null : mean >= 0 ? 'Bullish' : 'Bearish',
    volatilityLevel: spread === null ? null : volatilityLevel(spread),
    meta: {
      totalVolume: figures.totalVolume.meta,
      volatility: figures.volatility.meta,
      riskAdjustedReturn: figures.riskAdjustedReturn.meta,
      avgChange: figures.avgChange.meta,
      bitcoinDominance: dominance.meta['value'] as FigureMeta,
    },
  };
}

const volatilityLevel = (volatility: number): 'High' | 'Medium' | 'Low' =>
  volatility > HIGH ? 'High' : volatility > MEDIUM ? 'Medium' : 'Low';

const toParts = (coins: CryptoPrice[], of: (coin: CryptoPrice) => number | null, birth: 'meta' | 'listing'): Part[] =>
  coins.flatMap((coin) => {
    const value = of(coin);
    return value === null ? [] : [{ symbol: coin.symbol, value, meta: coin[birth] }];
  });

/** As old as the oldest part, and stale with the first of them. */
function born(metric: string, parts: Part[], terms: string, method: FigureOrigin['method']): FigureOrigin {
  const earliest = (of: (meta: Provenance) => string) => parts.map(({ meta }) => of(meta)).toSorted()[0] as string;
  return {
    metric,
    source: 'Meridian',
    venues: [...new Set(parts.map(({ meta }) => meta.source))],
    observedAt: earliest(({ observedAt }) => observedAt),
    fetchedAt: earliest(({ fetchedAt }) => fetchedAt),
    staleAfter: earliest(({ staleAfter }) => staleAfter),
    method,
    terms,
  };
}

/** The jobs that fetch the page's data. */
const JOBS = [
  { name: 'market.listing', about: 'Prices, changes, volumes and market caps of all coins' },
  { name: 'metrics.listing', about: 'Global figures, open interest and funding' },
  { name: 'metrics.slow', about: 'Sentiment, stablecoins and on-chain figures' },
  { name: 'metrics.blocks', about: 'Large transfers, block by block' },
] as const;

/** Starts jobs that are not running; a call joins a job that is queued or running. */
export async function collectNow(
  { db, now }: AnalyticsContext,
  scheduler: Scheduler,
  actorId: number,
): Promise<z.infer<(typeof collectAdvancedData)['reply']>> {
  const jobs = await Promise.all(
    JOBS.map(async (job) => {
      if (await scheduler.isUnderWay(job.name)) return { ...job, state: 'running' as const };
      await scheduler.send(job.name);
      return { ...job, state: 'started' as const };
    }),
  );
  const named = (state: 'started' | 'running') => jobs.filter((job) => job.state === state).map(({ name }) => name);
  const [started, running] = [named('started'), named('running')];
  const details = { started, running };
  await audit(db, { at: now(), actorId, subjectId: null, action: 'collection.start', details });
  const message = [
    ...(started.length > 0 ? [`Started: ${started.join(', ')}`] : []),
    ...(running.length > 0 ? [`Already running: ${running.join(', ')}`] : []),
  ].join('. ');
  return { success: true, message, jobs };
}
