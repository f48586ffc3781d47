import type pg from 'pg';

import { wait } from '../clock.ts';
import { type Connection, type Db, isUnreachable, openDatabase } from '../db.ts';
import type { ReportError } from '../error-reports.ts';
import { errorMessage } from '../errors.ts';
import type { Log } from '../log.ts';
import { AppStartError } from '../postgres/process.ts';
import { readInstallationId, readReplicationStatus, readWalPosition } from './store.ts';

/** A replica may be behind a migration: its tables and columns arrive with the WAL. */
const MISSING_OBJECT_CODES = new Set(['42P01', '42703', '42883', '3D000']);
const CONFLICT = /conflict with recovery/;

export type ReplicaFailure = 'away' | 'conflict' | 'catching up';

/** The kind of failure of the replica itself; undefined for errors the primary would raise too. */
function replicaFailure(error: unknown): ReplicaFailure | undefined {
  if (CONFLICT.test(errorMessage(error))) return 'conflict';
  if (MISSING_OBJECT_CODES.has((error as { code?: string } | null)?.code ?? '')) return 'catching up';
  return isUnreachable(error) ? 'away' : undefined;
}

/**
 * Positions are bytes of WAL. Times are milliseconds of the clock of this process, so that no two clocks are compared.
 */
type Lag = {
  /** The primary had written up to this position at that time. */
  written: (atMs: number, position: number) => void;
  /** Age of the newest time up to which everything is replayed; null until there is one. */
  of: (nowMs: number, position: number) => number | null;
};

const MAX_SAMPLES = 4000;

/** Lag of a replica: its replay position compared with what the primary had written over time. */
export function createLag(): Lag {
  const samples: { atMs: number; position: number }[] = [];
  return {
    written(atMs, position) {
      samples.push({ atMs, position });
      // The oldest sample stays: it is the one an age is measured from.
      if (samples.length > MAX_SAMPLES) samples.splice(1, 1);
    },
    of(nowMs, position) {
      const reached = samples.findLastIndex((sample) => sample.position <= position);
      if (reached < 0) return null;
      samples.splice(0, reached);
      return nowMs - (samples[0] as (typeof samples)[number]).atMs;
    },
  };
}

const CHECK_INTERVAL_MS = 1000;
/** A check that takes longer counts as unreachable. */
const CHECK_TIMEOUT_MS = 5000;
/** How long a read waits for what was written before its request. */
const CATCH_UP_TIMEOUT_MS = 2000;
const POLL_MS = 20;
/** A query without a response for longer than this has lost its server. */
const QUERY_TIMEOUT_MS = 60_000;
/** A recurrence within this time is the same problem and is reported once. */
const STABLE_MS = 60_000;
const MAX_CONNECTIONS = 10;

type UnusableReason = 'away' | 'behind' | 'catching up' | 'conflict' | 'promoted' | 'other';

/** `inUse`: reads use the replica. `note` is one sentence while they do not. */
export type ReadState = { inUse: boolean; lagSeconds: number | null; note: string | null };

export type Replica = {
  db: Db;
  pool: pg.Pool;
  connection: Connection;
  isUsable: () => boolean;
  /** Whether it has everything committed so far, or will have it shortly. */
  isCaughtUp: () => Promise<boolean>;
  /** Rejects as soon as the replica is unreachable, even if the query would wait longer. */
  untilLost: <T>(work: Promise<T>) => Promise<T>;
  failed: (error: unknown) => boolean;
  state: () => ReadState;
  close: () => Promise<void>;
};

/** The server is unreachable or no longer a replica. */
class ReplicaLostError extends Error {}

type Deps = { db: Db; maxLagSeconds: number; log: Log; report: ReportError };

