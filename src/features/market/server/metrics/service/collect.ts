import { marketTopic } from '#features/market/contract/market.ts';
import { SourceError } from '#kernel/http/source-error.ts';

import type { MetricsContext } from '../context.ts';
import { FUTURES_ASSETS } from '../futures.ts';
import { findRule, OWN, RULES } from '../metrics.ts';
import { METRIC_ADAPTERS } from '../sources.ts';
import { finishedBackfills, observationsBetween, saveBackfill, saveObservations } from '../store.ts';
import type { Lane, ListedFigures, MetricSource, Observation, ReadContext, StoredObservation } from '../types.ts';
import { deriveDerivatives, deriveMarket, derivePast, deriveSeason, deriveWhales } from './derive.ts';
import { coveredUntil, HOUR_MS, minutesIn, storedCloses } from './liquidation-tally.ts';
import { deriveNarratives } from './narratives.ts';
import { readSnapshot } from './read-snapshot.ts';
import { fillSimulatedPast } from './simulated-past.ts';

const DAY_HOURS = 24;

/** An hour with only seconds of stream and no liquidations is no evidence. */
const hasCoverage = (row: StoredObservation) => row.value > 0 || minutesIn(row) > 0;

/**
 * Liquidations of the last 24h: hourly sums of every venue as monitored. An hour that began before the window is
 * excluded, since a share of it would be an estimate. Without any monitored hour there is no figure.
 */
async function deriveLiquidations(ctx: MetricsContext): Promise<Observation[]> {
  const now = ctx.now();
  const from = now.getTime() - DAY_HOURS * HOUR_MS;
  const { longs, shorts } = await storedCloses(ctx, from);
  const rows = [...longs, ...shorts];
  const venues = [...new Set(rows.filter(hasCoverage).map(({ source }) => source))];
  if (venues.length === 0) return [];
  const total = (of: StoredObservation[]) => of.reduce((sum, row) => sum + row.value, 0);
  const collectedHours = (source: string) =>
    longs.filter((row) => row.source === source).reduce((sum, row) => sum + minutesIn(row) / 60, 0);
  const hours = new Map(
    venues.map((source) => [source, Math.min(DAY_HOURS, Number(collectedHours(source).toFixed(1)))]),
  );
  const newest = Math.max(...rows.map((row) => Date.parse(coveredUntil(row))));
  const hoursBySource = [...hours].map(([source, count]) => `${ctx.sources.nameOf(source)} ${count} h`).join(', ');
  const assets = FUTURES_ASSETS.map((asset) => asset.toUpperCase()).join(', ');
  const detail = {
    venues,
    terms: `Liquidations on ${assets}: ${hoursBySource}; a lower bound for the whole market`,
    collectedHours: Math.min(...hours.values()),
  };
  const observation = (metric: string, value: number): Observation => ({
    metric,
    value,
    observedAt: new Date(Math.min(newest, now.getTime())),
    detail,
  });
  return [
    observation('liquidations.long', total(longs)),
    observation('liquidations.short', total(shorts)),
    observation('liquidations.total', total(rows)),
  ];
}

/** Computes our own figures from stored data and stores them with their inputs. */
async function derive(ctx: MetricsContext): Promise<void> {
  const snapshot = await readSnapshot(ctx, ctx.now());
  const rows: Observation[] = [
    ...deriveMarket(snapshot, ctx.market.ctx.board),
    ...deriveDerivatives(snapshot),
    ...(await deriveLiquidations(ctx)),
    ...(await deriveWhales(ctx)),
    ...(await deriveSeason(ctx, snapshot)),
    ...(await deriveNarratives(ctx, snapshot)),
  ];
  await saveDerived(ctx, rows);
}

/** The same for past days; idempotent. */
async function derivePastDays(ctx: MetricsContext): Promise<void> {
  await saveDerived(ctx, await derivePast(ctx));
}

async function saveDerived(ctx: MetricsContext, rows: Observation[]): Promise<void> {
  const fetchedAt = ctx.now();
  const method = ctx.mode === 'demo' ? 'demo' : 'computed';
  await saveObservations(
    ctx.db,
    rows.map((row) => ({ ...row, source: OWN, fetchedAt, method })),
  );
}

const DAY_MS = 86_400_000;
/** A gap this long since the last run is filled from the sources' history. */
const BACKFILL_GAP_MS = DAY_MS;
const FUTURE_MS = 5 * 60_000;
/** How far back to look for an unchanged value without a timestamp. */
const UNCHANGED_LOOKBACK_DAYS = 14;

const createReadContext = (ctx: MetricsContext, source: string, signal: AbortSignal): ReadContext => ({
  now: ctx.now(),
  config: ctx.config,
  signal,
  market: { priceOf: (symbol) => ctx.market.priceOfSymbol(symbol), listed: (id) => findListed(ctx, id) },
  async stored(metric, from, by) {
    const rows = await observationsBetween(ctx.db, metric, from, ctx.now());
    return by === 'anyone' ? rows : rows.filter((row) => row.source === source);
  },
});

function findListed({ market }: MetricsContext, id: string): ListedFigures | undefined {
  const { board } = market.ctx;
  const [coin, quote] = [board.coin(id), board.listingOf(id)];
  if (!coin || quote?.source !== 'coingecko') return undefined;
  const { price, change_24h, market_cap, volume_24h, observedAt } = quote;
  return { id, symbol: coin.symbol, name: coin.name, price, change_24h, market_cap, volume_24h, observedAt };
}

