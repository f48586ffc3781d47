import { setTimeout as sleep } from 'node:timers/promises';

import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';

import { fileDatabase } from '#tests/support/for-file.ts';

import { AppError } from './errors.ts';
import { type Listener, openListener } from './listener.ts';
import { defineJob, type Job, noPayload, openScheduler, type Scheduler } from './scheduler.ts';

const open = fileDatabase();
let listener: Listener;
let scheduler: Scheduler;
let reported: string[];

beforeAll(async () => {
  listener = await openListener(open.connection, () => undefined);
});
beforeEach(() => {
  reported = [];
});
afterEach(() => scheduler.stop());
afterAll(() => listener.close());

async function schedulerFor(...jobs: Job[]): Promise<Scheduler> {
  const report = (source: string, type: string, message: string) => void reported.push(`${source} ${type} ${message}`);
  scheduler = await openScheduler({ pool: open.pool, listener, log: pino({ level: 'silent' }), report }, jobs);
  return scheduler;
}

const job = (name: string, run: Job['run'], more: Partial<Job> = {}): Job =>
  defineJob({ name, about: `What ${name} does`, payload: noPayload, run, ...more });

const rows = async <T>(text: string): Promise<T[]> => (await open.pool.query(text)).rows as T[];

describe('jobs', () => {
  test('registers every cron in UTC, once, and removes obsolete ones', async () => {
    const first = await schedulerFor(
      job('t.full', async () => undefined, { schedule: ['0 9 * * 1-5', '0 */4 * * 0,6'] }),
    );
    await first.work();
    await first.stop();
    await (await schedulerFor(job('t.full', async () => undefined, { schedule: ['30 9 * * *'] }))).work();
    expect(await rows('select name, cron, timezone from pgboss.schedule')).toEqual([
      { name: 't.full', cron: '30 9 * * *', timezone: 'UTC' },
    ]);
  });

  test('a start writes only changes to a queue', async () => {
    const written = () =>
      rows<{ updated: string }>("select updated_on::text as updated from pgboss.queue where name = 't.kept'");
    const kept = (retryLimit: number) => schedulerFor(job('t.kept', async () => undefined, { retryLimit }));
    await (await kept(3)).stop();
    const first = await written();
    await (await kept(3)).stop();
    expect(await written()).toEqual(first);
    await kept(4);
    expect(await written()).not.toEqual(first);
  });

  test('a queued job runs soon, with its payload', async () => {
    const seen: unknown[] = [];
    const one = defineJob({
      name: 't.one',
      about: '',
      payload: z.object({ coin: z.string() }),
      run: async (payload) => void seen.push(payload),
    });
    await (await schedulerFor(one)).work();
    await scheduler.send('t.one', { coin: 'bitcoin' });
    await expect.poll(() => seen, { timeout: 5000 }).toEqual([{ coin: 'bitcoin' }]);
  });

  test('a backlog runs without pauses', async () => {
    let done = 0;
    await schedulerFor(job('t.many', async () => void (done += 1)));
    for (let i = 0; i < 20; i++) await scheduler.send('t.many');
    await scheduler.work();
    await expect.poll(() => done).toBe(20);
  });

  test('a collection job fails as data collection, any other one as the system', async () => {
    const fails = () => Promise.reject(new Error('never'));
    const jobs = [
      job('t.collect', fails, { retryLimit: 0, collectsSources: true }),
      job('t.mail', fails, { retryLimit: 0 }),
    ];
    await (await schedulerFor(...jobs)).work();
    await scheduler.send('t.collect');
    await scheduler.send('t.mail');
    await expect
      .poll(() => reported.toSorted(), { timeout: 5000 })
      .toEqual(['t.collect data_collection The job t.collect failed', 't.mail system The job t.mail failed']);
  });

  test('a failed job is reported and retried', async () => {
    let tries = 0;
    const flaky = job('t.flaky', async () => {
      tries += 1;
      if (tries === 1) throw new Error('not yet');
    });
    await (await schedulerFor(flaky)).work();
    await scheduler.send('t.flaky');
    await expect.poll(() => tries).toBe(1);
    await expect.poll(() => reported).toEqual(['t.flaky system The job t.flaky failed']);
    await expect
      .poll(() =>
        rows(`select state, retry_count, start_after > now() as later from pgboss.job where name = 't.flaky'`),
      )
      .toEqual([{ state: 'retry', retry_count: 0, later: true }]);
    await open.pool.query(`update pgboss.job set start_after = now() where name = 't.flaky'`);
    await expect.poll(() => tries, { timeout: 5000 }).toBe(2);
    await expect
      .poll(() => rows(`select state from pgboss.job where name = 't.flaky'`))
      .toEqual([{ state: 'completed' }]);
  });

  test('a job that always fails is abandoned, and the others continue', async () => {
    let others = 0;
    const dead = job('t.dead', () => Promise.reject(new Error('never')), { retryLimit: 0 });
    await (
      await schedulerFor(
        dead,
        job('t.other', async () => void (others += 1)),
      )
    ).work();
    await scheduler.send('t.dead');
    await scheduler.send('t.other');
    await expect
      .poll(() => rows(`select state from pgboss.job where name = 't.dead'`), { timeout: 5000 })
      .toEqual([{ state: 'failed' }]);
    await expect.poll(() => others, { timeout: 5000 }).toBe(1);
  });

  test('a handler that never ends is aborted at its time limit, and its slot is free again', async () => {
    const told: boolean[] = [];
    const stuck = job(
      't.stuck',
      async (_, signal) => {
        signal.addEventListener('abort', () => told.push(true));
        await sleep(60_000, undefined, { ref: false });
      },
      { expireSeconds: 1, retryLimit: 0, exclusive: true },
    );
    await (await schedulerFor(stuck)).work();
    await scheduler.send('t.stuck');
    await expect.poll(() => told.length, { timeout: 8000 }).toBe(1);
    await expect
      .poll(() => rows(`select state from pgboss.job where name = 't.stuck'`), { timeout: 5000 })
      .toEqual([{ state: 'failed' }]);
    await scheduler.send('t.stuck');
    await expect.poll(() => told.length, { timeout: 8000 }).toBe(2);
  }, 20_000);

  test('an exclusive job does not pile up: one runs, one waits', async () => {
    let running = 0;
    let most = 0;
    let done = 0;
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const slow = job(
      't.slow',
      async () => {
        running += 1;
        most = Math.max(most, running);
        await gate;
        running -= 1;
        done += 1;
      },
      { exclusive: true },
    );
    await (await schedulerFor(slow)).work();
    await scheduler.send('t.slow');
    await expect.poll(() => running, { timeout: 5000 }).toBe(1);
    for (let i = 0; i < 10; i++) await scheduler.send('t.slow');
    expect(await scheduler.waiting('t.slow')).toHaveLength(1);
    letGo();
    await expect.poll(() => done, { timeout: 8000 }).toBe(2);
    expect([most, await scheduler.waiting('t.slow')]).toEqual([1, []]);
  });

  test('stop lets a running job finish, and stores its result', async () => {
    const steps: string[] = [];
    const long = job('t.long', async (_, signal) => {
      steps.push('begun');
      await sleep(700);
      steps.push(signal.aborted ? 'cut short' : 'finished');
    });
    await (await schedulerFor(long)).work();
    await scheduler.send('t.long');
    await expect.poll(() => steps, { timeout: 5000 }).toEqual(['begun']);
    await scheduler.stop();
    expect(steps).toEqual(['begun', 'finished']);
    expect(await rows(`select state from pgboss.job where name = 't.long'`)).toEqual([{ state: 'completed' }]);
  });
});

