import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openDatabase } from '#kernel/db.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

import { addMonths } from './plan-periods.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('months are what PostgreSQL makes of them, in four thousand samples and at the ends of February', async () => {
  const anchor = fc.integer({ min: Date.UTC(1999, 0, 1), max: Date.UTC(2101, 0, 1) });
  const samples = [
    ...fc.sample(fc.tuple(anchor, fc.nat(60)), 4000),
    [Date.UTC(2028, 0, 31), 1],
    [Date.UTC(2027, 0, 31), 1],
    [Date.UTC(2028, 1, 29), 12],
    [Date.UTC(2100, 0, 31), 1],
  ] as [number, number][];
  const { db, close } = openDatabase(database.connection, () => undefined, 1);
  const { rows } = await sql<{ ms: string }>`select
      (extract(epoch from (timestamp 'epoch' + (a * interval '1 millisecond') + make_interval(months => m))) * 1000)::bigint::text as ms
    from unnest(${samples.map(([at]) => at)}::float8[], ${samples.map(([, count]) => count)}::int[]) with ordinality t (a, m, i)
    order by i`.execute(db);
  await close();
  expect(samples.map(([at, count]) => addMonths(at, count))).toEqual(rows.map(({ ms }) => Number(ms)));
});
