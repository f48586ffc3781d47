import type { MetricsContext } from '../context.ts';
import { observationsBetween } from '../store.ts';
import type { ForcedClose, Observation, StoredObservation } from '../types.ts';

export const HOUR_MS = 3_600_000;
export const floorToHour = (ms: number) => Math.floor(ms / HOUR_MS) * HOUR_MS;

type Side = ForcedClose['side'];
type Sums = Record<Side, number>;
const SIDES: readonly Side[] = ['long', 'short'];
const METRIC_OF: Record<Side, string> = {
  long: 'venue.liquidations.long',
  short: 'venue.liquidations.short',
};

/** Liquidations on one venue in one hour. `seed` was counted before this process started. */
type Hour = { seed: Sums; closes: Map<string, ForcedClose>; coveredMs: number; through: number; changed: boolean };

const sumCloses = (closes: Iterable<ForcedClose>): Sums => {
  const sums: Sums = { long: 0, short: 0 };
  for (const { side, usd } of closes) sums[side] += usd;
  return sums;
};
const plus = (a: Sums, b: Sums): Sums => ({ long: a.long + b.long, short: a.short + b.short });
const total = ({ long, short }: Sums) => long + short;

export type LiquidationTally = {
  /** Loads stored hours that are not in memory yet. */
  seed: (rows: StoredObservation[]) => void;
  /** A liquidation of an earlier hour that is closed is ignored. */
  add: (closes: ForcedClose[], nowMs: number) => void;
  /** Marks a time span in which the venue was monitored. */
  cover: (fromMs: number, toMs: number) => void;
  /** Whole hours from `fromMs` on, from the venue's history: they replace hours with less. */
  replace: (closes: ForcedClose[], fromMs: number, nowMs: number) => void;
  /** Hours that changed since the last call, as observations dated at the start of the hour. */
  changes: () => Observation[];
  /** Marks failed writes as changed again. */
  again: () => void;
  /** Hours before this are closed once their changes were stored. */
  forget: (beforeMs: number) => void;
};

/** Counts liquidations of one venue by the hour; duplicates count once. */
export function createLiquidationTally(): LiquidationTally {
  const hours = new Map<number, Hour>();

  function at(hour: number): Hour {
    const known = hours.get(hour);
    if (known) return known;
    const fresh = { seed: { long: 0, short: 0 }, closes: new Map(), coveredMs: 0, through: hour, changed: true };
    hours.set(hour, fresh);
    return fresh;
  }
  const sums = ({ seed, closes }: Hour) => plus(seed, sumCloses(closes.values()));

  function seed(rows: StoredObservation[]): void {
    const known = new Set(hours.keys());
    for (const row of rows) {
      const side = SIDES.find((each) => METRIC_OF[each] === row.metric);
      const start = floorToHour(Date.parse(row.observed_at));
      if (!side || known.has(start)) continue;
      const hour = at(start);
      hour.seed[side] = row.value;
      hour.coveredMs = Math.max(hour.coveredMs, minutesIn(row) * 60_000);
      hour.through = Math.max(hour.through, Date.parse(coveredUntil(row)));
      hour.changed = false;
    }
  }

  function extendCoverage(fromMs: number, toMs: number): void {
    for (let start = floorToHour(fromMs); start < toMs || start === floorToHour(toMs); start += HOUR_MS) {
      const hour = at(start);
      const end = Math.min(toMs, start + HOUR_MS);
      hour.coveredMs = Math.min(end - start, hour.coveredMs + Math.max(0, end - Math.max(fromMs, start)));
      if (end > hour.through) hour.changed = true;
      hour.through = Math.max(hour.through, end);
    }
  }

  return {
    seed,
    cover: extendCoverage,
    add(closes, nowMs) {
      for (const close of closes) {
        // A venue's clock may be ahead of ours: an hour that has not begun is not stored.
        const start = Math.min(floorToHour(close.at.getTime()), floorToHour(nowMs));
        if (start < floorToHour(nowMs) && !hours.has(start)) continue;
        const hour = at(start);
        if (hour.closes.has(close.key)) continue;
        hour.closes.set(close.key, close);
        hour.changed = true;
      }
    },
    replace(closes, fromMs, nowMs) {
      const byHour = Map.groupBy(closes, (close) => floorToHour(close.at.getTime()));
      const newest = Math.max(...closes.map((close) => close.at.getTime()));
      for (let start = floorToHour(fromMs); start <= nowMs; start += HOUR_MS) {
        const hour = at(start);
        const later = [...hour.closes.values()].filter((close) => close.at.getTime() > newest);
        const hourCloses = [...(byHour.get(start) ?? []), ...later];
        hour.changed = true;
        if (total(sumCloses(hourCloses)) >= total(sums(hour))) {
          hour.seed = { long: 0, short: 0 };
          hour.closes = new Map(hourCloses.map((close) => [close.key, close]));
        }
        const end = Math.min(nowMs, start + HOUR_MS);
        hour.coveredMs = end - start;
        hour.through = Math.max(hour.through, end);
      }
    },
    changes() {
      return [...hours].flatMap(([start, hour]) => {
        if (!hour.changed) return [];
        hour.changed = false;
        const detail = {
          minutes: Math.round(hour.coveredMs / 60_000),
          through: new Date(hour.through).toISOString(),
        };
        const counted = sums(hour);
        return SIDES.map((side) => ({
          metric: METRIC_OF[side],
          value: counted[side],
          observedAt: new Date(start),
          detail,
        }));
      });
    },
    again() {
      for (const hour of hours.values()) hour.changed = true;
    },
    forget(beforeMs) {
      for (const [start, hour] of hours) if (!hour.changed && start + HOUR_MS <= beforeMs) hours.delete(start);
    },
  };
}

/** Minutes of its hour that a stored sum covers. */
export function minutesIn({ detail }: StoredObservation): number {
  const minutes = detail?.['minutes'];
  return typeof minutes === 'number' ? minutes : 60;
}

/** The last moment included in a stored sum. */
export function coveredUntil({ detail, fetched_at }: StoredObservation): string {
  const through = detail?.['through'];
  return typeof through === 'string' ? through : fetched_at;
}

export type StoredCloses = { longs: StoredObservation[]; shorts: StoredObservation[] };

/** Hourly liquidation sums of every venue, for hours from `from` on. */
export async function storedCloses(ctx: MetricsContext, from: number): Promise<StoredCloses> {
  const read = (metric: string) => observationsBetween(ctx.db, metric, new Date(from - 1), ctx.now());
  const [longs, shorts] = await Promise.all([read(METRIC_OF.long), read(METRIC_OF.short)]);
  return { longs, shorts };
}
