import { parentPort, workerData } from 'node:worker_threads';

import { type Connection, openDatabase } from '#server/platform/db.ts';
import { messageOf } from '#server/platform/errors.ts';
import { fromFirst } from '#server/platform/reads/from-first.ts';
import { stepBack } from '#server/platform/step-back.ts';

import type { Order, Said } from './service/order.ts';
import { writeExport } from './service/write.ts';

const SAY_EVERY_MS = 250;

/** A file takes seconds and much memory for the collector: it has a thread and a connection of its own. */
stepBack();
const order = workerData as Order;
const say = (said: Said) => parentPort?.postMessage(said);
const told = (error: unknown) => ({ code: (error as { code?: string }).code ?? '', message: messageOf(error) });

async function write(connection: Connection) {
  const { db, close } = openDatabase(connection, () => undefined, 1);
  let said = 0;
  try {
    return await writeExport(db, order, (done, expected) => {
      const now = performance.now();
      if (done > 0 && now - said < SAY_EVERY_MS) return;
      said = now;
      say({ kind: 'progress', done, expected });
    });
  } finally {
    await close();
  }
}

try {
  const file = await fromFirst(order.connections, write, (error) => say({ kind: 'elsewhere', ...told(error) }));
  say({ kind: 'made', file });
} catch (error) {
  say({ kind: 'failed', ...told(error) });
}
