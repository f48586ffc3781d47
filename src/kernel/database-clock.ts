import pg from 'pg';

import { type Clock, wait } from './clock.ts';
import type { Connection } from './db.ts';
import { errorMessage } from './errors.ts';
import type { Log } from './log.ts';

const CHECK_INTERVAL_MS = 20_000;
/** Machines with synchronized clocks agree more closely than this. */
const MIN_OFFSET_MS = 500;

/** How far the clock is behind the database, in ms, and the maximum error of that. */
async function measure(connection: Connection, clock: Clock): Promise<{ behindMs: number; errorMs: number }> {
  const client = new pg.Client({ ...connection, application_name: 'meridian-clock', connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const before = clock.now().getTime();
    const { rows } = await client.query<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    );
    const after = clock.now().getTime();
    return { behindMs: (rows[0]?.ms ?? Number.NaN) - (before + after) / 2, errorMs: (after - before) / 2 };
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Sets the clock to database time when they disagree. Leases between processes expire at a time of day: a process whose
 * clock is ahead would take leases that others still hold.
 */
export async function syncClock(connection: Connection, clock: Clock, log: Log): Promise<void> {
  const { behindMs, errorMs } = await measure(connection, clock);
  if (!(Math.abs(behindMs) > MIN_OFFSET_MS + errorMs)) return;
  clock.advance(behindMs);
  const seconds = (Math.abs(behindMs) / 1000).toFixed(1);
  const way = behindMs > 0 ? 'behind' : 'ahead of';
  log.warn(
    `The clock of this machine was ${seconds} s ${way} the database; using database time. Synchronize the machine's clock.`,
  );
}

/** Runs now and every twenty seconds, until stopped. */
export async function followDatabaseClock(
  connection: Connection,
  clock: Clock,
  log: Log,
): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  const checkOffset = () =>
    syncClock(connection, clock, log).catch((error: unknown) =>
      log.debug({ error: errorMessage(error) }, 'failed to read the database clock'),
    );
  await checkOffset();
  const following = (async () => {
    for (;;) {
      await wait(CHECK_INTERVAL_MS, stopping.signal);
      if (stopping.signal.aborted) return;
      await checkOffset();
    }
  })();
  return async () => {
    stopping.abort();
    await following;
  };
}
