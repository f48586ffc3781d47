import { afterAll, afterEach, beforeAll } from 'vitest';

import type { Plan } from '#shared/contract.ts';

import { startMailed } from './mailed.ts';
import { type Person, person } from './people.ts';
import type { SmtpSink } from './smtp-sink.ts';
import { type Started, start } from './start.ts';

/** A product for the tests of a file or of a `describe`: it is there before the first and stopped after the last. `jobs` have run. */
export function product(options: Parameters<typeof start>[0] = {}, ...jobs: string[]): Started {
  const s = {} as Started;
  beforeAll(async () => {
    Object.assign(s, await start(options));
    for (const job of jobs) await s.job(job);
  }, 120_000);
  afterAll(() => s.stop());
  return s;
}

/** Somebody who signs up before the first test. */
export function member(s: Started, name: string, plan: Plan = 'free'): Person {
  const who = {} as Person;
  beforeAll(async () => void Object.assign(who, await person(s, name, plan)));
  return who;
}

/** A product whose mail goes to a mail server on loopback, which takes every mail again after each test. */
export function mailedProduct(): { s: Started; sink: SmtpSink } {
  const s = {} as Started;
  const sink = {} as SmtpSink;
  beforeAll(async () => {
    const mailed = await startMailed();
    Object.assign(s, mailed.s);
    Object.assign(sink, mailed.sink);
  });
  afterEach(() => {
    sink.mails.length = 0;
    sink.judge(() => null);
  });
  afterAll(async () => {
    await s.stop();
    await sink.down();
  });
  return { s, sink };
}