const enabledAdapters = (ctx: MetricsContext) => METRIC_ADAPTERS.filter(({ source }) => ctx.sources.isOn(source));

/** A value that is not finite, or lies in the future, is not stored. */
const createValidator = (ctx: MetricsContext) => {
  const latest = ctx.now().getTime() + FUTURE_MS;
  return ({ value, observedAt }: Observation) => Number.isFinite(value) && observedAt.getTime() <= latest;
};

const toStoredRows = (ctx: MetricsContext, source: string, rows: Observation[], fetchedAt: Date) =>
  rows.filter(createValidator(ctx)).map((row) => ({
    ...row,
    source,
    fetchedAt,
    method: ctx.mode === 'demo' ? ('demo' as const) : (row.method ?? 'measured'),
  }));

/**
 * Reads every source of a lane, stores its values and derives our own figures. A failing source affects only its own
 * part.
 */
export async function collectLane(ctx: MetricsContext, lane: Lane, signal: AbortSignal): Promise<void> {
  const adapters = enabledAdapters(ctx).filter((adapter) => adapter.lane === lane);
  const collect = (adapter: MetricSource) => collectFrom(ctx, adapter, createReadContext(ctx, adapter.source, signal));
  // Block readers run in sequence: each first checks what the previous one left uncounted.
  if (lane === 'blocks') for (const adapter of adapters) await collect(adapter);
  else await Promise.all(adapters.map(collect));
  await finish(ctx);
}

async function finish(ctx: MetricsContext): Promise<void> {
  await derive(ctx);
  await ctx.sources.save();
  await ctx.live.publish(marketTopic, { at: ctx.now().getTime(), changed: ['metrics', 'sources'] });
}

/** When each adapter last responded, for those with a minimum interval. */
const lastResponses = new WeakMap<MetricsContext, Map<MetricSource, number>>();

async function collectFrom(ctx: MetricsContext, adapter: MetricSource, ask: ReadContext): Promise<void> {
  const { source } = adapter;
  const everyMs = typeof adapter.everyMs === 'function' ? adapter.everyMs(ctx.config) : (adapter.everyMs ?? 0);
  if (everyMs === null) return;
  const times = lastResponses.get(ctx) ?? new Map<MetricSource, number>();
  lastResponses.set(ctx, times);
  const last = times.get(adapter);
  if (last !== undefined && ask.now.getTime() - last < everyMs) return;
  try {
    const given = await adapter.read(ctx.sources.client(source), ask);
    const rows = await Promise.all(given.map((row) => withObservedAt(row, ask)));
    const stored = toStoredRows(ctx, source, rows, ctx.now());
    checkFreshness(ctx, adapter, stored);
    await saveObservations(ctx.db, stored);
    times.set(adapter, ask.now.getTime());
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    // When none of its items exists, the source has failed.
    if (error.kind === 'absent') ctx.sources.failed(source, error);
    ctx.log.debug({ source, error: error.message }, 'source returned no metrics');
  }
}

async function withObservedAt(row: Observation, { stored, now }: ReadContext): Promise<Observation> {
  if (!row.undated) return row;
  const before = (await stored(row.metric, new Date(now.getTime() - UNCHANGED_LOOKBACK_DAYS * DAY_MS))).at(-1);
  return before?.value === row.value ? { ...row, observedAt: new Date(before.observed_at) } : row;
}

/** A source that responds without figures has failed; one whose figures are frozen is stale. */
function checkFreshness(ctx: MetricsContext, { source, lane }: MetricSource, rows: Observation[]): void {
  const nowMs = ctx.now().getTime();
  const observationAge = ({ observedAt }: Observation) => nowMs - observedAt.getTime();
  // In the slow lane only final metrics are checked: components of sums, such as a block's counts, are old by nature.
  const checked = lane === 'listing' ? rows : rows.filter(({ metric }) => metric in RULES);
  if (lane === 'listing' && rows.length === 0) {
    ctx.sources.failed(source, new SourceError('body', `${ctx.sources.nameOf(source)} responds, but returns no value`));
  } else if (checked.length > 0 && checked.every((row) => observationAge(row) > findRule(row.metric).freshMs)) {
    const minutes = Math.round(Math.min(...checked.map(observationAge)) / 60_000);
    ctx.sources.stale(source, `Responding, but its latest value is ${minutes} minutes old`);
  }
}

/**
 * Loads the history of every source that has one; the job's next run retries failures. False while days of a demo are
 * left.
 */
export async function backfillMetrics(ctx: MetricsContext, signal: AbortSignal): Promise<boolean> {
  const done = await finishedBackfills(ctx.db);
  const failures: SourceError[] = [];
  for (const { source, past } of enabledAdapters(ctx)) {
    if (!past) continue;
    const mark = done.get(source);
    const now = ctx.now();
    if (mark && now.getTime() - Date.parse(mark.through) < BACKFILL_GAP_MS) continue;
    const from = new Date(
      mark ? Date.parse(mark.through) - DAY_MS : now.getTime() - ctx.config.METRIC_PAST_DAYS * DAY_MS,
    );
    try {
      const rows = await past(ctx.sources.client(source), from, createReadContext(ctx, source, signal));
      await saveBackfill(ctx.db, source, toStoredRows(ctx, source, rows, now), {
        state: 'complete',
        note: null,
        through: now,
      });
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      failures.push(error);
    }
  }
  const isWhole = await fillSimulatedPast(ctx, signal);
  if (isWhole) await derivePastDays(ctx);
  await finish(ctx);
  if (isWhole && failures[0]) throw failures[0];
  return isWhole;
}
