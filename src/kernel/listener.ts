import pg from 'pg';

import { wait } from './clock.ts';
import type { Connection } from './db.ts';
import { createCounter } from './route-figures.ts';

type Subscription = { channel: string; onNotify: (payload: string) => void; onReconnect: () => void };

export type Listener = {
  /** `onReconnect` runs after every (re)subscribe: NOTIFY is not durable, so reload what may have been missed. */
  listen: (
    channel: string,
    onNotify: (payload: string) => void,
    onReconnect: () => void,
  ) => Promise<{ close: () => Promise<void> }>;
  close: () => Promise<void>;
};

const reconnectCounter = createCounter(
  'meridian_listener_reconnects_total',
  'Reconnections of the notification listener.',
);

const RETRY_MS = [100, 250, 500, 1000, 2000, 5000];

/** One dedicated connection per process for every LISTEN; it reconnects automatically. */
export async function openListener(connection: Connection, onError: (error: Error) => void): Promise<Listener> {
  const subscriptions = new Set<Subscription>();
  const closing = new AbortController();
  let client: pg.Client | null = null;
  let reconnecting = false;

  const subscribe = (target: pg.Client, channel: string) => target.query(`listen ${pg.escapeIdentifier(channel)}`);

  async function connect(): Promise<void> {
    const next = new pg.Client({ ...connection, application_name: 'meridian-listen', keepAlive: true });
    next.on('error', (error) => lost(next, error));
    next.on('end', () => lost(next, null));
    next.on('notification', ({ channel, payload }) => {
      for (const s of subscriptions) if (s.channel === channel) s.onNotify(payload ?? '');
    });
    await next.connect();
    const listening = new Set<string>();
    // Iterates over the live set, not a copy: a channel may be added while others are being subscribed.
    for (const { channel } of subscriptions) {
      if (listening.has(channel)) continue;
      await subscribe(next, channel);
      listening.add(channel);
    }
    if (closing.signal.aborted) return next.end();
    client = next;
    for (const s of subscriptions) s.onReconnect();
  }

  function lost(which: pg.Client, error: Error | null): void {
    if (error && !closing.signal.aborted) onError(error);
    if (client !== which) return;
    client = null;
    which.end().catch(() => undefined);
    void reconnect();
  }

  async function reconnect(): Promise<void> {
    if (reconnecting) return;
    reconnecting = true;
    for (let attempt = 0; !client && !closing.signal.aborted; attempt++) {
      await wait(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 5000, closing.signal);
      if (closing.signal.aborted) break;
      await connect().then(() => reconnectCounter.inc(), onError);
    }
    reconnecting = false;
  }

  await connect();

  return {
    async listen(channel, onNotify, onReconnect) {
      const subscription = { channel, onNotify, onReconnect };
      const known = [...subscriptions].some((s) => s.channel === channel);
      subscriptions.add(subscription);
      const current = client;
      // The connection was just lost: the next one subscribes everything in the set.
      if (current && !known) await subscribe(current, channel).catch((error: Error) => lost(current, error));
      if (client) onReconnect();
      return {
        close: async () => {
          subscriptions.delete(subscription);
          if ([...subscriptions].some((s) => s.channel === channel)) return;
          await client?.query(`unlisten ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
        },
      };
    },
    async close() {
      closing.abort();
      const open = client;
      client = null;
      await open?.end().catch(() => undefined);
    },
  };
}
