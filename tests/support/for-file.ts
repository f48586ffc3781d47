import { afterAll, afterEach, beforeAll } from 'vitest';

import { type Database, openDatabase } from '#kernel/db.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';
import type { Plan } from '#shared/contract.ts';

import { startWithMail } from './mailed.ts';
import { registerUser, type TestUser } from './people.ts';
import type { SmtpSink } from './smtp-sink.ts';
import { start, type TestProduct } from './start.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** Shared by the tests of a file or of a `describe`: opened before the first and closed after the last. */
export function shared<T extends { close: () => Promise<void> }>(open: () => Promise<T>): T {
  const resource = {} as T;
  beforeAll(async () => void Object.assign(resource, await open()), 120_000);
  afterAll(() => resource.close());
  return resource;
}

/** One product for the tests of a file or of a `describe`, after running `jobs`. */
export function fileProduct(options: Parameters<typeof start>[0] = {}, ...jobs: string[]): TestProduct {
  return shared(async () => {
    const s = await start(options);
    for (const job of jobs) await s.job(job);
    return { ...s, close: s.stop };
  });
}

/** An account that signs up before the first test. */
export function member(s: TestProduct, name: string, plan: Plan = 'free'): TestUser {
  const user = {} as TestUser;
  beforeAll(async () => void Object.assign(user, await registerUser(s, name, plan)));
  return user;
}

/** A product that sends email to a mail server on loopback, reset after each test. */
export function useProductWithMail(): { s: TestProduct; sink: SmtpSink } {
  const s = {} as TestProduct;
  const sink = {} as SmtpSink;
  beforeAll(async () => {
    const mailed = await startWithMail();
    Object.assign(s, mailed.s);
    Object.assign(sink, mailed.sink);
  });
  afterEach(() => {
    sink.emails.length = 0;
    sink.judge(() => null);
  });
  afterAll(async () => {
    await s.stop();
    await sink.down();
  });
  return { s, sink };
}

/** One database with a pool for all tests of a file. */
export function fileDatabase(): Database & Pick<TestDatabase, 'connection'> {
  return shared(async () => {
    const { connection, drop } = await createTestDatabase();
    const { db, pool, close } = openDatabase(connection, () => undefined);
    return { connection, db, pool, close: () => close().then(drop) };
  });
}

/** One sandbox for all tests of a file. */
export const fileSandbox = (now?: number): Sandbox =>
  shared(() => startSandbox({ seed: 7, ...(now === undefined ? {} : { now }) }));
