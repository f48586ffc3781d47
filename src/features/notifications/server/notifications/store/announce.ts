import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

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

export const WITHDRAWN = 'Withdrawn before it was sent';

/** Takes effect at commit. New announcements wake the workers without it. */
export async function wakeWorkers(tx: Db): Promise<void> {
  await sql`select pg_notify('notifications', '')`.execute(tx);
}

/** False when it already exists and is not withdrawn. A withdrawn one is sent to those it has not reached. */
export async function addAnnouncement(tx: Db, row: NewAnnouncement): Promise<boolean> {
  const payload = JSON.stringify(row.payload);
  const [at, until] = [row.createdAt.toISOString(), row.expiresAt?.toISOString() ?? null];
  const { numAffectedRows } =
    await sql`insert into notification_events (dedupe_key, kind, severity, user_id, subject, payload, created_at, expires_at)
    values (${row.once}, ${row.kind}, ${row.severity}, ${row.userId}, ${row.subject}, ${payload}::jsonb, ${at}::timestamptz, ${until}::timestamptz)
    on conflict (dedupe_key) do nothing`.execute(tx);
  if (Number(numAffectedRows ?? 0) > 0) return true;
  const { rows } = await sql<{
    id: number;
  }>`update notification_events set withdrawn_at = null, fanned_at = null, fanned_to = 0,
      payload = ${payload}::jsonb, created_at = ${at}::timestamptz, expires_at = ${until}::timestamptz
    where dedupe_key = ${row.once} and withdrawn_at is not null returning id`.execute(tx);
  const [again] = rows;
  if (!again) return false;
  await sql`delete from notification_deliveries
    where event_id = ${again.id}::bigint and state = 'dropped' and note = ${WITHDRAWN}`.execute(tx);
  await wakeWorkers(tx);
  return true;
}

/** Announcements that exist and are not withdrawn. */
export async function findActiveAnnouncements(db: Db, onces: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ once: string }>`select dedupe_key as once from notification_events
    where dedupe_key = any(${[...onces]}::text[]) and withdrawn_at is null`.execute(db);
  return new Set(rows.map(({ once }) => once));
}

type AnnouncementSelection = { subject: string } | { kind: string; except: readonly string[] };

/**
 * Unsent deliveries are withdrawn and no new ones are created; those in flight may still arrive. An expired
 * announcement needs no withdrawal.
 */
export async function withdrawAnnouncements(tx: Db, which: AnnouncementSelection, now: Date): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const chosen =
    'subject' in which
      ? sql`subject = ${which.subject}`
      : sql`subject is not null and kind = ${which.kind} and dedupe_key <> all(${[...which.except]}::text[])`;
  // Two statements, so that the second sees deliveries of a shard created during the first.
  const { rows } = await sql<{ id: number }>`update notification_events
    set withdrawn_at = ${at}, fanned_at = coalesce(fanned_at, ${at})
    where withdrawn_at is null and (expires_at is null or expires_at > ${at}) and ${chosen} returning id`.execute(tx);
  if (rows.length === 0) return;
  await sql`update notification_deliveries set state = 'dropped', note = ${WITHDRAWN}, locked_until = null
    where event_id = any(${rows.map(({ id }) => id)}::bigint[]) and state in ('due', 'digest')
      and (locked_until is null or locked_until <= ${at})`.execute(tx);
}
