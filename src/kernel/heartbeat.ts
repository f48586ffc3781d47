import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';

import { sql } from 'kysely';

import { type Db, DISK_FULL_NOTE, describeFailure } from './db.ts';
import { errorMessage } from './errors.ts';
import type { Log } from './log.ts';
import { createThrottle } from './throttle.ts';

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
const RETENTION_DAYS = 90;
const HEARTBEAT_INTERVAL_MS = 20_000;
const CHECK_INTERVAL_MS = 2_000;

export type Uptime = { percent: number | null; windowDays: number; targetPercent: number };
export const TARGET_PERCENT = 99.9;

/**
 * One row per minute and process, the basis of measured uptime. Always a write, so that it shows whether writes
 * succeed.
 */
export async function recordHeartbeat(db: Db, now: Date, processId: string, role: string): Promise<void> {
  const minute = new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS).toISOString();
  await db
    .insertInto('process_heartbeats')
    .values({ minute, process_id: processId, role })
    .onConflict((oc) => oc.columns(['minute', 'process_id']).doUpdateSet({ role }))
    .execute();
}

export type WriteState = {
  writable: boolean;
  /** One sentence for people; null while all is well. */
  note: string | null;
};

/** One WAL segment: PostgreSQL stops when it cannot add the next one. */
const MIN_FREE_BYTES = 16 * 1024 * 1024;

async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export type Heartbeat = {
  beat: () => Promise<void>;
  /** Checks soon, after a failure that may be caused by the database. */
  poke: () => void;
  state: () => WriteState;
  stop: () => void;
};

/** Beats while the process runs. A failed beat shows that the database accepts no writes. */
export function startHeartbeat(options: {
  db: Db;
  now: () => Date;
  log: Log;
  role: string;
  /** Where the database writes, when it is on this machine. */
  folder: string | null;
}): Heartbeat {
  const { db, now, log, role, folder } = options;
  const processId = randomUUID();
  let state: WriteState = { writable: true, note: null };
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  function setState(next: WriteState, reason: string | null): void {
    if (stopped) return;
    if (next.note !== state.note && next.note !== null) log.error({ error: reason }, next.note);
    if (next.note === null && state.note !== null) log.warn('The database accepts writes again.');
    state = next;
  }

  async function runCheck(): Promise<void> {
    try {
      await recordHeartbeat(db, now(), processId, role);
      const freeBytes = folder === null ? Number.POSITIVE_INFINITY : await readFreeBytes(folder);
      if (freeBytes >= MIN_FREE_BYTES) setState({ writable: true, note: null }, null);
      else setState({ writable: true, note: DISK_FULL_NOTE }, `${Math.floor(freeBytes / 1024)} KiB are left`);
    } catch (error) {
      setState({ writable: false, note: describeFailure(error) }, errorMessage(error));
    }
  }
  const check = createThrottle(CHECK_INTERVAL_MS, runCheck, () => undefined);
  async function next(): Promise<void> {
    await check.flush();
    if (!stopped) schedule();
  }
  function schedule(): void {
    timer = setTimeout(() => void next(), state.note === null ? HEARTBEAT_INTERVAL_MS : CHECK_INTERVAL_MS);
  }
  schedule();

  return {
    beat: check.flush,
    poke: check.trigger,
    state: () => state,
    stop() {
      stopped = true;
      check.stop();
      if (timer) clearTimeout(timer);
    },
  };
}

export async function deleteOldHeartbeats(db: Db, now: Date): Promise<void> {
  const limit = new Date(now.getTime() - RETENTION_DAYS * 86_400_000).toISOString();
  await db.deleteFrom('process_heartbeats').where('minute', '<', limit).execute();
}

/**
 * Share of whole minutes with a heartbeat of any serving process, since the first one and for at most 30 days. null
 * until ten minutes have been recorded.
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
