import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import '../schema.ts';
import type { CompiledShape, Shape } from '../engine/compile.ts';
import type { LegState } from '../engine/types.ts';
import type { Saved } from './batch.ts';
import { ACTIVE } from './store.ts';

/** Rules that say the same but for their value, in the order of their ids. What differs is held as the database sends it. */
export type Pack = Shape & { count: number; bytes: Buffer };

const PAGE = 50_000;
/** One rule after the other, each as long as every other. */
const PACKED = sql`string_agg(int8send(id) || int8send(user_id) || int4send(version) || float8send(value)
  || int2send(first_on) || int2send(second_on) || timestamptz_send(coalesce(pending_since, '-infinity'))
  || timestamptz_send(coalesce(last_fired_at, '-infinity')) || timestamptz_send(updated_at), ''::bytea)`;
const [ID, USER, VERSION, VALUE, FIRST, SECOND, PENDING_SINCE, LAST_FIRED_AT, UPDATED_AT, SIZE] = [
  0, 8, 16, 20, 28, 30, 32, 40, 48, 56,
] as const;

/** All rules that are to be judged of the metrics that are asked for. The next ones are being read while these are used. */
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

/** Options are read once for all that have the same. */
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

const bigAt = (bytes: Buffer, at: number) => bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
function timeAt(bytes: Buffer, at: number): number | null {
  const microseconds = bigAt(bytes, at);
  return microseconds === NEVER ? null : FIRST_MOMENT + microseconds / 1000;
}

export const idsOf = ({ bytes, count }: Pack): number[] =>
  Array.from({ length: count }, (_, i) => bigAt(bytes, i * SIZE + ID));

export function* rulesOf({ bytes, count }: Pack, shape: CompiledShape): Generator<Saved> {
  for (let i = 0, at = 0; i < count; i++, at += SIZE) {
    yield {
      rule: shape.rule(
        bigAt(bytes, at + ID),
        bigAt(bytes, at + USER),
        bytes.readInt32BE(at + VERSION),
        bytes.readDoubleBE(at + VALUE),
      ),
      state: {
        first: bytes.readInt16BE(at + FIRST) as LegState,
        second: bytes.readInt16BE(at + SECOND) as LegState,
        pendingSince: timeAt(bytes, at + PENDING_SINCE),
        lastFiredAt: timeAt(bytes, at + LAST_FIRED_AT),
        done: false,
      },
      savedAt: timeAt(bytes, at + UPDATED_AT) ?? 0,
    };
  }
}
