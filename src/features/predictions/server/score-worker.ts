import { workerData } from 'node:worker_threads';

import { type Connection, openDatabase } from '#server/platform/db.ts';

import { composeRecord } from './service/record.ts';
import { summaryOf } from './service/summary.ts';
import { absencesByAnalyst, everyCall } from './store/calls.ts';
import { saveRecord } from './store/record.ts';

/** Scoring a long record takes seconds: it has a thread and a connection of its own. */
const { connection, at, consensus } = workerData as { connection: Connection; at: string; consensus: string };
const { db, close } = openDatabase(connection, () => undefined, 1);
try {
  const [calls, absences] = [await everyCall(db), await absencesByAnalyst(db)];
  const record = composeRecord(calls, absences, { at: new Date(at), consensus });
  await saveRecord(db, record, summaryOf(record));
} finally {
  await close();
}
