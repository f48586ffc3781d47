import { pricesTopic } from '#features/market/contract/market.ts';
import type { TopicData } from '#shared/contract.ts';
import { COIN_PREFIX } from '#shared/figures.ts';
import { type Method, tickMethod } from '#shared/provenance.ts';
import { findWatched } from '#shared/watched.ts';

import type { ThresholdsContext } from '../context.ts';
import type { Tick } from '../engine/types.ts';
import { spreadBefore } from '../preview/derived.ts';
import { type Histories, isAbsent } from '../preview/series-history.ts';
import { type ComparedRange, compareWithRange, currentValue } from '../service/view.ts';
import { STORED_METRICS } from '../watching.ts';
import { readLiveFrames } from './store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SPREAD_DAYS = 35;
/** Older prices do not count as current. */
export const RECENT_MS = 10 * 60_000;

/** A value with the fields of an alert's receipt. */
export type SourcedTick = Required<Tick> & { source: string; method: Method; range?: ComparedRange };

export type Feed = {
  /** The current value; null without one, or when it is stale. */
  current: (series: string) => SourcedTick | null;
  /** Loads what `current` needs from the database for the given series. */
  prepare: (series: readonly string[]) => Promise<void>;
  /** Prices of the last minutes, in order: a previous owner may not have evaluated them. */
  recent: (series: readonly string[]) => Promise<SourcedTick[]>;
};

const splitSeries = (series: string): [metric: string, kind: string | undefined] => {
  const [metric = '', kind] = series.split('~');
  return [metric, kind];
};
const isStored = (metric: string) => Object.hasOwn(STORED_METRICS, metric);

/** Current values of market, metrics and analyses per series. */
export function createFeed(ctx: ThresholdsContext, histories: Histories): Feed {
  /** For derived series of metrics: the newest stored point. */
  const points = new Map<string, { at: number; value: number }>();
  /** For coins: the standard deviation of a day. */
  const deviations = new Map<string, { readAt: number; value: number }>();

  type Derived = { value: number; at: number | null; range?: ComparedRange | undefined };
  function derived(series: string, metric: string, kind: string): Derived | null {
    if (isStored(metric)) return points.get(series) ?? null;
    if (kind === 'range') {
      const current = currentValue(ctx, series);
      return current && { value: current.value, at: null, range: current.range };
    }
    const change = currentValue(ctx, `${metric}~change`)?.value ?? null;
    if (change === null || kind === 'change') return change === null ? null : { value: change, at: null };
    const value = toSigmas(metric, findCoin(ctx, metric)?.change_24h ?? null);
    return Number.isFinite(value) ? { value, at: null } : null;
  }

  const toSigmas = (metric: string, change: number | null): number =>
    change === null ? NaN : Math.abs(Math.log(1 + change / 100)) / (deviations.get(metric)?.value ?? NaN);

  async function loadDeviation(metric: string): Promise<void> {
    const now = ctx.now();
    if (now.getTime() - (deviations.get(metric)?.readAt ?? -Infinity) < HOUR_MS) return;
    const closes = await ctx.market.closes(toCoinId(metric) ?? '', new Date(now.getTime() - SPREAD_DAYS * DAY_MS), now);
    deviations.set(metric, { readAt: now.getTime(), value: spreadBefore(closes, now.getTime()) });
  }

  async function loadPoint(series: string): Promise<void> {
    const past = await histories.of(series);
    const last = isAbsent(past) ? -1 : past.times.length - 1;
    if (isAbsent(past) || last < 0) points.delete(series);
    else points.set(series, { at: past.times[last] as number, value: past.values[last] as number });
  }

  return {
    async recent(all) {
      const since = ctx.now().getTime() - RECENT_MS;
      const byCoin = Map.groupBy(
        all.filter((series) => !isStored(splitSeries(series)[0])),
        (series) => toCoinId(splitSeries(series)[0]) ?? '',
      );
      return (await readLiveFrames(ctx.db, pricesTopic.name)).flatMap((body) => {
        const frame = JSON.parse(body) as TopicData<typeof pricesTopic>;
        return frame.ticks.flatMap(([coinId, price, change, , sourceIndex, at]) =>
          (byCoin.get(coinId) ?? []).flatMap((series): SourcedTick[] => {
            const [metric, kind] = splitSeries(series);
            const source = frame.sources[sourceIndex] ?? '';
            const method = ctx.mode === 'demo' ? 'demo' : kind ? 'computed' : tickMethod(source.toLowerCase());
            const comparison = kind === 'range' ? compareWithRange(ctx, coinId, price) : null;
            // A price from before the range was issued cannot be compared with it.
            if (comparison && at < Date.parse(comparison.range.issuedAt)) return [];
            const moved = kind === 'change' ? Math.abs(change ?? NaN) : toSigmas(metric, change);
            const value = kind === undefined ? price : kind === 'range' ? (comparison?.value ?? NaN) : moved;
            if (at <= since || !Number.isFinite(value)) return [];
            return [
              { series, value, at, source, method, knownAt: frame.at, ...(comparison && { range: comparison.range }) },
            ];
          }),
        );
      });
    },
    current(series) {
      const [metric, kind] = splitSeries(series);
      const now = currentValue(ctx, metric);
      if (!now || Date.parse(now.meta.staleAfter) <= ctx.now().getTime()) return null;
      const observedAt = Date.parse(now.meta.observedAt);
      const found: Derived | null = kind === undefined ? { value: now.value, at: null } : derived(series, metric, kind);
      // A change that ends before the value belongs to an earlier value.
      if (!found || !Number.isFinite(found.value) || (found.at !== null && found.at !== observedAt)) return null;
      return {
        series,
        value: found.value,
        at: observedAt,
        source: now.meta.source,
        method: kind === undefined || now.meta.method === 'demo' ? now.meta.method : 'computed',
        knownAt: Date.parse(now.meta.fetchedAt),
        ...(found.range && { range: found.range }),
      };
    },
    async prepare(all) {
      for (const series of all) {
        const [metric, kind] = splitSeries(series);
        if (kind !== undefined && isStored(metric)) await loadPoint(series);
        else if (kind === 'sigma') await loadDeviation(metric);
      }
    },
  };
}

const toCoinId = (metric: string) =>
  metric.startsWith(COIN_PREFIX) ? metric.slice(COIN_PREFIX.length) : findWatched(metric)?.coinId;
const findCoin = (ctx: ThresholdsContext, metric: string) => ctx.market.ctx.board.find(toCoinId(metric) ?? '');
