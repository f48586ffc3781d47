import { sql } from 'kysely';

import type { Exports } from '#features/exports/server/exports/service.ts';
import type { Market } from '#features/market/server/market/service.ts';
import type { Health } from '#features/operations/contract/health.ts';
import type { Db } from '#kernel/db.ts';
import { measuredUptime, TARGET_PERCENT, type Uptime, type WriteState } from '#kernel/heartbeat.ts';
import type { Reads } from '#kernel/reads/reads.ts';

type Deps = {
  db: Db;
  market: Market;
  now: () => Date;
  identity: Pick<Health, 'version' | 'dataMode' | 'role' | 'startedAt'>;
  databaseKind: Health['database']['kind'];
  writes: () => WriteState;
  reads: Reads['state'];
  exports: Pick<Exports, 'folder'>;
};

/**
 * Degraded as soon as a source, the database, its replica or the exports folder fails; the product still serves data,
 * with ages.
 */
export async function readHealth({
  db,
  market,
  now,
  identity,
  databaseKind,
  writes,
  reads,
  exports,
}: Deps): Promise<Health> {
  const { version, readOnly, uptime } = await readDatabase(db, now()).catch(() => AWAY);
  const { note } = writes();
  const database = {
    kind: databaseKind,
    version,
    writable: !readOnly && note === null,
    note: note ?? (version === 'unknown' ? 'The database is not responding.' : null),
  };
  const replica = reads();
  const folder = await exports.folder.note();
  const sources = market.sources();
  const failing = sources.some(({ state }) => state === 'down' || state === 'rate_limited' || state === 'stale');
  return {
    status: failing || !database.writable || folder !== null || replica?.inUse === false ? 'degraded' : 'ok',
    ...identity,
    database,
    reads: replica,
    exports: { writable: folder === null, note: folder },
    uptime,
    sources,
  };
}

type Answer = { version: string; readOnly: boolean; uptime: Uptime };
const AWAY: Answer = {
  version: 'unknown',
  readOnly: true,
  uptime: { percent: null, windowDays: 0, targetPercent: TARGET_PERCENT },
};

async function readDatabase(db: Db, now: Date): Promise<Answer> {
  const [{ rows }, uptime] = await Promise.all([
    sql<{ version: string; read_only: boolean }>`select current_setting('server_version') as version,
      pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as read_only`.execute(db),
    measuredUptime(db, now),
  ]);
  return { version: rows[0]?.version ?? 'unknown', readOnly: rows[0]?.read_only ?? true, uptime };
}
