import {
  type Asset,
  HORIZON_DAYS,
  HORIZONS,
  type Horizon,
  type Probabilities,
  SYMBOLS,
} from '#features/analysis/contract/predictions.ts';
import type { AssetGround, Ground } from '#features/analysis/server/predictions/service.ts';
import { TRACKED } from '#features/market/contract/market.ts';
import type { Snapshot } from '#features/market/server/metrics/service.ts';
import { composeNarratives } from '#features/market/server/narratives/service.ts';
import { hasOrigin } from '#shared/figures.ts';
import { GLOSSARY } from '#shared/glossary.ts';

import type { AnalysisContext } from '../context.ts';
import type { AnalystInput, Climatology, InputAsset, InputMetric } from '../types.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Spans of the price changes in the input, in ms. */
export const SPANS = { '1h': HOUR_MS, '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS } as const;
const NARRATIVES = 10;
const LONGEST_DAYS = HORIZON_DAYS['180d'];

const METRICS = [
  'market.cap',
  'dominance.btc',
  'stablecoins.supply',
  'ssr',
  'flow.btc.net',
  'flow.eth.net',
  'fear_greed',
  'altcoin_season',
  'oi.total',
  'oi.btc',
  'oi.eth',
  'funding.market',
  'funding.btc',
  'funding.eth',
  'liquidations.long',
  'liquidations.short',
  'whales.count',
  'hash_rate',
  'difficulty',
  'addresses.btc.active',
  'macro.us10y',
  'macro.us2y',
  'macro.fed_funds',
  'macro.dollar_broad',
  'macro.oil_wti',
] as const;

/** Input of all analysts at a moment, from stored observations only. */
export async function readInput(ctx: AnalysisContext, at: Date, ground: Ground): Promise<AnalystInput> {
  const ids = TRACKED.map(({ id }) => id);
  const [days, snapshot, events] = await Promise.all([
    ctx.market.dailyCandles(ids, new Date(at.getTime() - 3 * DAY_MS), at),
    ctx.metrics.snapshotAt(at),
    ctx.eventsForModels(at, new Date(at.getTime() + LONGEST_DAYS * DAY_MS)),
  ]);
  const assets = await Promise.all(
    TRACKED.map(async ({ id, symbol }): Promise<[Asset, InputAsset]> => {
      const over = (days.get(id) ?? []).filter(({ day }) => Date.parse(`${day}T00:00:00Z`) + DAY_MS <= at.getTime());
      return [symbol, await readAsset(ctx, id, at, ground.get(symbol), over.at(-1)?.volume ?? null)];
    }),
  );
  const { narratives } = composeNarratives({ snapshot });
  return {
    issuedAt: at.toISOString(),
    assets: Object.fromEntries(assets) as AnalystInput['assets'],
    metrics: METRICS.flatMap((metric) => readMetric(snapshot, metric, at)),
    narratives: narratives.slice(0, NARRATIVES).map(({ narrative, avg_change_24h }) => ({
      name: narrative,
      change24hPercent: avg_change_24h,
    })),
    events,
    climatology: climatologyIn(ground),
  };
}

async function readAsset(
  ctx: AnalysisContext,
  id: string,
  at: Date,
  stood: AssetGround | undefined,
  volume: number | null,
): Promise<InputAsset> {
  const known = stood?.price;
  const changes = await Promise.all(
    Object.entries(SPANS).map(async ([span, ms]) => {
      const before = known && (await ctx.market.priceBefore(id, new Date(at.getTime() - ms)));
      return [span, before ? (known.usd / before.usd - 1) * 100 : null];
    }),
  );
  return {
    priceUsd: known?.usd ?? null,
    priceAgeSeconds: known ? Math.round((at.getTime() - Date.parse(known.at)) / 1000) : null,
    changePercent: Object.fromEntries(changes) as InputAsset['changePercent'],
    volume24hUsd: volume,
    dailyVolatility: stood?.standings['24h'].sigma ?? null,
  };
}

function readMetric(snapshot: Snapshot, metric: string, at: Date): InputMetric[] {
  const { value, meta } = snapshot.figure(metric);
  const term = GLOSSARY[metric];
  if (value === null || !hasOrigin(meta) || !term) return [];
  return [
    {
      name: term.name,
      unit: term.unit,
      value,
      change24hPercent: snapshot.change(metric, 'percent').value,
      source: meta.source,
      ageSeconds: Math.max(0, Math.round((at.getTime() - Date.parse(meta.observedAt)) / 1000)),
    },
  ];
}

/** Base rates of each asset; the market's are their mean. */
function climatologyIn(ground: Ground): Climatology {
  const known = SYMBOLS.flatMap((asset) => {
    const standings = ground.get(asset)?.standings;
    if (!standings) return [];
    const own = HORIZONS.map((horizon) => [horizon, standings[horizon].climatology.probabilities]);
    return [[asset, Object.fromEntries(own) as Record<Horizon, Probabilities>] as const];
  });
  if (known.length === 0) return {};
  const mean = (horizon: Horizon, outcome: keyof Probabilities) =>
    known.reduce((sum, [, own]) => sum + own[horizon][outcome], 0) / known.length;
  const market = HORIZONS.map((horizon) => [
    horizon,
    { up: mean(horizon, 'up'), flat: mean(horizon, 'flat'), down: mean(horizon, 'down') },
  ]);
  return { ...Object.fromEntries(known), market: Object.fromEntries(market) };
}
