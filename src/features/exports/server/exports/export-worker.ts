import { parentPort, workerData } from 'node:worker_threads';

import { sql } from 'kysely';

import { type Connection, openDatabase } from '#kernel/db.ts';
import { errorMessage } from '#kernel/errors.ts';
import { readFromFirst } from '#kernel/reads/replica.ts';
import { lowerThreadPriority } from '#kernel/thread-priority.ts';

import type { Order, ThreadMessage } from './service/order.ts';
import { writeExport } from './service/write.ts';

const PROGRESS_INTERVAL_MS = 250;

/** A file takes seconds and allocates heavily: it has its own thread and connection. */
lowerThreadPriority();
const order = workerData as Order;
const postProgress = (message: ThreadMessage) => parentPort?.postMessage(message);
const describeError = (error: unknown) => ({
  code: (error as { code?: string }).code ?? '',
  message: errorMessage(error),
});

async function write(connection: Connection) {
  const { db, close } = openDatabase(connection, () => undefined, 1);
  let reportedAt = 0;
  try {
    const reportProgress = (done: number, expected: number) => {
      const now = performance.now();
      if (done > 0 && now - reportedAt < PROGRESS_INTERVAL_MS) return;
      reportedAt = now;
      postProgress({ kind: 'progress', done, expected });
    };
    // One snapshot: counts, pages and notes agree despite concurrent writes.
    return await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        // Pages wait for the disk; a stalled thread is terminated from outside.
        await sql`set local idle_in_transaction_session_timeout = '10min'`.execute(tx);
        return writeExport(tx, order, reportProgress);
      });
  } finally {
    await close();
  }
}

try {
  const file = await readFromFirst(order.connections, write, (error) =>
    postProgress({ kind: 'elsewhere', ...describeError(error) }),
  );
  postProgress({ kind: 'made', file });
} catch (error) {
  postProgress({ kind: 'failed', ...describeError(error) });
}
