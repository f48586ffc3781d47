import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import '../schema.ts';

export type Lease = {
  /** Units granted. */
  taken: number;
  /** Totals of the day: settled calls, and units held by processes, including `taken`. */
  spent: number;
  leased: number;
};

/** A lease takes at most this fraction of the remaining units: smaller near the limit, down to 1. */
const PARTS = 8;

/** Leases at most `want` units of a day, none when nothing is left. Spent and leased units never exceed `limit`. */
export async function takeLease(db: Db, userId: number, day: string, limit: number, want: number): Promise<Lease> {
  const take = () =>
    sql<Lease>`
    with day as (
      select spent, leased, ${limit}::integer - spent - leased as rest from api_days
      where user_id = ${userId} and day = ${day} for update
    ), lease as (
      select greatest(0, least(rest, greatest(1, least(${want}::integer, rest / ${PARTS}::integer)))) as taken from day
    )
    update api_days set leased = api_days.leased + lease.taken from lease
    where api_days.user_id = ${userId} and api_days.day = ${day}
    returning lease.taken, api_days.spent, api_days.leased`.execute(db);
  const [known] = (await take()).rows;
  if (known) return known;
  await sql`insert into api_days (user_id, day) select id, ${day}::date from users where id = ${userId}
    on conflict do nothing`.execute(db);
  const [first] = (await take()).rows;
  return first ?? { taken: 0, spent: 0, leased: 0 };
}

/** Unwritten counts of a process for a day. */
export type Count = {
  userId: number;
  day: string;
  /** Calls; negative when more were refunded than spent since. */
  spent: number;
  /** Units the process no longer holds. */
  released: number;
  refused: number;
};
/** `lastMs` is null when calls were only refunded. */
export type KeyUse = { keyId: number; calls: number; lastMs: number | null };
export type Settled = { userId: number; day: string; spent: number; leased: number; told: number };

/** The id of this transaction, for checking later whether it was committed. */
export async function currentTransactionId(tx: Db): Promise<string> {
  const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(tx);
  return (rows[0] as { id: string }).id;
}

/** Status of a transaction whose commit response was lost. */
export async function transactionStatus(db: Db, transaction: string): Promise<'committed' | 'aborted' | 'in progress'> {
  const { rows } = await sql<{ status: 'committed' | 'aborted' | 'in progress' | null }>`
    select pg_xact_status(${transaction}::xid8) as status`.execute(db);
  return rows[0]?.status ?? 'aborted';
}

/**
 * Writes counts and uses, in the caller's transaction; a day may occur twice when a clock was set back. Keys first and
 * each in order, to avoid deadlocks.
 */
export async function settleCounts(tx: Db, counts: readonly Count[], uses: readonly KeyUse[]): Promise<Settled[]> {
  const ids = uses.map(({ keyId }) => keyId);
  if (ids.length > 0) {
    await sql`select from api_keys where id = any(${ids}::bigint[]) order by id for no key update`.execute(tx);
    await sql`update api_keys k set usage_count = k.usage_count + u.calls, last_used = greatest(k.last_used, u.last)
      from unnest(${ids}::bigint[], ${uses.map(({ calls }) => calls)}::integer[],
        ${uses.map(({ lastMs }) => (lastMs === null ? null : new Date(lastMs).toISOString()))}::timestamptz[]) as u (id, calls, last)
      where k.id = u.id`.execute(tx);
  }
  const { rows } = await sql<Settled>`
    insert into api_days as d (user_id, day, spent, leased, refused)
    select c.user_id, c.day, sum(c.spent)::integer, -sum(c.released)::integer, sum(c.refused)::integer
    from unnest(${counts.map(({ userId }) => userId)}::bigint[], ${counts.map(({ day }) => day)}::date[],
      ${counts.map(({ spent }) => spent)}::integer[], ${counts.map(({ released }) => released)}::integer[],
      ${counts.map(({ refused }) => refused)}::integer[]) as c (user_id, day, spent, released, refused)
    where exists (select from users where id = c.user_id)
    group by c.user_id, c.day order by c.user_id, c.day
    on conflict (user_id, day) do update set spent = d.spent + excluded.spent,
      leased = d.leased + excluded.leased, refused = d.refused + excluded.refused
    returning d.user_id as "userId", d.day, d.spent, d.leased, d.told`.execute(tx);
  return rows;
}

/** False when this much of the day has already been reported. */
export async function markNotified(tx: Db, userId: number, day: string, percent: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('api_days')
    .set({ told: percent })
    .where('user_id', '=', userId)
    .where('day', '=', day)
    .where('told', '<', percent)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Days with calls since a day, oldest first. */
export async function daysSince(
  db: Db,
  userId: number,
  first: string,
): Promise<{ day: string; spent: number; refused: number }[]> {
  return db
    .selectFrom('api_days')
    .select(['day', 'spent', 'refused'])
    .where('user_id', '=', userId)
    .where('day', '>=', first)
    .orderBy('day')
    .execute();
}
