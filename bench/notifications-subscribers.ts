import { createECDH, randomBytes } from 'node:crypto';

import { sql } from 'kysely';

import { type Db, openDatabase } from '#kernel/db.ts';

import { type Benchmark, type Context, interleave } from './benchmark.ts';
import { startChild } from './support/child.ts';
import { closeConnections, measureP99 } from './support/dashboard-p99.ts';
import { startFilledDatabase, startProduct } from './support/product.ts';

const SUBSCRIBERS = 100_000;

/** Pro users with one browser each. All browsers share one key pair, which does not affect the cost of encryption. */
export async function addSubscribers(db: Db, origin: string, count: number): Promise<void> {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  const p256dh = keys.getPublicKey('base64url');
  const auth = randomBytes(16).toString('base64url');
  await sql`with people as (insert into users (email, password_hash, notify_email, notify_push, created_at)
      select 'bench' || n || '@example.org', '', false, true, now() from generate_series(1, ${count}::int) n returning id),
    paid as (insert into entitlements (user_id, source, plan, starts_at, created_at)
      select id, 'card', 'pro', now() - interval '1 day', now() from people)
    insert into push_browsers (user_id, endpoint, p256dh, auth, device, created_at)
    select id, ${origin}::text || '/push/' || id, ${p256dh}::text, ${auth}::text, 'bench', now() from people`.execute(
    db,
  );
  await sql`analyze users, entitlements, push_browsers`.execute(db);
}

export const addNotice = (db: Db, n: number) =>
  sql`insert into notification_events (dedupe_key, kind, severity, payload, created_at, expires_at)
    values (${`bench ${n}`}, 'SSR_LEVEL', 'medium', '{"message": "SSR has passed 10"}', now(), now() + interval '1 hour')`.execute(
    db,
  );

async function run(context: Context): Promise<void> {
  const connection = await startFilledDatabase(context);
  const sink = await startChild('push-sink.ts');
  context.cleanUp(() => sink.stop());
  context.cleanUp(closeConnections);
  const origin = `http://127.0.0.1:${await sink.call<number>('listen')}`;
  const server = await startProduct(context, connection, { env: { PUSH_TEST_ORIGIN: origin } });
  const { db, close } = openDatabase(connection, () => undefined, 2);
  context.cleanUp(close);
  await addSubscribers(db, origin, SUBSCRIBERS);
  const [rounds, ms] = context.ci ? [3, 1600] : [5, 3000];

  let notices = 0;
  const quiet = () => measureP99(server.port, ms);
  async function busy(what: string): Promise<number> {
    const before = await sink.call<number>('taken');
    await server.call('startDelivering');
    const slowest = await measureP99(server.port, ms);
    await server.call('stopDelivering');
    const taken = (await sink.call<number>('taken')) - before;
    context.note(`${what}: ${Math.round(taken / (ms / 1000))} messages a second were handed over`);
    return slowest;
  }
  const fanning = async () => {
    await addNotice(db, notices++);
    return busy('made');
  };
  await addNotice(db, notices++);
  await server.call('fanOut');
  await quiet();
  await busy('warm');
  for (const [name, subject] of [
    ['notifications.subscribers.push', () => busy('sent')],
    ['notifications.subscribers.fan', fanning],
  ] as const) {
    const measured = await interleave(rounds, subject, quiet);
    context.emit({
      name,
      n: SUBSCRIBERS,
      unit: 'ms, p99 of the dashboard',
      subject: measured.subject,
      baseline: measured.baseline,
      ratio: measured.ratio,
      goal: { atMost: 3 },
    });
  }
}

export const notificationsSubscribers: Benchmark = { names: ['notifications.subscribers'], run };
