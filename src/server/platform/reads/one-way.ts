import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';

import type { Db, Tables } from '../db.ts';

/** Begins on one server and, once `left` says of a failure that it is over there, goes on with another: never back. */
export function oneWay(
  ask: (pool: pg.Pool, text: string, values: unknown[]) => Promise<pg.QueryResult>,
  { from, to, left }: { from: pg.Pool; to: pg.Pool; left: (error: unknown) => boolean },
): Db {
  let isThere = true;
  const client = {
    async query(text: string, values: readonly unknown[]) {
      // Each page is a query of its own, on any connection: a transaction would be torn.
      if (/^\s*(begin|start)\b/i.test(text)) throw new Error('Pages are read without a transaction');
      if (isThere) {
        try {
          return await ask(from, text, [...values]);
        } catch (error) {
          if (!left(error)) throw error;
          isThere = false;
        }
      }
      return to.query(text, [...values]);
    },
    release: () => undefined,
  };
  const pool = {
    options: {},
    connect: async () => client as unknown as PostgresPoolClient,
    end: async () => undefined,
  };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
