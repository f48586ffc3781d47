import { sql } from 'kysely';

import { raiseAlerts } from '#features/alerts/server/alerts/raise.ts';
import type { Db } from '#kernel/db.ts';

import '../schema.ts';
import type { ThresholdsContext } from '../context.ts';
import type { CompiledShape, Shape } from '../engine/compile.ts';
import type { LegState } from '../engine/types.ts';
import { notifyRuleChange } from '../watching.ts';
import { type Batch, type Saved, toAlertDraft } from './batch.ts';
import { ACTIVE, type BatchName, claimBatch, findStorms, pauseInStorm, writeStates } from './store.ts';

const STORM_FIRES = 15;
const STORM_MS = 3 * 60_000;

/** Another process now owns these rules. */
export class ShardLostError extends Error {}

/** Writes all effects of a batch of ticks in one transaction. Idempotent. */
export async function writeBatch(ctx: ThresholdsContext, shard: number, name: BatchName, batch: Batch): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const claim = await claimBatch(tx, shard, name, [...batch.ticks.values()]);
    if (claim === 'lost') throw new ShardLostError(`Shard ${shard} was taken over by another process`);
    if (claim === 'written') return;
    const written = new Map((await writeStates(tx, [...batch.writes.values()])).map((rule) => [rule.id, rule]));
    const coinName = (id: string) => ctx.market.ctx.board.coin(id)?.name;
    const drafts = batch.fires.flatMap((fire) => {
      const rule = written.get(fire.id);
      return rule && batch.writes.get(fire.id)?.version === fire.version ? [toAlertDraft(fire, rule, coinName)] : [];
    });
    await raiseAlerts(ctx, tx, drafts);
    const newest = Math.max(...drafts.map(({ evaluatedAt }) => evaluatedAt.getTime()));
    await calm(ctx, tx, [...new Set(drafts.flatMap(({ own }) => own?.userId ?? []))], newest);
  });
}

/**
 * When a user's rules fire too often within a short time, raises one more alert and pauses those rules. The window ends
 * with the newest fire: the time of writing may be later.
 */
async function calm(ctx: ThresholdsContext, tx: Db, users: readonly number[], newest: number): Promise<void> {
  if (users.length === 0) return;
  const now = ctx.now();
  for (const storm of await findStorms(tx, users, STORM_FIRES, new Date(newest - STORM_MS))) {
    const paused = await pauseInStorm(tx, storm.rules);
    const [first] = paused;
    if (!first) continue;
    const [rules, them] =
      paused.length === 1 ? ['The rule that fired is', 'it'] : [`The ${paused.length} rules that fired are`, 'them'];
    await raiseAlerts(ctx, tx, [
      {
        idempotencyKey: `storm:${storm.user_id}:${storm.newest}`,
        own: { userId: storm.user_id, ruleId: first.id },
        type: 'RULES_PAUSED',
        severity: 'high',
        message: `Your rules raised at least ${STORM_FIRES} alerts within 3 minutes. ${rules} paused. Rearm ${them} under Custom Alerts`,
        metric: first.metric,
        value: null,
        detail: { rules: paused.map(({ id }) => id) },
        source: 'Meridian',
        method: ctx.mode === 'demo' ? 'demo' : 'computed',
        sourceAt: now,
        receivedAt: now,
        evaluatedAt: now,
      },
    ]);
    await notifyRuleChange(tx, storm.user_id);
  }
}

/** Rules that differ only in owner and value, by id. The differing fields stay in the database's binary format. */
export type Pack = Shape & { count: number; bytes: Buffer };

const PAGE = 50_000;
/** Fixed-size records, one per rule. */
const PACKED = sql`string_agg(int8send(id) || int8send(user_id) || int4send(version) || float8send(value)
  || int2send(first_on) || int2send(second_on) || timestamptz_send(coalesce(pending_since, '-infinity'))
  || timestamptz_send(coalesce(last_fired_at, '-infinity')) || timestamptz_send(updated_at), ''::bytea)`;
const [ID, USER, VERSION, VALUE, FIRST, SECOND, PENDING_SINCE, LAST_FIRED_AT, UPDATED_AT, SIZE] = [
  0, 8, 16, 20, 28, 30, 32, 40, 48, 56,
] as const;

/** All active rules of the accepted metrics. The next page is prefetched while one is processed. */
export async function* readPacks(db: Db, isOurs: (metric: string) => boolean): AsyncGenerator<Pack[]> {
  let next: Promise<Page> | null = packsAfter(db, 0);
  try {
    while (next) {
      const { packs, count, last }: Page = await next;
      next = count === PAGE ? packsAfter(db, last) : null;
      yield packs.filter(({ metric }) => isOurs(metric));
    }
  } finally {
    await next?.catch(() => undefined);
  }
}

type Page = { packs: Pack[]; count: number; last: number };

/** Options are parsed once for all rules that share them. */
async function packsAfter(db: Db, id: number): Promise<Page> {
  const { rows } = await sql<Pack & { last: number }>`with page as (
      select * from alert_rules where id > ${id} and ${ACTIVE} order by id limit ${PAGE}),
    packs as (
      select metric, condition, options_key, min(id) as first, max(id) as last, count(*)::int as count, ${PACKED} as bytes
      from page group by metric, condition, options_key)
    select metric, condition, (select options from alert_rules r where r.id = p.first), last, count, bytes
    from packs p order by first`.execute(db);
  return {
    packs: rows,
    count: rows.reduce((sum, { count }) => sum + count, 0),
    last: Math.max(...rows.map(({ last }) => last)),
  };
}

const FIRST_MOMENT = Date.UTC(2000, 0, 1);
const NEVER = -(2 ** 63);

const readBigInt = (bytes: Buffer, at: number) => bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
function readTime(bytes: Buffer, at: number): number | null {
  const microseconds = readBigInt(bytes, at);
  return microseconds === NEVER ? null : FIRST_MOMENT + microseconds / 1000;
}

export const readIds = ({ bytes, count }: Pack): number[] =>
  Array.from({ length: count }, (_, i) => readBigInt(bytes, i * SIZE + ID));

export function* unpackRules({ bytes, count }: Pack, shape: CompiledShape): Generator<Saved> {
  for (let i = 0, at = 0; i < count; i++, at += SIZE) {
    yield {
      rule: shape.rule(
        readBigInt(bytes, at + ID),
        readBigInt(bytes, at + USER),
        bytes.readInt32BE(at + VERSION),
        bytes.readDoubleBE(at + VALUE),
      ),
      state: {
        first: bytes.readInt16BE(at + FIRST) as LegState,
        second: bytes.readInt16BE(at + SECOND) as LegState,
        pendingSince: readTime(bytes, at + PENDING_SINCE),
        lastFiredAt: readTime(bytes, at + LAST_FIRED_AT),
        done: false,
      },
      savedAt: readTime(bytes, at + UPDATED_AT) ?? 0,
    };
  }
}
