import { sql } from 'kysely';

import type { Db } from './db.ts';

interface SourceCallsTable {
  source: string;
  hour: string;
  latency_class: number;
  calls: number;
}

declare module './db.ts' {
  interface Tables {
    source_calls: SourceCallsTable;
  }
}

/** Percentage of successful calls and their median milliseconds; null without any. */
export type CallRecord = { calls: number; success_rate: number | null; latency_ms: number | null };

const FAILED = -1;
const HOUR_MS = 3_600_000;
const RETENTION_DAYS = 31;
const toLatencyClass = (ms: number) => Math.max(0, Math.min(80, Math.round(4 * Math.log2(Math.max(1, ms)))));
const toLatencyMs = (latencyClass: number) => Math.round(2 ** (latencyClass / 4));

export type SourceCalls = {
  /** `ms` is null for a call that failed. */
  count: (source: string, at: Date, ms: number | null) => void;
  /** Adds the counts since the last save to the database. */
  save: () => Promise<void>;
};

/** Success rate and latency of each source, per hour and latency bucket (steps of 19%). */
export function createSourceCalls(db: Db): SourceCalls {
  let counted = new Map<string, SourceCallsTable>();
  return {
    count(source, at, ms) {
      const hour = new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS).toISOString();
      const latency_class = ms === null ? FAILED : toLatencyClass(ms);
      const key = `${source} ${hour} ${latency_class}`;
      const row = counted.get(key) ?? { source, hour, latency_class, calls: 0 };
      counted.set(key, { ...row, calls: row.calls + 1 });
    },
    async save() {
      if (counted.size === 0) return;
      // Sorted by key, so that two processes saving at once cannot deadlock.
      const rows = [...counted.keys()].toSorted().map((key) => counted.get(key) as SourceCallsTable);
      counted = new Map();
      await db
        .insertInto('source_calls')
        .values(rows)
        .onConflict((oc) =>
          oc
            .columns(['source', 'hour', 'latency_class'])
            .doUpdateSet({ calls: sql<number>`source_calls.calls + excluded.calls` }),
        )
        .execute();
    },
  };
}

export type HourlyCalls = { calls: number; answered: number };

/** Calls of the hour that contains the time, by source. */
export async function readCallsOfHour(db: Db, moment: Date): Promise<Map<string, HourlyCalls>> {
  const hour = new Date(Math.floor(moment.getTime() / HOUR_MS) * HOUR_MS).toISOString();
  const rows = await db
    .selectFrom('source_calls')
    .select(['source', 'latency_class', 'calls'])
    .where('hour', '=', hour)
    .execute();
  const found = new Map<string, HourlyCalls>();
  for (const { source, latency_class, calls } of rows) {
    const so = found.get(source) ?? { calls: 0, answered: 0 };
    found.set(source, {
      calls: so.calls + calls,
      answered: so.answered + (latency_class === FAILED ? 0 : calls),
    });
  }
  return found;
}

export async function countCallsSince(db: Db, source: string, from: Date): Promise<number> {
  const row = await db
    .selectFrom('source_calls')
    .select((eb) => eb.fn.sum<string | null>('calls').as('calls'))
    .where('source', '=', source)
    .where('hour', '>=', from.toISOString())
    .executeTakeFirstOrThrow();
  return Number(row.calls ?? 0);
}

export async function deleteOldCalls(db: Db, now: Date): Promise<void> {
  const limit = new Date(now.getTime() - RETENTION_DAYS * 24 * HOUR_MS).toISOString();
  await db.deleteFrom('source_calls').where('hour', '<', limit).execute();
}

/** The record of each source over the last `hours`. */
export async function readCallRecords(db: Db, now: Date, hours: number): Promise<Map<string, CallRecord>> {
  const rows = await db
    .selectFrom('source_calls')
    .select(['source', 'latency_class', (eb) => eb.fn.sum<string>('calls').as('calls')])
    .where('hour', '>', new Date(now.getTime() - (hours + 1) * HOUR_MS).toISOString())
    .groupBy(['source', 'latency_class'])
    .orderBy('latency_class')
    .execute();
  const bySource = Map.groupBy(rows, ({ source }) => source);
  return new Map(
    [...bySource].map(([source, classes]) => {
      const counts = classes.map(({ latency_class, calls }) => ({ latency_class, calls: Number(calls) }));
      return [source, summarizeCalls(counts)];
    }),
  );
}

function summarizeCalls(classes: { latency_class: number; calls: number }[]): CallRecord {
  const calls = classes.reduce((sum, row) => sum + row.calls, 0);
  const succeeded = classes.filter(({ latency_class }) => latency_class !== FAILED);
  const successes = succeeded.reduce((sum, row) => sum + row.calls, 0);
  let passed = 0;
  const median = succeeded.find((row) => {
    passed += row.calls;
    return passed * 2 >= successes;
  });
  return {
    calls,
    success_rate: calls > 0 ? (100 * successes) / calls : null,
    latency_ms: median ? toLatencyMs(median.latency_class) : null,
  };
}
