import type pg from 'pg';

import { wait } from '../clock.ts';
import { type Connection, type Db, isUnreachable, openDatabase } from '../db.ts';
import type { ReportError } from '../error-reports.ts';
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { AppStartError } from '../postgres/process.ts';
import { installationOf, standing, writtenUpTo } from './store.ts';

/** A replica may be behind a migration: its tables and columns arrive with the WAL. */
const NOT_YET_THERE = new Set(['42P01', '42703', '42883', '3D000']);
const CONFLICT = /conflict with recovery/;

export type ReplicaFailure = 'away' | 'conflict' | 'catching up';

/** The kind of failure of the replica itself; undefined for errors the primary would raise too. */
function replicaFailure(error: unknown): ReplicaFailure | undefined {
  if (CONFLICT.test(messageOf(error))) return 'conflict';
  if (NOT_YET_THERE.has((error as { code?: string } | null)?.code ?? '')) return 'catching up';
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

const MOST = 4000;

/** Lag of a replica: its replay position compared with what the primary had written over time. */
export function createLag(): Lag {
  const samples: { atMs: number; position: number }[] = [];
  return {
    written(atMs, position) {
      samples.push({ atMs, position });
      // The oldest sample stays: it is the one an age is measured from.
      if (samples.length > MOST) samples.splice(1, 1);
    },
    of(nowMs, position) {
      const reached = samples.findLastIndex((sample) => sample.position <= position);
      if (reached < 0) return null;
      samples.splice(0, reached);
      return nowMs - (samples[0] as (typeof samples)[number]).atMs;
    },
  };
}

const LOOK_EVERY_MS = 1000;
/** A check that takes longer counts as unreachable. */
const LOOK_LIMIT_MS = 5000;
/** How long a read waits for what was written before its request. */
const FRESH_WAIT_MS = 2000;
const POLL_MS = 20;
/** A query without a response for longer than this has lost its server. */
const QUERY_LIMIT_MS = 60_000;
/** A recurrence within this time is the same problem and is reported once. */
const CALM_MS = 60_000;
const AT_ONCE = 10;

type Why = 'away' | 'behind' | 'catching up' | 'conflict' | 'promoted' | 'other';

/** `inUse`: reads use the replica. `note` is one sentence while they do not. */
export type ReadState = { inUse: boolean; lagSeconds: number | null; note: string | null };

export type Replica = {
  db: Db;
  pool: pg.Pool;
  connection: Connection;
  isUsable: () => boolean;
  /** Whether it has everything committed so far, or will have it shortly. */
  hasAll: () => Promise<boolean>;
  /** Rejects as soon as the replica is unreachable, even if the query would wait longer. */
  untilOver: <T>(work: Promise<T>) => Promise<T>;
  failed: (error: unknown) => boolean;
  state: () => ReadState;
  close: () => Promise<void>;
};

/** The server is unreachable or no longer a replica. */
class Over extends Error {}

type Deps = { db: Db; maxLagSeconds: number; log: Log; report: ReportError };

/** Checks the replica every second. Throws AppStartError for a server that is not a copy of the database. */
export async function openReplica({ db, maxLagSeconds, log, report }: Deps, read: Connection): Promise<Replica> {
  const reached = { connectionTimeoutMillis: 3000, keepAlive: true, application_name: 'meridian-read', ...read };
  const connection = { ...reached, query_timeout: QUERY_LIMIT_MS };
  const replica = openDatabase(connection, quiet, AT_ONCE);
  // Checks must not wait until long reads release a connection.
  const looking = openDatabase({ ...reached, query_timeout: LOOK_LIMIT_MS }, quiet, 2);
  const close = async () => void (await Promise.all([replica.close(), looking.close()]));
  const own = await installationOf(db);
  const lag = createLag();
  let lagMs: number | null = null;
  let why: Why | null = 'catching up';
  let told: Why | null = null;
  let usedSince = 0;
  const waiting = new Set<(over: Over) => void>();

  const words: Record<Why, () => string> = {
    away: () => 'The read replica is not responding',
    behind: () => `The read replica is ${Math.round((lagMs ?? 0) / 1000)} s behind, more than ${maxLagSeconds} s`,
    'catching up': () => 'The read replica is still catching up',
    conflict: () => 'The read replica canceled a query because of a replay conflict',
    promoted: () => 'The server at READ_DATABASE_URL is not a replica',
    other: () => 'The server at READ_DATABASE_URL belongs to another installation',
  };
  const noteOf = (of: Why) => `${words[of]()}; reading from the primary.`;

  function leave(next: Why, cause?: unknown): void {
    if (why === null && performance.now() - usedSince >= CALM_MS) told = null;
    why = next;
    if (next === 'away' || next === 'promoted' || next === 'other')
      for (const end of waiting) end(new Over(noteOf(next)));
    if (told === next || next === 'catching up') return;
    told = next;
    report('server', 'system', noteOf(next), cause === undefined ? undefined : messageOf(cause));
  }

  function enter(): void {
    if (why === null) return;
    why = null;
    usedSince = performance.now();
    log.info({ lagMs }, 'reading from the replica');
  }

  async function look(): Promise<void> {
    const at = performance.now();
    await limited(writtenUpTo(db)).then((position) => lag.written(at, position), quiet);
    try {
      const { isReplica, position } = await standing(looking.db);
      const theirs = await installationOf(looking.db);
      lagMs = lag.of(performance.now(), position);
      if (theirs !== undefined && theirs !== own) leave('other');
      else if (!isReplica) leave('promoted');
      else if (theirs === undefined || lagMs === null) leave('catching up');
      else if (lagMs > maxLagSeconds * 1000) leave('behind');
      else enter();
    } catch (error) {
      lagMs = null;
      leave(replicaFailure(error) ?? 'away', error);
    }
  }

  const failed = (error: unknown): boolean => {
    if (error instanceof Over) return true;
    const kind = replicaFailure(error);
    if (kind) leave(kind, error);
    return kind !== undefined;
  };

  async function hasAll(): Promise<boolean> {
    // Waiting for a replica this far behind would be in vain.
    if (why !== null || (lagMs ?? 0) > FRESH_WAIT_MS + LOOK_EVERY_MS) return false;
    try {
      const wanted = await writtenUpTo(db);
      const end = performance.now() + FRESH_WAIT_MS;
      for (;;) {
        const { isReplica, position } = await standing(looking.db);
        if (!isReplica || why !== null) return false;
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
    await refuseOther(looking.db, own);
  } catch (error) {
    if (error instanceof AppStartError) {
      await close();
      throw error;
    }
  }
  const ready = performance.now() + FRESH_WAIT_MS;
  const isCatchingUp = () => why === 'catching up';
  await look();
  while (isCatchingUp() && performance.now() < ready) {
    await wait(POLL_MS);
    await look();
  }
  let current: Promise<void> | null = null;
  const timer = setInterval(() => {
    current ??= look().finally(() => {
      current = null;
    });
  }, LOOK_EVERY_MS);

  return {
    db: replica.db,
    pool: replica.pool,
    connection,
    isUsable: () => why === null,
    hasAll,
    untilOver: (work) =>
      new Promise((resolve, reject) => {
        waiting.add(reject);
        work.then(resolve, reject).finally(() => waiting.delete(reject));
      }),
    failed,
    state: () => ({
      inUse: why === null,
      lagSeconds: lagMs === null ? null : Math.round(lagMs / 100) / 10,
      note: why === null ? null : noteOf(why),
    }),
    async close() {
      clearInterval(timer);
      await current;
      await close();
    },
  };
}

const quiet = () => undefined;

async function limited<T>(work: Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = wait(LOOK_LIMIT_MS, done.signal).then(() => {
    throw new Error('timeout expired');
  });
  late.catch(quiet);
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}

/**
 * A server that was never a copy of this database is a configuration error; one that is unreachable or behind is not.
 */
async function refuseOther(db: Db, own: string | undefined): Promise<void> {
  const { isReplica } = await standing(db);
  const theirs = await installationOf(db).catch((error: unknown) => {
    if (replicaFailure(error) === 'catching up') return undefined;
    throw error;
  });
  if (theirs === own || (theirs === undefined && isReplica)) return;
  throw new AppStartError(
    'READ_DATABASE_URL does not point to a replica of this database. It must be a streaming replica of the server of DATABASE_URL.',
  );
}

/** Builds a whole response from the first server; after a replica failure, again from the next. */
export async function fromFirst<T>(
  [first, ...others]: readonly Connection[],
  make: (connection: Connection) => Promise<T>,
  left: (error: unknown) => void = () => undefined,
): Promise<T> {
  try {
    return await make(first as Connection);
  } catch (error) {
    if (others.length === 0 || replicaFailure(error) === undefined) throw error;
    left(error);
    return fromFirst(others, make, left);
  }
}
