import type { FigureMeta, FigureOrigin } from '#shared/figures.ts';
import type { DataMode } from '#shared/provenance.ts';

import { absentReason, findRule, OWN } from './metrics.ts';
import type { StoredObservation } from './types.ts';

/** Tolerance of the value 24h earlier, for a difference to count as a day's change. */
const DAY_SLACK_MS = 3 * 3_600_000;

export type Snapshot = {
  at: Date;
  /** The value of the metric's best source; fresh sources take precedence over stale ones. */
  find: (metric: string) => StoredObservation | undefined;
  /** The newest value of every source. */
  all: (metric: string) => StoredObservation[];
  /** Names of the metrics with this prefix. */
  named: (prefix: string) => string[];
  /** The same source's value a day earlier, within three hours. */
  dayBefore: (observation: StoredObservation) => StoredObservation | undefined;
  /** The figure with its provenance, or null with the reason. `key` is its glossary key. */
  figure: (metric: string, key?: string) => Figure;
  /** Change over 24h in percent, or in the metric's own points. */
  change: (metric: string, kind: 'percent' | 'points', key?: string) => Figure;
  provenance: (observation: StoredObservation, key?: string) => FigureOrigin;
  /** Display name of a source. */
  nameOf: (source: string) => string;
};

type Parts = {
  at: Date;
  mode: DataMode;
  now: StoredObservation[];
  before: StoredObservation[];
  nameOf: (source: string) => string;
};

/** Everything known at one moment. */
export function createSnapshot({ at, mode, now, before, nameOf }: Parts): Snapshot {
  const byMetric = Map.groupBy(now, ({ metric }) => metric);
  const earlier = new Map(before.map((row) => [`${row.metric} ${row.source}`, row]));
  const sourceName = (id: string) => (id === OWN ? 'Meridian' : nameOf(id));

  const all = (metric: string) => byMetric.get(metric) ?? [];
  const isFresh = (row: StoredObservation) =>
    at.getTime() - Date.parse(row.observed_at) <= findRule(row.metric).freshMs;

  function find(metric: string): StoredObservation | undefined {
    const rows = all(metric);
    const { order } = findRule(metric);
    const ranked = rows
      .filter(({ source }) => order.length === 0 || order.includes(source))
      .toSorted((a, b) => order.indexOf(a.source) - order.indexOf(b.source));
    return ranked.find(isFresh) ?? ranked.toSorted((a, b) => b.observed_at.localeCompare(a.observed_at))[0];
  }

  function provenance(row: StoredObservation, key = row.metric): FigureOrigin {
    const { venues, terms, historyDays, collectedHours } = row.detail ?? {};
    return {
      source: sourceName(row.source),
      observedAt: row.observed_at,
      fetchedAt: row.fetched_at,
      method: mode === 'demo' ? 'demo' : row.method,
      staleAfter: new Date(Date.parse(row.observed_at) + findRule(row.metric).freshMs).toISOString(),
      metric: key,
      ...(venues ? { venues: venues.map(sourceName) } : {}),
      ...(terms ? { terms } : {}),
      ...(historyDays === undefined ? {} : { historyDays }),
      ...(collectedHours === undefined ? {} : { collectedHours }),
    };
  }

  function dayBefore(row: StoredObservation): StoredObservation | undefined {
    const found = earlier.get(`${row.metric} ${row.source}`);
    if (!found) return undefined;
    const gap = Date.parse(row.observed_at) - Date.parse(found.observed_at);
    return Math.abs(gap - 86_400_000) <= DAY_SLACK_MS ? found : undefined;
  }

  return {
    at,
    find,
    all,
    named: (prefix) => [...byMetric.keys()].filter((metric) => metric.startsWith(prefix)),
    dayBefore,
    provenance,
    nameOf: sourceName,
    figure(metric, key = metric) {
      const row = find(metric);
      if (!row) return { value: null, meta: { metric: key, reason: absentReason(metric) } };
      return { value: row.value, meta: provenance(row, key) };
    },
    change(metric, kind, key = metric) {
      const row = find(metric);
      if (!row) return { value: null, meta: { metric: key, reason: absentReason(metric) } };
      const given = row.detail?.['change_24h'];
      if (typeof given === 'number') return { value: given, meta: provenance(row, key) };
      const past = dayBefore(row);
      if (!past || (kind === 'percent' && past.value === 0))
        return { value: null, meta: { metric: key, reason: 'No value from 24h earlier yet' } };
      const value = kind === 'points' ? row.value - past.value : (row.value / past.value - 1) * 100;
      const meta: FigureOrigin = { ...provenance(row, key), method: mode === 'demo' ? 'demo' : 'computed' };
      return { value, meta };
    },
  };
}

/** A value with its provenance, or null with the reason. */
export type Figure = { value: number | null; meta: FigureMeta };

type FigureGroup<K extends string> = { [Key in K]: number | null } & { meta: Record<K, FigureMeta> };

/** Combines figures with the meta of each. */
export function group<K extends string>(figures: Record<K, Figure>): FigureGroup<K> {
  const entries = Object.entries(figures) as [K, Figure][];
  return {
    ...Object.fromEntries(entries.map(([name, { value }]) => [name, value])),
    meta: Object.fromEntries(entries.map(([name, { meta }]) => [name, meta])),
  } as FigureGroup<K>;
}

const COPY =
  /\b(wrapped|staked|bridged|restaked|liquid)\b|usd|eur\b|dai\b|frax|^(wbtc|weth|steth|wsteth|reth|cbbtc|cbeth|weeth|ezeth|rseth|meth|jitosol|msol|bnsol|lbtc|solvbtc|tbtc)$/i;

/** Copies of other coins, and coins pegged to a currency: their price is not independent. */
export const isDerivative = ({ symbol, name }: { symbol: string; name: string }): boolean =>
  COPY.test(symbol) || COPY.test(name);
