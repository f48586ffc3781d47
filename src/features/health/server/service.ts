import { sql } from 'kysely';

import type { Market } from '#features/market/server/service.ts';
import type { Db } from '#server/platform/db.ts';
import { measuredUptime } from '#server/platform/heartbeat.ts';

import type { Health } from '../contract.ts';

type Deps = {
  db: Db;
  market: Market;
  now: () => Date;
  identity: Pick<Health, 'version' | 'dataMode' | 'role' | 'startedAt'>;
  databaseKind: Health['database']['kind'];
};

/** Degraded as soon as a source that should answer does not; the product still serves, with ages. */
export async function readHealth({ db, market, now, identity, databaseKind }: Deps): Promise<Health> {
  const [{ rows }, uptime] = await Promise.all([
    sql<{ version: string; writable: boolean }>`select current_setting('server_version') as version,
      not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off' as writable`.execute(db),
    measuredUptime(db, now()),
  ]);
  const sources = market.sources();
  const failing = sources.some(({ state }) => state === 'down' || state === 'rate_limited' || state === 'stale');
  return {
    status: failing ? 'degraded' : 'ok',
    ...identity,
    database: { kind: databaseKind, version: rows[0]?.version ?? 'unknown', writable: rows[0]?.writable ?? false },
    uptime,
    sources,
  };
}
