import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';

import type { Product } from '#app/server/product.ts';
import { registerUser } from '#tests/support/people.ts';
import { savePreferences } from '#tests/support/preferences.ts';
import { createSchedule } from '#tests/support/schedules.ts';
import { start, type TestProduct } from '#tests/support/start.ts';

const HOUR = 3_600_000;
const MOMENTS = [HOUR, 26 * HOUR];
const ASSETS = ['bitcoin', 'ethereum', 'solana', 'sui', 'ripple'];

let open: TestProduct | undefined;
afterAll(() => open?.stop());

/** Tables about the runs themselves, which doubled, and those that depend on the number of heartbeats. */
const OF_RUNS = /^(collections|live_frames|process_heartbeats|source_calls|status_\w+)$/;

/** Refused calls, and the number of rows per table. */
type Stored = { refused: string[]; rows: Record<string, number> };

async function rowsOf({ product }: TestProduct): Promise<Stored['rows']> {
  const { db } = product.market.ctx;
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1`.execute(db);
  const counts: Stored['rows'] = {};
  for (const { name } of rows) {
    if (OF_RUNS.test(name)) continue;
    const counted = await sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`.execute(db);
    counts[name] = counted.rows[0]?.n ?? 0;
  }
  return counts;
}

/** Runs every job at several times, each in all processes at once; returns what is stored after each time. */
async function live(processes: number): Promise<Stored[]> {
  const s = await start({ mode: 'demo', env: { EMAIL_CONFIRMATION: 'off' } });
  open = s;
  const ann = await registerUser(s, 'ann', 'premium');
  await savePreferences(ann, { more: { digest: { every: 'daily', hour: 8, weekday: 1 } } });
  await createSchedule(ann);
  await s.job('market.listing');
  for (const coinId of ASSETS) await s.job('market.backfill', { coinId });
  const products: Product[] = [s.product];
  while (products.length < processes) products.push(await s.another());
  const jobs = s.product.scheduler.jobs.filter(({ payload }) => payload.safeParse({}).success);
  const after: Stored[] = [];
  for (const ms of MOMENTS) {
    s.advance(ms);
    const refused = new Set<string>();
    for (const { name } of jobs) {
      const runs = await Promise.allSettled(products.map(({ scheduler }) => scheduler.runManually(name)));
      for (const { refresh } of products) await refresh();
      for (const run of runs) if (run.status === 'rejected') refused.add(`${name}: ${run.reason}`);
    }
    after.push({ refused: [...refused], rows: await rowsOf(s) });
  }
  await s.stop();
  open = undefined;
  return after;
}

test('each job run by two processes at the same time stores the same result as a single run', async () => {
  const once = await live(1);
  const twice = await live(2);
  expect(twice).toEqual(once);
}, 600_000);
