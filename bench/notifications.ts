import { sql } from 'kysely';

import type { Channel } from '#features/notifications/server/notifications/channel.ts';
import { drain } from '#features/notifications/server/notifications/service/deliver.ts';
import { fanOut } from '#features/notifications/server/notifications/service/run.ts';
import type { Db } from '#kernel/db.ts';

import { type Benchmark, type Context, interleave } from './benchmark.ts';
import { startDatabases } from './support/child.ts';
import { openProduct } from './support/product.ts';

const BATCH = 1000;
const neverAborted = new AbortController().signal;

/** Delivers instantly to everyone, so that only the queue is measured. */
const channel: Channel = {
  name: 'email',
  reach: sql`select id as user_id from users`,
  perSecond: null,
  batch: BATCH,
  send: async (deliveries) => deliveries.map(() => ({ state: 'sent' })),
};

/** Replaces the demo's own users. */
async function addUsers(db: Db, count: number): Promise<void> {
  await sql`delete from users`.execute(db);
  await sql`with people as (insert into users (email, password_hash, created_at)
      select 'bench' || n || '@example.org', '', now() from generate_series(1, ${count}) n returning id)
    insert into entitlements (user_id, source, plan, starts_at, created_at)
    select id, 'card', case when id % 10 = 0 then 'premium' else 'pro' end, now() - interval '1 day', now() from people`.execute(
    db,
  );
  await sql`analyze users, entitlements`.execute(db);
}

async function addNotice(db: Db, now: Date): Promise<void> {
  await sql`truncate notification_events, notification_deliveries`.execute(db);
  await sql`insert into notification_events (dedupe_key, kind, severity, payload, created_at, expires_at)
    values ('bench', 'SSR_LEVEL', 'medium', '{"message": "SSR has passed 10"}', ${now.toISOString()}::timestamptz,
      ${now.toISOString()}::timestamptz + interval '1 hour')`.execute(db);
}

/** The same rows for all users, in one statement. */
const insertOnly = (db: Db, now: Date) =>
  sql`insert into notification_deliveries
    (event_id, user_id, channel, lane, state, due_at, expires_at, held, queued_at, created_at)
  select e.id, u.id, 'email', case when u.id % 10 = 0 then 0 else 1 end, 'due', at, at + interval '1 hour', false, at, at
  from users u, notification_events e, (select ${now.toISOString()}::timestamptz as at) each`.execute(db);

/** The same number of rows at once, each updated once without further checks. */
async function updateOnly(db: Db, now: Date): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from notification_deliveries order by lane, id`.execute(db);
  const ids = rows.map(({ id }) => id);
  for (let from = 0; from < ids.length; from += BATCH)
    await sql`update notification_deliveries set state = 'sent', sent_at = ${now.toISOString()}::timestamptz, tries = 1
      where id = any(${ids.slice(from, from + BATCH)}::bigint[])`.execute(db);
}

async function run(context: Context): Promise<void> {
  const makeDatabase = await startDatabases(context, { durable: true });
  const product = await openProduct({ connection: await makeDatabase('notifications'), frozen: true });
  context.cleanUp(() => product.stop());
  const ctx = { ...product.notifications.ctx, channels: [channel] };
  const { db } = ctx;
  const now = ctx.now();
  const n = context.ci ? 10_000 : 30_000;
  await addUsers(db, n);

  /** Rows per second. */
  const measureRate = async (prepare: () => Promise<unknown>, work: () => Promise<unknown>): Promise<number> => {
    await addNotice(db, now);
    await prepare();
    await sql`checkpoint`.execute(db).catch(() => undefined);
    const startedAt = performance.now();
    await work();
    return n / ((performance.now() - startedAt) / 1000);
  };
  const noPreparation = async () => undefined;
  const fanOutAll = async () => {
    const added = await fanOut(ctx, neverAborted);
    if (added !== n) throw new Error(`${added} deliveries of ${n}`);
  };
  const sendAll = async () => {
    const claimed = await drain(ctx, channel, { claiming: neverAborted, sending: neverAborted });
    if (claimed !== n) throw new Error(`${claimed} sent of ${n}`);
  };
  const fillDeliveries = () => insertOnly(db, now);

  const measures = [
    {
      name: 'notifications.fan',
      subject: () => measureRate(noPreparation, fanOutAll),
      baseline: () => measureRate(noPreparation, fillDeliveries),
      goal: 0.3,
    },
    {
      name: 'notifications.send',
      subject: () => measureRate(fillDeliveries, sendAll),
      baseline: () => measureRate(fillDeliveries, () => updateOnly(db, now)),
      goal: 0.3,
    },
  ];
  for (const { name, subject, baseline, goal } of measures) {
    await subject();
    await baseline();
    const measured = await interleave(context.ci ? 3 : 5, subject, baseline);
    const { ratio } = measured;
    context.emit({
      name,
      n,
      unit: 'rows/s',
      subject: measured.subject,
      baseline: measured.baseline,
      ratio,
      goal: { atLeast: goal },
    });
  }
}

export const notifications: Benchmark = { names: ['notifications.fan', 'notifications.send'], run };