describe('runByHand', () => {
  test('an unknown name gives one clear error that lists the jobs', async () => {
    await schedulerFor(
      job('t.one', async () => undefined),
      job('t.two', async () => undefined),
    );
    const call = scheduler.runManually('t.three');
    await expect(call).rejects.toThrow(AppError);
    await expect(call).rejects.toThrow('Unknown job "t.three". Jobs: t.one, t.two');
  });

  test('a payload of another shape gives one clear error, and nothing runs', async () => {
    let ran = 0;
    const one = defineJob({
      name: 't.one',
      about: 'Fetches one coin',
      payload: z.object({ coinId: z.string() }),
      run: async () => void (ran += 1),
    });
    const call = (await schedulerFor(one)).runManually('t.one', { coinId: 5 });
    await expect(call).rejects.toThrow(AppError);
    await expect(call).rejects.toThrow(/^t\.one: coinId: .*expected string.*Fetches one coin$/);
    expect(ran).toBe(0);
  });
});

test('nextRun: is the earliest of all cron times, in UTC', async () => {
  await schedulerFor();
  const friday = new Date('2026-11-20T17:30:00Z');
  const crons = ['0 9-17 * * 1-5', '0 0,3,6,18,21 * * 1-5', '0 */4 * * 0,6'];
  expect(scheduler.nextRun(crons, friday)?.toISOString()).toBe('2026-11-20T18:00:00.000Z');
  expect(scheduler.nextRun(crons, new Date('2026-11-20T21:00:00Z'))?.toISOString()).toBe('2026-11-21T00:00:00.000Z');
  expect(scheduler.nextRun([], friday)).toBeNull();
});
