import { afterAll, beforeAll } from 'vitest';

import { type Database, openDatabase } from '#kernel/db.ts';

import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** One database with a pool for all tests of a file. */
export function fileDatabase(): Database & Pick<TestDatabase, 'connection'> {
  const its = {} as ReturnType<typeof fileDatabase>;
  let made: TestDatabase;
  beforeAll(async () => {
    made = await createTestDatabase();
    Object.assign(
      its,
      { connection: made.connection },
      openDatabase(made.connection, () => undefined),
    );
  });
  afterAll(async () => {
    await its.close();
    await made.drop();
  });
  return its;
}
