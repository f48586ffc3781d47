import { sql } from 'kysely';

import { type Connection, openDatabase } from '#kernel/db.ts';
import { runForLeader } from '#kernel/leader.ts';
import { createLog } from '#kernel/log.ts';

/** A process that leads when it can, and meanwhile continuously writes its number into `written`. */
const [, , connection = '', key = ''] = process.argv;
const say = (line: string) => process.stdout.write(`${line}\n`);
const { db } = openDatabase(JSON.parse(connection) as Connection, () => undefined, 2);
runForLeader(
  JSON.parse(connection) as Connection,
  Number(key),
  {
    duty: 'test',
    async lead({ fence }) {
      const over = new AbortController();
      const writing = (async () => {
        while (!over.signal.aborted) {
          await db
            .transaction()
            .execute(async (tx) => {
              await fence(tx);
              await sql`insert into written (pid) values (${process.pid})`.execute(tx);
            })
            .catch((error: unknown) => say(String(error)));
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      })();
      say('leads');
      return async () => {
        say('resigns');
        over.abort();
        await writing;
      };
    },
    error: (error) => say(String(error)),
    log: createLog('silent'),
  },
  { retryMs: 200, beatMs: 500, resignMs: 8_000, silentMs: 10_000 },
);
