import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';

import type { FailedRun, Job } from '#features/operations/contract/jobs.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { sendRequest } from '#tests/support/people.ts';
import { shownError, shownPayload } from './service.ts';

const s = fileProduct({}, 'market.listing');
const admin = member(s, 'admin', 'admin');
const db = () => s.product.billing.db;

beforeAll(async () => {
  await sql`delete from pgboss.job where name = 'market.backfill-sweep'`.execute(db());
}, 60_000);

const jobs = async () => (await admin.get('/api/admin/jobs')).json<{ jobs: Job[] }>().jobs;
const job = async (name: string) => (await jobs()).find((each) => each.name === name) as Job;
const failed = async () => (await admin.get('/api/admin/jobs/failed')).json<{ runs: FailedRun[]; total: number }>();
const run = (name: string) => admin.post(`/api/admin/jobs/${name}/run`);
const retry = (id: string) => admin.post(`/api/admin/jobs/failed/${id}/retry`);
const poll = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 15_000, interval: 100 });

describe('the board', () => {
  test('lists every job, with what it does and when it runs next', async () => {
    const all = await jobs();
    expect(all.map(({ name }) => name).toSorted()).toEqual(s.product.scheduler.jobs.map(({ name }) => name).toSorted());
    expect(await job('platform.retention')).toEqual({
      name: 'platform.retention',
      about: 'Deletes old heartbeats, error logs and emails',
      schedule: ['41 3 * * *'],
      nextRunAt: '2026-11-21T03:41:00.000Z',
      running: [],
      waiting: 0,
      lastSuccess: null,
      lastFailure: null,
      failedToday: 0,
      notByHand: null,
    });
    expect(await job('market.backfill')).toMatchObject({ schedule: [], nextRunAt: null });
  });

  test('a run from the command line counts as a success too', async () => {
    expect((await job('market.listing')).lastSuccess?.ms).toBeGreaterThan(0);
  });

  test.each([
    ['market.backfill', 'This job needs input and is started by the system.'],
    ['analysis.grade', 'Final step of a collection, started by analysis.run.'],
  ])('%s cannot be run manually, and the reason is shown', async (name, why) => {
    expect((await job(name)).notByHand).toBe(why);
    const refused = await run(name);
    expect([refused.statusCode, refused.json()]).toEqual([409, { error: why, code: 'conflict' }]);
  });

  test('an unknown job', async () => {
    expect((await run('no.such')).statusCode).toBe(404);
    expect((await retry('nonsense')).statusCode).toBe(400);
    const gone = await retry(randomUUID());
    expect([gone.statusCode, gone.json<{ error: string }>().error]).toEqual([
      409,
      'This run is no longer available: failed runs are kept for one day',
    ]);
  });
});

describe('running manually', () => {
  test('two processes asked concurrently run it once; then it has its success', async () => {
    const other = await s.another();
    const answers = await Promise.all([
      run('auth.retention'),
      sendRequest({ ...s, product: other }, 'POST', '/api/admin/jobs/auth.retention/run', undefined, {
        token: admin.token,
      }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json()).toEqual({
      error: 'auth.retention is already running',
      code: 'conflict',
    });
    expect(await job('auth.retention')).toMatchObject({ waiting: 1, running: [], lastSuccess: null });
    await s.product.scheduler.work();
    // Scheduled jobs would call the sources that the tests below make fail.
    await sql`delete from pgboss.schedule`.execute(db());
    await poll(async () => (await job('auth.retention')).lastSuccess?.ms).toBeGreaterThanOrEqual(0);
    expect(await job('auth.retention')).toMatchObject({ waiting: 0, running: [] });
    const audits = await db().selectFrom('audit_log').select('details').where('action', '=', 'job.run').execute();
    expect(audits).toEqual([{ details: { job: 'auth.retention', run: expect.any(String) } }]);
  }, 60_000);

  test('a run started by another process is shown, and no second one starts', async () => {
    const id = randomUUID();
    await sql`insert into pgboss.job (id, name, data, state, policy, started_on)
      values (${id}, 'contact.retention', '{}', 'active', 'stately', now() - interval '5 seconds')`.execute(db());
    await sql`insert into job_workers (job_id, worker, at) values (${id}, 'elsewhere:7', now())`.execute(db());
    expect((await job('contact.retention')).running).toEqual([{ since: expect.any(String), worker: 'elsewhere:7' }]);
    expect((await run('contact.retention')).statusCode).toBe(409);
  });
});

describe('a failed job', () => {
  test('is listed with its error, counted, and can be restarted once', async () => {
    s.advance(301_000);
    s.sandbox.faults.set({ provider: 'okx', kind: 'server_error' });
    expect((await run('market.tickers')).statusCode).toBe(200);
    await poll(async () => (await job('market.tickers')).failedToday).toBe(1);
    const { lastFailure, lastSuccess } = await job('market.tickers');
    expect(lastFailure?.error).toMatch(/^OKX returned 5\d\d/);
    expect(lastSuccess).toBeNull();
    const { runs, total } = await failed();
    expect([total, runs]).toEqual([
      1,
      [
        {
          id: expect.any(String),
          name: 'market.tickers',
          payload: null,
          error: lastFailure?.error,
          tries: 1,
          failedAt: expect.any(String),
        },
      ],
    ]);
    const id = runs[0]?.id ?? '';
    const later = (hours: number) =>
      sql`update pgboss.job set completed_on = completed_on - ${hours} * interval '1 hour' where id = ${id}`.execute(
        db(),
      );
    await later(25);
    expect((await job('market.tickers')).failedToday).toBe(0);
    await later(-25);
    s.sandbox.faults.clear();
    const beside = randomUUID();
    await sql`insert into pgboss.job (id, name, data, state, policy, started_on)
      values (${beside}, 'market.tickers', '{}', 'active', 'stately', now())`.execute(db());
    const early = await retry(id);
    expect([early.statusCode, early.json<{ error: string }>().error]).toEqual([
      409,
      'market.tickers is already running',
    ]);
    await sql`delete from pgboss.job where id = ${beside}`.execute(db());
    const answers = await Promise.all([retry(id), retry(id)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
    await poll(async () => (await job('market.tickers')).lastSuccess?.ms).toBeGreaterThanOrEqual(0);
    expect((await failed()).runs).toEqual([]);
    const late = await retry(id);
    expect([late.statusCode, late.json<{ error: string }>().error]).toEqual([409, 'This run has already been retried']);
    const audits = await db().selectFrom('audit_log').select('details').where('action', '=', 'job.retry').execute();
    expect(audits).toEqual([{ details: { job: 'market.tickers', run: id } }]);
  }, 60_000);

  test('payloads and errors are shown truncated and without secrets', () => {
    expect(shownPayload({})).toBeNull();
    expect(shownPayload({ coinId: 'bitcoin', token: 'abc', to: { email: 'a@b.example' } })).toBe(
      '{"coinId":"bitcoin","token":"[redacted]","to":{"email":"[redacted]"}}',
    );
    expect(shownPayload({ text: 'x'.repeat(5000) })?.length).toBeLessThan(200);
    expect(shownError({ message: 'first https://a.example/?api_key=abc\nb\nc\nd\ne' })).toBe(
      'first https://a.example/?api_key=[redacted]\nb\nc\nd',
    );
    expect(shownError(null)).toBe('Ended without an error message');
  });
});
