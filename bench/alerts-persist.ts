import { sql } from 'kysely';

import type { Batch } from '#features/alerts/server/thresholds/owner/batch.ts';
import { takeShard } from '#features/alerts/server/thresholds/owner/store.ts';
import { writeBatch } from '#features/alerts/server/thresholds/owner/write.ts';
import type { Db } from '#kernel/db.ts';

import { type Benchmark, type Context, interleave } from './benchmark.ts';
import { startDatabases } from './support/child.ts';
import { openProduct } from './support/product.ts';

const MINUTE_MS = 60_000;
const SHARD = 0;
const MESSAGE = 'Level: Bitcoin price is above 65,000 (65,012.40)';

type Rule = { id: number; user_id: number };

/** One rule per person, so that no rate limit applies. */
async function addRules(db: Db, count: number): Promise<Rule[]> {
  const { rows } = await sql<Rule>`with people as (
      insert into users (email, password_hash, created_at) select 'bench' || i || '@example.org', '', now()
      from generate_series(1, ${count}) i returning id)
    insert into alert_rules (user_id, position, name, description, metric, condition, value, enabled, options, first_on, created_at, updated_at)
    select id, 0, 'Level', '', 'btc_price', 'above', 65000, true, jsonb_build_object('mode', 'every', 'cooldownMinutes', 1,
      'margin', null, 'holdMinutes', 0, 'expiresAt', null, 'and', null, 'schedule', null), 1, now(), now()
    from people returning id, user_id`.execute(db);
  await sql`analyze alert_rules`.execute(db);
  return rows;
}

function createBatch(rules: readonly Rule[], now: Date): Batch {
  const at = now.getTime();
  const tick = {
    series: 'btc_price',
    value: 65_012.4,
    at,
    knownAt: at,
    source: 'Coinbase',
    method: 'measured',
  } as const;
  const state = { first: 2, second: 0, pendingSince: null, lastFiredAt: at, done: false } as const;
  return {
    ticks: new Map([[tick.series, tick]]),
    writes: new Map(rules.map(({ id }) => [id, { id, version: 1, state, fires: 1, silenced: 0 }])),
    fires: rules.map(({ id }) => ({ id, version: 1, tick, seen: [tick], evaluatedAt: now })),
  };
}

/** Only the same alerts and outbox rows, in one statement. */
async function insertOnly(db: Db, rules: readonly Rule[], now: Date): Promise<void> {
  const at = now.toISOString();
  const detail = JSON.stringify({ rule: 'Level', seen: [{ series: 'btc_price', value: 65_012.4, at: now.getTime() }] });
  await sql`with raised as (
      insert into alerts (user_id, rule_id, once, type, severity, message, metric, value, detail, source, method, source_at,
        received_at, evaluated_at, queued_at)
      select user_id, rule_id, 'alone:' || rule_id || ':' || ${at}::text, 'CUSTOM_THRESHOLD', 'medium', ${MESSAGE}, 'btc_price',
        65012.4, ${detail}::jsonb, 'Coinbase', 'measured', ${at}::timestamptz, ${at}, ${at}, ${at}
      from unnest(${rules.map(({ user_id }) => user_id)}::bigint[], ${rules.map(({ id }) => id)}::bigint[]) d (user_id, rule_id)
      returning *)
    insert into notification_events (dedupe_key, kind, severity, user_id, alert_id, payload, created_at, expires_at)
    select 'alert:' || once, type, severity, user_id, id,
      jsonb_build_object('message', message, 'metric', metric, 'value', value, 'eventDate', null), queued_at,
      queued_at + interval '1 hour' from raised`.execute(db);
}

async function run(context: Context): Promise<void> {
  const makeDatabase = await startDatabases(context, { durable: true });
  const product = await openProduct({ connection: await makeDatabase('persist'), frozen: true });
  context.cleanUp(() => product.stop());
  const { clock, thresholds } = product;
  const { ctx } = thresholds;
  const allRules = await addRules(ctx.db, 1000);
  const epoch = await takeShard(ctx.db, SHARD, 'bench', ctx.now());
  let number = 0;
  const timeMs = async (work: () => Promise<void>): Promise<number> => {
    clock.advance(2 * MINUTE_MS);
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  };
  for (const n of [1, 100, 1000]) {
    const rules = allRules.slice(0, n);
    const write = () =>
      timeMs(() => writeBatch(ctx, SHARD, { epoch, number: ++number }, createBatch(rules, ctx.now())));
    const insert = () => timeMs(() => insertOnly(ctx.db, rules, ctx.now()));
    for (let i = 0; i < 5; i++) {
      await write();
      await insert();
    }
    const measured = await interleave(context.ci ? 9 : 31, write, insert);
    context.emit({
      name: 'alerts.persist',
      n,
      unit: 'ms',
      subject: measured.subject,
      baseline: measured.baseline,
      ratio: measured.ratio,
      goal: { atMost: 2 },
    });
  }
}

export const alertsPersist: Benchmark = { names: ['alerts.persist'], run };
