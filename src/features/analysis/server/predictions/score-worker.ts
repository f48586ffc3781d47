import { workerData } from 'node:worker_threads';

import { type Connection, type Db, openDatabase } from '#kernel/db.ts';
import { readFromFirst } from '#kernel/reads/replica.ts';
import { toSummary } from './service/calls.ts';
import { scoreLeague } from './service/league.ts';
import { composeRecord } from './service/record.ts';
import type { ScoreTask } from './service/score.ts';
import { absencesByAnalyst, iterateCalls } from './store/calls.ts';
import { saveRecord } from './store/record.ts';

/** Scoring a long record takes seconds: it has a thread and a connection of its own. The last server is the primary. */
const { connections, at, consensus, league } = workerData as ScoreTask;

async function on<T>(connection: Connection, work: (db: Db) => Promise<T>): Promise<T> {
  const { db, close } = openDatabase(connection, () => undefined, 1);
  try {
    return await work(db);
  } finally {
    await close();
  }
}

const primary = connections.at(-1) as Connection;
if (league) await on(primary, (db) => scoreLeague(db, new Date(at)));
else await scoreRecord();

async function scoreRecord(): Promise<void> {
  const [calls, absences] = await readFromFirst(connections, (connection) =>
    on(connection, async (db) => [await iterateCalls(db), await absencesByAnalyst(db)] as const),
  );
  const record = composeRecord(calls, absences, { at: new Date(at), consensus });
  await on(primary, (db) => saveRecord(db, record, toSummary(record)));
}
