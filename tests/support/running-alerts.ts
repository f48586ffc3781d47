import { sql } from 'kysely';

import '#features/alerts/server/alerts/store.ts';

import { type AlertDraft, raiseAlerts } from '#features/alerts/server/alerts/raise.ts';
import { type Connection, openDatabase } from '#kernel/db.ts';
import { findBundledPostgres } from '#kernel/postgres/bundled-postgres.ts';

import type { RunningProduct } from './running-product.ts';

/** For a joined product, the connection shared by its processes. */
function resolveConnection(dataDir: string): Connection {
  const { BASE_URL: baseUrl, DATABASE_URL: connectionString } = process.env;
  if (baseUrl && connectionString) {
    const demoUrl = new URL(connectionString);
    demoUrl.pathname += '_demo';
    return { connectionString: demoUrl.href };
  }
  const connection = findBundledPostgres(dataDir);
  if (!connection) throw new Error('The database of the product is not there');
  return { ...connection, database: 'meridian_demo' };
}

/** Raises an alert in a running demo like its engine: row, outbox and frame in one transaction. Returns its id. */
export async function raiseAlert({ dataDir }: RunningProduct, draft: Partial<AlertDraft>): Promise<number> {
  const { db, close } = openDatabase(resolveConnection(dataDir), () => undefined, 1);
  const at = new Date();
  const completeDraft: AlertDraft = {
    idempotencyKey: `test:${draft.message}:${at.getTime()}`,
    own: null,
    type: 'SSR_LEVEL',
    severity: 'medium',
    message: 'A test',
    metric: 'ssr',
    value: 5.9,
    source: 'Meridian',
    method: 'demo',
    sourceAt: new Date(at.getTime() - 1200),
    receivedAt: new Date(at.getTime() - 200),
    evaluatedAt: at,
    ...draft,
  };
  try {
    const [raised] = await db.transaction().execute((tx) =>
      raiseAlerts(
        {
          now: () => new Date(),
          live: {
            publishIn: async (within, topic, data) => {
              await sql`select publish_frame(${topic.name}, ${JSON.stringify(data)})`.execute(within);
            },
            publishEach: async (within, topic, frames) => {
              for (const { userId, data } of frames)
                await sql`select publish_frame_to(${topic.name}, ${JSON.stringify(data)}, ${userId})`.execute(within);
            },
          },
        },
        tx,
        [completeDraft],
      ),
    );
    if (!raised) throw new Error('It was raised before');
    return raised.id;
  } finally {
    await close();
  }
}
