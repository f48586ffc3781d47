import { parentPort, workerData } from 'node:worker_threads';

import { openDatabase } from '#server/platform/db.ts';
import { messageOf } from '#server/platform/errors.ts';
import { stepBack } from '#server/platform/step-back.ts';

import type { Order, Said } from './service/order.ts';
import { writeExport } from './service/write.ts';

const SAY_EVERY_MS = 250;

/** A file takes seconds and much memory for the collector: it has a thread and a connection of its own. */
stepBack();
const order = workerData as Order;
const say = (said: Said) => parentPort?.postMessage(said);
const { db, close } = openDatabase(order.connection, () => undefined, 1);
let said = 0;
try {
  const file = await writeExport(db, order, (done, expected) => {
    const now = performance.now();
    if (done > 0 && now - said < SAY_EVERY_MS) return;
    said = now;
    say({ kind: 'progress', done, expected });
  });
  say({ kind: 'made', file });
} catch (error) {
  say({ kind: 'failed', code: (error as { code?: string }).code ?? '', message: messageOf(error) });
} finally {
  await close();
}
