import { sql } from 'kysely';

import type { ScheduledExport } from '#features/exports/contract/exports.ts';

import type { TestUser } from './people.ts';
import type { TestProduct } from './start.ts';

export const SCHEDULE = {
  dataTypes: ['crypto_prices'],
  dateRange: '7d',
  format: 'csv',
  schedule: 'daily',
  emailNotification: true,
} as const;

/** A schedule that must be accepted. */
export async function createSchedule(user: TestUser, overrides: object = {}): Promise<ScheduledExport> {
  const response = await user.post('/api/exports/schedule', { ...SCHEDULE, ...overrides });
  if (response.statusCode !== 200)
    throw new Error(`The schedule was answered with ${response.statusCode}: ${response.body}`);
  return response.json<{ scheduled: ScheduledExport }>().scheduled;
}

export const listSchedules = async (user: TestUser): Promise<ScheduledExport[]> =>
  (await user.get('/api/exports/scheduled')).json<ScheduledExport[]>();

/** Moves the clock to a time and runs the minutely job there. */
export async function runAt(s: TestProduct, at: string | Date): Promise<void> {
  s.clock.set(new Date(at));
  await s.product.scheduler.runManually('exports.scheduled');
}

const MANIFEST = JSON.stringify({});

/** Marks pending exports as completed, like a worker. */
export async function completePending(s: TestProduct): Promise<void> {
  const at = s.clock.now();
  const until = new Date(at.getTime() + 7 * 86_400_000);
  await sql`update exports set state = 'done', file_name = 'crypto_prices_7d.csv', file_size = 1234567, rows = 1680,
    sha256 = repeat('a', 64), manifest = ${MANIFEST}::jsonb, finished_at = ${at.toISOString()}, expires_at = ${until.toISOString()}
    where state in ('waiting', 'running')`.execute(s.product.market.ctx.db);
}

/** Marks pending exports as failed. */
export async function failPending(s: TestProduct, error: string): Promise<void> {
  await sql`update exports set state = 'failed', error = ${error}, finished_at = ${s.clock.now().toISOString()}
    where state in ('waiting', 'running')`.execute(s.product.market.ctx.db);
}

export type ScheduledRun = { id: string; schedule_id: number; scheduled_for: string; state: string };

/** The scheduled exports of a user, oldest first. */
export async function readScheduledExports(s: TestProduct, { id }: Pick<TestUser, 'id'>): Promise<ScheduledRun[]> {
  const { rows } =
    await sql<ScheduledRun>`select id, schedule_id, scheduled_for, state from exports where user_id = ${id}
    and schedule_id is not null order by scheduled_for, schedule_id`.execute(s.product.market.ctx.db);
  return rows;
}
