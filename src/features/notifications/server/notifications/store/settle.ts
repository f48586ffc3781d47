import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import type { StoredState } from '../schema.ts';
import '../schema.ts';

export type Settled = {
  id: number;
  /** The try that came to this end: what a later one does is not touched by it. */
  tries: number;
  state: StoredState;
  note: string | null;
  /** Of one that is tried again. */
  dueAt: Date | null;
};

/** One statement for a whole batch. What was settled before stays as it is; gives how many changed. */
export async function settleDeliveries(db: Db, settled: readonly Settled[], now: Date): Promise<number> {
  if (settled.length === 0) return 0;
  const column = <T>(of: (each: Settled) => T): T[] => settled.map(of);
  const { numAffectedRows } = await sql`update notification_deliveries d
    set state = s.state, note = s.note, due_at = coalesce(s.due_at, d.due_at), locked_until = null,
      sent_at = case when s.state = 'sent' then ${now.toISOString()}::timestamptz end
    from unnest(${column(({ id }) => id)}::bigint[], ${column(({ state }) => state)}::text[], ${column(({ note }) => note)}::text[],
      ${column(({ dueAt }) => dueAt?.toISOString() ?? null)}::timestamptz[], ${column(({ tries }) => tries)}::int[])
      s (id, state, note, due_at, tries)
    where d.id = s.id and (d.tries = s.tries or s.state = 'sent') and d.state in ('due', 'handed')`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** How often it was tried; undefined when it is settled already or gone with its reader. */
export async function triesOf(db: Db, id: number): Promise<number | undefined> {
  const { rows } = await sql<{ tries: number }>`select tries from notification_deliveries
    where id = ${id}::bigint and state in ('due', 'handed') for update`.execute(db);
  return rows[0]?.tries;
}

/** A failed one begins anew; what it tells of an alert may be told for another while. False when it did not fail. */
export async function restartDelivery(db: Db, id: number, now: Date, until: Date): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update notification_deliveries d set state = 'due', tries = 0, note = null, locked_until = null,
      due_at = ${now.toISOString()}::timestamptz, restarted_at = ${now.toISOString()}::timestamptz,
      expires_at = case when e.category = 'events' then d.expires_at else greatest(d.expires_at, ${until.toISOString()}::timestamptz) end
    from notification_events e where e.id = d.event_id and d.id = ${id}::bigint and d.state = 'failed'`.execute(db);
  return Number(numAffectedRows ?? 0) > 0;
}

export const ACCOUNT_DISABLED = 'The account was disabled';

/** Everything of a person that waits. What is being sent at this moment keeps this end, whatever becomes of it. */
export async function dropWaiting(tx: Db, userId: number): Promise<number> {
  const { numAffectedRows } =
    await sql`update notification_deliveries set state = 'dropped', note = ${ACCOUNT_DISABLED}, locked_until = null
    where user_id = ${userId}::bigint and state in ('due', 'digest', 'handed')`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
