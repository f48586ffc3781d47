import pg from 'pg';

import { wait } from './clock.ts';
import type { Connection } from './db.ts';

const RETRY_MS = 2_000;

/**
 * Of all processes on one database exactly one leads; when it goes, another takes over within seconds. A leader that cannot go on
 * steps down by itself, and everyone may try again.
 */
export function campaign(
  connection: Connection,
  key: number,
  on: { lead: (stepDown: () => void) => Promise<() => Promise<void>>; error: (error: unknown) => void },
): { stop: () => Promise<void> } {
  const stopping = new AbortController();

  async function term(): Promise<void> {
    const client = new pg.Client({ ...connection, application_name: 'meridian-leader', keepAlive: true });
    const lost = new AbortController();
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    try {
      await client.connect();
      const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [key]);
      if (!rows[0]?.held) return;
      const over = new AbortController();
      const resign = await on.lead(() => over.abort());
      try {
        await wait(2 ** 31 - 1, AbortSignal.any([stopping.signal, lost.signal, over.signal]));
      } finally {
        await resign();
      }
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      await term().catch(on.error);
      await wait(RETRY_MS, stopping.signal);
    }
  })();

  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
