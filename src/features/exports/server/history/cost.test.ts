import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Db, openDatabase } from '#kernel/db.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { closeRows, metricRows, readSpans } from './store.ts';

const START = new Date('2026-11-20T00:00:00Z');
const LIMIT = 100;

let db: Db;
let end: () => Promise<void>;

/** Number of table rows read during an operation. */
async function touched(work: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{
      n: number;
    }>`select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int as n
      from pg_stat_user_tables where relname ~ '^(metric_observations|candles_1)'`.execute(db);
    return rows[0]?.n ?? 0;
  };
  const before = await read();
  await work();
  return (await read()) - before;
}

beforeAll(async () => {
  const database = await createTestDatabase();
  const opened = openDatabase(database.connection, () => undefined, 1);
  db = opened.db;
  end = async () => {
    await opened.close();
    await database.drop();
  };
  await sql`insert into metric_observations (metric, source, observed_at, value, fetched_at, method)
    select 'm' || s, 'a', ${START.toISOString()}::timestamptz - i * interval '1 minute', i, now(), 'measured'
    from generate_series(1, 3) s, generate_series(1, 30000) i`.execute(db);
  await sql`insert into coins (id, symbol, name, updated_at) values ('c', 'C', 'C', now())`.execute(db);
  await sql`insert into candles_1d (coin_key, at, open, high, low, close, minutes, source, fetched_at, method)
    select k.key, ${START.toISOString()}::timestamptz - i * interval '1 day', 1, 1, 1, i, 1440, 'okx', now(), 'measured'
    from coins k, generate_series(1, 20000) i`.execute(db);
  await sql`vacuum analyze metric_observations`.execute(db);
  await sql`vacuum analyze candles_1d`.execute(db);
});
afterAll(() => end?.());

const part = (daysAgo: number) => ({
  from: new Date(0),
  to: new Date(START.getTime() - daysAgo * 86_400_000),
  limit: LIMIT,
});

describe('page query cost', () => {
  test.each([0, 10, 20])('a page is read by the primary key, also %i days back', async (daysAgo) => {
    const series = ['m1', 'm2', 'm3'].map((metric) => ({ metric, source: 'a' }));
    let found = 0;
    const cost = await touched(async () => {
      found = (await metricRows(db, series, { ...part(daysAgo), inclusive: [true, true, true] })).length;
    });
    expect(found).toBe(LIMIT);
    expect(cost).toBeGreaterThanOrEqual(LIMIT);
    expect(cost).toBeLessThanOrEqual(3 * (LIMIT + 1) + 10);
  });

  test.each([0, 5000])('daily closes, %i days back', async (daysAgo) => {
    let found = 0;
    const cost = await touched(async () => {
      found = (await closeRows(db, ['c'], { ...part(daysAgo), inclusive: [true] })).length;
    });
    expect(found).toBe(LIMIT);
    expect(cost).toBeGreaterThanOrEqual(LIMIT);
    expect(cost).toBeLessThanOrEqual(LIMIT + 20);
  });

  test('the sources of a series are found without reading it', async () => {
    expect(await touched(() => readSpans(db, ['m1', 'm2', 'm3']))).toBeLessThan(60);
  });
});
