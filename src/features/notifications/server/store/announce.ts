import { sql } from 'kysely';

import type { Db } from '#server/platform/db.ts';

export type NewAnnouncement = {
  once: string;
  kind: string;
  severity: string;
  userId: number | null;
  subject: string | null;
  payload: unknown;
  createdAt: Date;
  expiresAt: Date | null;
};

/** False when it was written before. */
export async function addAnnouncement(tx: Db, row: NewAnnouncement): Promise<boolean> {
  const { numAffectedRows } =
    await sql`insert into notification_events (dedupe_key, kind, severity, user_id, subject, payload, created_at, expires_at)
    values (${row.once}, ${row.kind}, ${row.severity}, ${row.userId}, ${row.subject}, ${JSON.stringify(row.payload)}::jsonb,
      ${row.createdAt.toISOString()}::timestamptz, ${row.expiresAt?.toISOString() ?? null}::timestamptz)
    on conflict (dedupe_key) do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0) > 0;
}

/** What was not sent of these subjects is not sent any more, and nobody else is told; `except` names a notice that stays. */
export async function withdrawSubjects(
  tx: Db,
  subjects: readonly string[],
  note: string,
  now: Date,
  except: string | null,
): Promise<void> {
  // Not in one statement: a shard that is made meanwhile is seen by the second.
  const { rows } = await sql<{ id: number }>`update notification_events
    set fanned_at = coalesce(fanned_at, ${now.toISOString()}::timestamptz), subject = null
    where subject = any(${[...subjects]}::text[]) and dedupe_key is distinct from ${except} returning id`.execute(tx);
  if (rows.length === 0) return;
  await sql`update notification_deliveries set state = 'dropped', note = ${note}, locked_until = null
    where event_id = any(${rows.map(({ id }) => id)}::bigint[]) and state in ('due', 'digest')`.execute(tx);
}
