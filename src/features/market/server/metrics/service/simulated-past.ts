import { TRACKED } from '#features/market/contract/market.ts';
import { SourceError } from '#kernel/http/source-error.ts';

import type { MetricsContext } from '../context.ts';
import { OWN } from '../metrics.ts';
import { createSnapshot } from '../snapshot.ts';
import { METRIC_ADAPTERS } from '../sources.ts';
import { finishedBackfills, saveBackfill } from '../store.ts';
import type { MetricSource, Observation, PastMarket, ReadContext, StoredObservation } from '../types.ts';
import { deriveDerivatives } from './derive.ts';

const DAY_MS = 86_400_000;
/** Marks how far the past reaches; days are stored newest first, so that a month is available soon. */
const MARK = 'simulated-past';
/** A source with its own history is not read day by day; counting a year of blocks would cost more than it is worth. */
const isRequested = ({ lane, past }: MetricSource) => lane === 'listing' || (lane === 'slow' && !past);

type Write = Observation & { source: string; fetchedAt: Date; method: 'demo' };

/** Moments per run; the rest of a first start continues in later runs. */
const SLICE = 32;

/**
 * Reads the simulated market backwards day by day through the normal adapters, a month per run, and resumes where it
 * ended. False while days are left.
 */
export async function fillSimulatedPast(ctx: MetricsContext, signal: AbortSignal): Promise<boolean> {
  if (!ctx.openPast) return true;
  const mark = (await finishedBackfills(ctx.db)).get(MARK);
  const now = ctx.now();
  const until = now.getTime() - ctx.config.METRIC_PAST_DAYS * DAY_MS;
  const moments = simulationTimes(now.getTime(), until).filter((time) => !mark || time < Date.parse(mark.through));
  if (moments.length === 0) return true;
  const world = await ctx.openPast();
  try {
    const prices = await pricesByDay(ctx, new Date(until), now);
    for (const moment of moments.slice(0, SLICE)) {
      if (signal.aborted) break;
      const at = new Date(moment);
      const rows = await readDay(ctx, world, at, prices, signal);
      await saveBackfill(ctx.db, MARK, rows, { state: 'complete', note: null, through: at });
    }
  } finally {
    await world.close();
  }
  return moments.length <= SLICE && !signal.aborted;
}

/** Alerts and backtests read 90 days; before that, weekly points are enough for a one-year chart. */
const EVERY_DAY = 92;

/**
 * Midnights, newest first: simulating prices second by second within a day is slow. Also the moment exactly a day ago,
 * for the first 24-hour changes.
 */
function simulationTimes(now: number, until: number): number[] {
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  const days = Array.from(
    { length: Math.floor((midnight - until) / DAY_MS) + 1 },
    (_, i) => midnight - i * DAY_MS,
  ).filter((time, i) => i <= EVERY_DAY || (time / DAY_MS) % 7 === 0);
  return [...new Set([...days, now - DAY_MS])].filter((time) => time < now).toSorted((a, b) => b - a);
}

/** How far back the simulated past is stored; null without one. */
export async function simulatedThrough({ db }: Pick<MetricsContext, 'db'>): Promise<Date | null> {
  const mark = (await finishedBackfills(db)).get(MARK);
  return mark ? new Date(mark.through) : null;
}

async function pricesByDay(ctx: MetricsContext, from: Date, to: Date): Promise<Map<string, number>> {
  const closes = await ctx.market.dailyCandles(
    TRACKED.map(({ id }) => id),
    from,
    to,
  );
  return new Map(
    TRACKED.flatMap(({ id, symbol }) =>
      (closes.get(id) ?? []).map(({ day, close }): [string, number] => [`${symbol} ${day}`, close]),
    ),
  );
}

async function readDay(
  ctx: MetricsContext,
  world: PastMarket,
  at: Date,
  prices: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<Write[]> {
  await world.moveTo(at);
  const day = new Date(at.getTime() - 1).toISOString().slice(0, 10);
  const ask: ReadContext = {
    now: at,
    config: ctx.config,
    signal,
    market: { listed: () => undefined, priceOf: (symbol) => prices.get(`${symbol} ${day}`) ?? null },
    stored: async () => [],
  };
  const adapters = METRIC_ADAPTERS.filter((adapter) => isRequested(adapter) && ctx.sources.isOn(adapter.source));
  const given = await Promise.all(adapters.map((adapter) => readFrom(ctx, world, adapter, ask)));
  const fetchedAt = ctx.now();
  const rows = given
    .flat()
    .filter(({ value, observedAt }) => Number.isFinite(value) && observedAt <= at)
    .map((row): Write => ({ ...row, fetchedAt, method: 'demo' }));
  const derived = deriveDerivatives(createSnapshotOf(ctx, at, rows));
  return [...rows, ...derived.map((row): Write => ({ ...row, source: OWN, fetchedAt, method: 'demo' }))];
}

async function readFrom(ctx: MetricsContext, world: PastMarket, adapter: MetricSource, ask: ReadContext) {
  const { source } = adapter;
  try {
    const rows = await adapter.read(ctx.sources.clientAt(source, world.config, ask.now), ask);
    return rows.map((row) => ({ ...row, source }));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return [];
  }
}

function createSnapshotOf(ctx: MetricsContext, at: Date, rows: Write[]) {
  const now = rows.map(
    ({ metric, source, observedAt, value, detail, fetchedAt, method }): StoredObservation => ({
      metric,
      source,
      observed_at: observedAt.toISOString(),
      value,
      detail: detail ?? null,
      fetched_at: fetchedAt.toISOString(),
      method,
    }),
  );
  return createSnapshot({ at, mode: ctx.mode, now, before: [], nameOf: ctx.sources.nameOf });
}
