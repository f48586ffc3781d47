import { sql } from 'kysely';

import type { Db } from './db.ts';

interface HeartbeatsTable {
  minute: string;
  process_id: string;
  role: string;
}

declare module './db.ts' {
  interface Tables {
    process_heartbeats: HeartbeatsTable;
  }
}

const MINUTE_MS = 60_000;
const KEEP_DAYS = 90;

export type Uptime = { percent: number | null; windowDays: number; targetPercent: number };
const TARGET_PERCENT = 99.9;

/** One row a minute and process: measured uptime needs a past. */
export async function beat(db: Db, now: Date, processId: string, role: string): Promise<void> {
  const minute = new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS).toISOString();
  await db
    .insertInto('process_heartbeats')
    .values({ minute, process_id: processId, role })
    .onConflict((oc) => oc.doNothing())
    .execute();
}

export async function forgetOldBeats(db: Db, now: Date): Promise<void> {
  const limit = new Date(now.getTime() - KEEP_DAYS * 86_400_000).toISOString();
  await db.deleteFrom('process_heartbeats').where('minute', '<', limit).execute();
}

/**
 * Share of whole minutes with a heartbeat of any serving process, since the first one and at most 30 days back.
 * null until ten minutes are there to be measured.
 */
export async function measuredUptime(db: Db, now: Date): Promise<Uptime> {
  const end = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  const earliest = new Date(end - 30 * 86_400_000).toISOString();
  const { rows } = await sql<{ minutes: number; first: string | null }>`
    select count(distinct minute) filter (where minute >= ${earliest}) as minutes, min(minute) as first
    from process_heartbeats where minute < ${new Date(end).toISOString()} and role <> 'worker'`.execute(db);
  const { minutes = 0, first = null } = rows[0] ?? {};
  const span = first ? (end - Math.max(Date.parse(first), Date.parse(earliest))) / MINUTE_MS : 0;
  const percent = span >= 10 ? Math.min(100, Math.round((minutes / span) * 100_000) / 1000) : null;
  return { percent, windowDays: Math.round((span / 1440) * 100) / 100, targetPercent: TARGET_PERCENT };
}
