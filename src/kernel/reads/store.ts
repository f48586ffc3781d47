import { sql } from 'kysely';

import type { Db } from '../db.ts';

/** WAL position in bytes up to which everything committed is written. */
export async function readWalPosition(db: Db): Promise<number> {
  const { rows } = await sql<{ position: number }>`
    select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::float8 as position`.execute(db);
  return (rows[0] as { position: number }).position;
}

/** Whether the server replays the WAL of another one, and its position in bytes. */
export async function readReplicationStatus(db: Db): Promise<{ isReplica: boolean; position: number }> {
  const { rows } = await sql<{ isReplica: boolean; position: number }>`
    select pg_is_in_recovery() as "isReplica",
      coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0)::float8 as position`.execute(db);
  return rows[0] as { isReplica: boolean; position: number };
}

/** Identifies the installation; undefined before there is one. */
export async function readInstallationId(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('installation').select(['data_mode', 'created_at']).executeTakeFirst();
  return row && `${row.data_mode} ${row.created_at}`;
}