/** Checks the replica every second. Throws AppStartError for a server that is not a copy of the database. */
export async function openReplica({ db, maxLagSeconds, log, report }: Deps, read: Connection): Promise<Replica> {
  const reached = { connectionTimeoutMillis: 3000, keepAlive: true, application_name: 'meridian-read', ...read };
  const connection = { ...reached, query_timeout: QUERY_TIMEOUT_MS };
  const replica = openDatabase(connection, noop, MAX_CONNECTIONS);
  // Checks must not wait until long reads release a connection.
  const probe = openDatabase({ ...reached, query_timeout: CHECK_TIMEOUT_MS }, noop, 2);
  const close = async () => void (await Promise.all([replica.close(), probe.close()]));
  const ownInstallation = await readInstallationId(db);
  const lag = createLag();
  let lagMs: number | null = null;
  let reason: UnusableReason | null = 'catching up';
  let reportedReason: UnusableReason | null = null;
  let usedSince = 0;
  const waiting = new Set<(over: ReplicaLostError) => void>();

  const descriptions: Record<UnusableReason, () => string> = {
    away: () => 'The read replica is not responding',
    behind: () => `The read replica is ${Math.round((lagMs ?? 0) / 1000)} s behind, more than ${maxLagSeconds} s`,
    'catching up': () => 'The read replica is still catching up',
    conflict: () => 'The read replica canceled a query because of a replay conflict',
    promoted: () => 'The server at READ_DATABASE_URL is not a replica',
    other: () => 'The server at READ_DATABASE_URL belongs to another installation',
  };
  const describeReason = (of: UnusableReason) => `${descriptions[of]()}; reading from the primary.`;

  function stopUsingReplica(next: UnusableReason, cause?: unknown): void {
    if (reason === null && performance.now() - usedSince >= STABLE_MS) reportedReason = null;
    reason = next;
    if (next === 'away' || next === 'promoted' || next === 'other')
      for (const end of waiting) end(new ReplicaLostError(describeReason(next)));
    if (reportedReason === next || next === 'catching up') return;
    reportedReason = next;
    report('server', 'system', describeReason(next), cause === undefined ? undefined : errorMessage(cause));
  }

  function useReplica(): void {
    if (reason === null) return;
    reason = null;
    usedSince = performance.now();
    log.info({ lagMs }, 'reading from the replica');
  }

  async function checkReplica(): Promise<void> {
    const at = performance.now();
    await withTimeout(readWalPosition(db)).then((position) => lag.written(at, position), noop);
    try {
      const { isReplica, position } = await readReplicationStatus(probe.db);
      const replicaInstallation = await readInstallationId(probe.db);
      lagMs = lag.of(performance.now(), position);
      if (replicaInstallation !== undefined && replicaInstallation !== ownInstallation) stopUsingReplica('other');
      else if (!isReplica) stopUsingReplica('promoted');
      else if (replicaInstallation === undefined || lagMs === null) stopUsingReplica('catching up');
      else if (lagMs > maxLagSeconds * 1000) stopUsingReplica('behind');
      else useReplica();
    } catch (error) {
      lagMs = null;
      stopUsingReplica(replicaFailure(error) ?? 'away', error);
    }
  }

  const failed = (error: unknown): boolean => {
    if (error instanceof ReplicaLostError) return true;
    const kind = replicaFailure(error);
    if (kind) stopUsingReplica(kind, error);
    return kind !== undefined;
  };

  async function isCaughtUp(): Promise<boolean> {
    // Waiting for a replica this far behind would be in vain.
    if (reason !== null || (lagMs ?? 0) > CATCH_UP_TIMEOUT_MS + CHECK_INTERVAL_MS) return false;
    try {
      const wanted = await readWalPosition(db);
      const end = performance.now() + CATCH_UP_TIMEOUT_MS;
      for (;;) {
        const { isReplica, position } = await readReplicationStatus(probe.db);
        if (!isReplica || reason !== null) return false;
        if (position >= wanted) return true;
        if (performance.now() >= end) return false;
        await wait(POLL_MS);
      }
    } catch (error) {
      failed(error);
      return false;
    }
  }

  try {
    await assertSameInstallation(probe.db, ownInstallation);
  } catch (error) {
    if (error instanceof AppStartError) {
      await close();
      throw error;
    }
  }
  const ready = performance.now() + CATCH_UP_TIMEOUT_MS;
  const isCatchingUp = () => reason === 'catching up';
  await checkReplica();
  while (isCatchingUp() && performance.now() < ready) {
    await wait(POLL_MS);
    await checkReplica();
  }
  let current: Promise<void> | null = null;
  const timer = setInterval(() => {
    current ??= checkReplica().finally(() => {
      current = null;
    });
  }, CHECK_INTERVAL_MS);

  return {
    db: replica.db,
    pool: replica.pool,
    connection,
    isUsable: () => reason === null,
    isCaughtUp,
    untilLost: (work) =>
      new Promise((resolve, reject) => {
        waiting.add(reject);
        work.then(resolve, reject).finally(() => waiting.delete(reject));
      }),
    failed,
    state: () => ({
      inUse: reason === null,
      lagSeconds: lagMs === null ? null : Math.round(lagMs / 100) / 10,
      note: reason === null ? null : describeReason(reason),
    }),
    async close() {
      clearInterval(timer);
      await current;
      await close();
    },
  };
}

const noop = () => undefined;

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = wait(CHECK_TIMEOUT_MS, done.signal).then(() => {
    throw new Error('timeout expired');
  });
  late.catch(noop);
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}

/**
 * A server that was never a copy of this database is a configuration error; one that is unreachable or behind is not.
 */
async function assertSameInstallation(db: Db, ownInstallation: string | undefined): Promise<void> {
  const { isReplica } = await readReplicationStatus(db);
  const replicaInstallation = await readInstallationId(db).catch((error: unknown) => {
    if (replicaFailure(error) === 'catching up') return undefined;
    throw error;
  });
  if (replicaInstallation === ownInstallation || (replicaInstallation === undefined && isReplica)) return;
  throw new AppStartError(
    'READ_DATABASE_URL does not point to a replica of this database. It must be a streaming replica of the server of DATABASE_URL.',
  );
}

/** Builds a whole response from the first server; after a replica failure, again from the next. */
export async function readFromFirst<T>(
  [first, ...others]: readonly Connection[],
  make: (connection: Connection) => Promise<T>,
  onFailover: (error: unknown) => void = () => undefined,
): Promise<T> {
  try {
    return await make(first as Connection);
  } catch (error) {
    if (others.length === 0 || replicaFailure(error) === undefined) throw error;
    onFailover(error);
    return readFromFirst(others, make, onFailover);
  }
}
