import { hostname } from 'node:os';

import { sql } from 'kysely';
import pg from 'pg';

import { wait } from './clock.ts';
import type { Connection, Db } from './db.ts';
import type { Log } from './log.ts';
import { createGauge } from './route-figures.ts';

interface LeadersTable {
  key: number;
  /** Increases with each leader; a leader of an older epoch can no longer write. */
  epoch: number;
  process: string;
  /** The connection that holds the lock. */
  backend: number;
  taken_at: string;
  beat_at: string;
}

declare module './db.ts' {
  interface Tables {
    leaders: LeadersTable;
  }
}

/** Another process leads now: the data of this one is stale and must not be written. */
export class LeadershipLostError extends Error {}

/**
 * The first step of a leader's transaction: throws `LeadershipLostError` when another process leads, else blocks a takeover
 * until the transaction ends.
 */
export type Fence = (tx: Db) => Promise<void>;
/** For manual runs, and for jobs that may run anywhere. */
export const noFence: Fence = async () => undefined;

export type Term = { stepDown: () => void; fence: Fence };

type Timing = {
  /** How often candidates try to become leader. */
  retryMs?: number;
  beatMs?: number;
  /** A leader that could not renew its heartbeat for this long resigns. */
  resignMs?: number;
  /** A leader without a heartbeat for this long, on the database clock, is cut off by the next candidate. */
  silentMs?: number;
};

const CLOSING_MS = 1_000;
/** Without keepalives, PostgreSQL would hold the lock of an unreachable machine for two hours. */
const KEEPALIVE_SETTINGS = `select set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '3', false),
  set_config('tcp_keepalives_count', '3', false), set_config('lock_timeout', '5000', false)`;

const createFence =
  (key: number, epoch: number, stepDown: () => void): Fence =>
  async (tx) => {
    const { rows } =
      await sql`select from leaders where key = ${key} and epoch = ${epoch}::bigint for key share`.execute(tx);
    if (rows.length > 0) return;
    stepDown();
    throw new LeadershipLostError('Another process has taken over');
  };

/** Reports errors other than lost leadership: the next leader redoes what this one could not write. */
export const ignoreLeadershipLost =
  (tell: (error: unknown) => void) =>
  (error: unknown): void => {
    if (!(error instanceof LeadershipLostError)) tell(error);
  };

/** A dead connection does not delay closing it. */
async function closeConnection(client: pg.Client): Promise<void> {
  await Promise.race([client.end().catch(() => undefined), wait(CLOSING_MS)]);
  client.connection.stream.destroy();
}

/** Cuts off a silent leader that holds the lock: a stopped process, or an unreachable machine. */
async function terminateSilentLeader(client: pg.Client, key: number, silentMs: number): Promise<void> {
  await client.query(
    `select pg_terminate_backend(l.pid) from leaders s join pg_locks l on l.pid = s.backend
       join pg_database d on d.oid = l.database and d.datname = current_database()
     where s.key = $1 and l.locktype = 'advisory' and l.classid = 0 and l.objid = $1 and l.objsubid = 1 and l.granted
       and s.beat_at < clock_timestamp() - make_interval(secs => $2)`,
    [key, silentMs / 1000],
  );
}

/**
 * A process suspended in the middle of a transaction must not keep it open; a live one never idles in one for this
 * long.
 */
async function terminateIdleTransactions(client: pg.Client, silentMs: number): Promise<void> {
  await client.query(
    `select pg_terminate_backend(a.pid) from pg_stat_activity a
     where a.datname = current_database() and a.state like 'idle in transaction%'
       and a.state_change < clock_timestamp() - make_interval(secs => $1)
       and exists (select from pg_locks l where l.pid = a.pid and l.locktype = 'relation' and l.relation = 'leaders'::regclass)`,
    [silentMs / 1000],
  );
}

/** Waits for the transaction of the previous leader; from then on that leader can no longer write. */
async function beginEpoch(client: pg.Client, key: number): Promise<number> {
  await client.query('begin');
  await client.query(
    `insert into leaders (key, epoch, process, backend, taken_at, beat_at)
     values ($1, 0, '', 0, clock_timestamp(), clock_timestamp()) on conflict do nothing`,
    [key],
  );
  await client.query('select from leaders where key = $1 for update', [key]);
  const { rows } = await client.query<{ epoch: string }>(
    `update leaders set epoch = epoch + 1, process = $2, backend = pg_backend_pid(), taken_at = clock_timestamp(),
       beat_at = clock_timestamp() where key = $1 returning epoch`,
    [key, `${hostname()}, process ${process.pid}`],
  );
  await client.query('commit');
  return Number(rows[0]?.epoch);
}

const leadingGauge = createGauge('meridian_leading', '1 while this process is the leader; 0 while on standby.', [
  'duty',
]);

/**
 * Exactly one process per database leads; when it ends, another takes over within seconds. A leader that cannot
 * continue steps down, and every process may campaign again. `key` fits an int4.
 */
export function runForLeader(
  connection: Connection,
  key: number,
  on: {
    /** What the leader does, in a few words: 'collector', 'rules 0'. */
    duty: string;
    lead: (term: Term) => Promise<() => Promise<void>>;
    error: (error: unknown) => void;
    log: Log;
  },
  { retryMs = 2_000, beatMs = 3_000, resignMs = 10_000, silentMs = 15_000 }: Timing = {},
): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { duty } = on;
  leadingGauge.set({ duty }, 0);

  /** Renews the heartbeat until it fails or another leader has taken over. */
  function startRenewal(client: pg.Client, epoch: number, end: () => void): () => void {
    let last = performance.now();
    let isRenewing = false;
    async function beat(): Promise<void> {
      const startedAt = performance.now();
      const { rowCount } = await client.query(
        'update leaders set beat_at = clock_timestamp() where key = $1 and epoch = $2',
        [key, epoch],
      );
      if (rowCount === 0) end();
      else last = startedAt;
    }
    const timer = setInterval(() => {
      if (performance.now() - last > resignMs) return end();
      if (isRenewing) return undefined;
      isRenewing = true;
      beat()
        .catch(end)
        .finally(() => {
          isRenewing = false;
        });
      return undefined;
    }, beatMs);
    return () => clearInterval(timer);
  }

  async function term(): Promise<void> {
    const client = new pg.Client({ ...connection, application_name: 'meridian-leader', keepAlive: true });
    const ended = new AbortController();
    const stepDown = () => ended.abort();
    client.on('error', stepDown);
    client.on('end', stepDown);
    try {
      await client.connect();
      await client.query(KEEPALIVE_SETTINGS);
      const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [key]);
      if (!rows[0]?.held) return await terminateSilentLeader(client, key, silentMs);
      await terminateIdleTransactions(client, silentMs);
      const epoch = await beginEpoch(client, key);
      const rest = startRenewal(client, epoch, stepDown);
      try {
        const resign = await on.lead({ stepDown, fence: createFence(key, epoch, stepDown) });
        leadingGauge.set({ duty }, 1);
        on.log.info({ duty, epoch }, 'acquired leadership');
        try {
          await wait(2 ** 31 - 1, AbortSignal.any([stopping.signal, ended.signal]));
        } finally {
          await resign().catch(ignoreLeadershipLost(on.error));
          on.log.info({ duty, epoch }, 'lost leadership');
        }
      } finally {
        leadingGauge.set({ duty }, 0);
        rest();
      }
    } finally {
      await closeConnection(client);
    }
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      await term().catch(on.error);
      await wait(retryMs, stopping.signal);
    }
  })();

  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
