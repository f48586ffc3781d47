import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';

import type { AdminSource } from '#features/operations/contract/sources.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { sendRequest, type TestUser } from '#tests/support/people.ts';

const s = fileProduct({
  env: {
    BEA_API_KEY: 'b',
    FRED_API_KEY: 'f',
    FINNHUB_API_KEY: 'f',
    COINMARKETCAL_API_KEY: 'c',
    CONSENSUS_CALENDAR: '1',
    VENICE_API_KEY: 'v',
    HUGGINGFACE_API_KEY: 'h',
    COINGECKO_API_KEY: 'secret-of-coingecko',
    COINGECKO_PLAN: 'demo',
    LISTING_MINUTES: '10',
  },
});
const admin = member(s, 'admin', 'admin');

afterEach(() => s.sandbox.faults.clear());

const board = async () => (await admin.get('/api/admin/sources')).json<{ sources: AdminSource[] }>().sources;
const source = async (id: string) => (await board()).find((each) => each.id === id) as AdminSource;
const collect = (id: string, who: Pick<TestUser, 'post'> = admin) => who.post(`/api/admin/sources/${id}/collect`);
const jobRows = async (name: string) => (await s.product.scheduler.waiting(name)).length;
const outcome = (id: string) =>
  expect.poll(async () => (await source(id)).run?.state, { timeout: 15_000, interval: 100 });

describe('the board', () => {
  test('every enabled source has a job that reads it, or an open connection', async () => {
    const lost = (await board()).filter(
      ({ state, jobs, streams }) => state !== 'key_missing' && jobs.length === 0 && !streams,
    );
    expect(lost.map(({ id }) => id)).toEqual([]);
  });

  test('every source that a job declares is listed', async () => {
    const known = new Set((await board()).map(({ id }) => id));
    const read = s.product.scheduler.jobs.flatMap(({ reads }) => reads ?? []);
    expect(read.filter((id) => !known.has(id))).toEqual([]);
    expect(read.length).toBeGreaterThan(25);
  });

  test('keys are named, never shown; the monthly quota and the next run are listed', async () => {
    const answer = await admin.get('/api/admin/sources');
    expect(answer.body).not.toContain('secret-of-coingecko');
    const coingecko = await source('coingecko');
    expect(coingecko).toMatchObject({
      keySetting: 'COINGECKO_API_KEY',
      keyPresent: true,
      budget: { used: 0, limit: 10_000 },
      jobs: ['market.listing', 'metrics.listing', 'metrics.slow'],
      nextRunAt: '2026-11-20T12:02:00.000Z',
      notNow: null,
      run: null,
    });
    expect(await source('groq')).toMatchObject({
      state: 'key_missing',
      keySetting: 'GROQ_API_KEY',
      keyPresent: false,
      nextRunAt: null,
      notNow: expect.stringContaining('GROQ_API_KEY'),
    });
  });
});

describe('manual collection', () => {
  test.each([
    ['nothing', 404, 'Source not found'],
    ['groq', 409, /^Groq is off: .*GROQ_API_KEY/],
    ['coinbase', 409, 'Coinbase streams over an open connection: nothing to collect'],
  ])('%s is rejected with its reason', async (id, status, words) => {
    const refused = await collect(id);
    expect(refused.statusCode).toBe(status);
    expect(refused.json<{ error: string }>().error).toMatch(words);
  });

  test('two concurrent requests queue one job; the row follows it to its end', async () => {
    const other = await s.another();
    const elsewhere = { ...s, product: other };
    const answers = await Promise.all([
      collect('alternative-me'),
      sendRequest(elsewhere, 'POST', '/api/admin/sources/alternative-me/collect', undefined, { token: admin.token }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const refused = answers.find(({ statusCode }) => statusCode === 409);
    expect(refused?.json<{ error: string }>().error).toMatch(/^Alternative\.me /i);
    expect(await jobRows('metrics.slow')).toBe(1);
    expect((await source('alternative-me')).run).toMatchObject({
      state: 'waiting',
      note: null,
      askedAt: s.clock.now().toISOString(),
      askedBy: admin.email,
    });
    const mempool = (await collect('mempool')).json<{ error: string }>();
    expect(mempool.error).toContain('is already being read: metrics.slow is running');
    s.advance(1000);
    await s.product.scheduler.work();
    await outcome('alternative-me').toBe('answered');
    expect((await source('alternative-me')).lastSuccessAt).toBe(s.clock.now().toISOString());
    const audits = await s.product.billing.db
      .selectFrom('audit_log')
      .select(['actor_id', 'details'])
      .where('action', '=', 'source.collect')
      .execute();
    expect(audits).toEqual([{ actor_id: admin.id, details: { source: 'alternative-me', jobs: ['metrics.slow'] } }]);
  }, 60_000);

  test('it pauses for half a minute after a request', async () => {
    const refused = await collect('alternative-me');
    expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([
      409,
      expect.stringMatching(/was requested a moment ago. Try again in 29 seconds$/),
    ]);
    expect((await source('alternative-me')).notNow).toMatch(/Try again in 29 seconds$/);
  });

  test('a failing source shows its own message', async () => {
    s.advance(7 * 3_600_000);
    s.sandbox.faults.set({ provider: 'sec', kind: 'server_error' });
    expect((await collect('sec')).json()).toEqual({ jobs: ['events.collect'] });
    s.advance(1000);
    await outcome('sec').toBe('unanswered');
    expect((await source('sec')).run?.note).toMatch(/returned 5\d\d/);
    expect(await source('sec')).toMatchObject({ state: 'down', lastFailureAt: s.clock.now().toISOString() });
  }, 60_000);

  test('a job that ends without a request to it claims nothing', async () => {
    s.advance(3_600_000);
    // The agency itself is called only while a release is missing elsewhere.
    expect((await collect('bls')).statusCode).toBe(200);
    await outcome('bls').toBe('not_asked');
  }, 60_000);

  test('a job that failed before its request states why', async () => {
    const { rows } = await sql<{ name: string }>`
      update pgboss.job set state = 'failed', output = '{"message":"The disk is full\\n    at write"}'
      where id = any(select unnest(job_ids) from source_collections where source = 'bls') returning name`.execute(
      s.product.billing.db,
    );
    expect(rows).toEqual([{ name: 'inflation.refresh' }]);
    expect((await source('bls')).run).toMatchObject({
      state: 'failed',
      note: expect.stringMatching(/^The disk is full/),
    });
  });

  test('one that is rate limiting us is left alone', async () => {
    s.advance(3_600_000);
    s.sandbox.faults.set({ provider: 'okx', kind: 'rate_limit', retryAfter: 60 });
    await s.product.scheduler.runManually('metrics.listing');
    const refused = await collect('okx');
    expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([
      409,
      'OKX is rate-limiting us. Try again in 60 seconds',
    ]);
  }, 60_000);

  test('the monthly quota is not exceeded manually', async () => {
    const { db } = s.product.billing;
    const since = new Date(Date.UTC(2026, 10, 1)).toISOString();
    await sql`insert into source_calls (source, hour, latency_class, calls) values ('coingecko', ${since}, 4, 10000)`.execute(
      db,
    );
    const why = 'CoinGecko: this month’s 10,000 calls are used up';
    expect((await source('coingecko')).notNow).toBe(why);
    const refused = await collect('coingecko');
    expect([refused.statusCode, refused.json()]).toEqual([409, { error: why, code: 'conflict' }]);
  });
});

test('a failed source is retried a minute later and twice more, then waits for its schedule', async () => {
  const runs = async () => {
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from pgboss.job where name = 'inflation.refresh'`.execute(s.product.market.ctx.db);
    return rows[0]?.n ?? 0;
  };
  const retry = async (afterMinutes: number) => {
    s.advance(afterMinutes * 60_000);
    const before = await runs();
    await s.job('sources.retry');
    await expect.poll(() => s.product.scheduler.isUnderWay('inflation.refresh')).toBe(false);
    return (await runs()) - before;
  };
  s.sandbox.faults.set({ provider: 'cleveland-fed', kind: 'server_error' });
  await s.job('inflation.refresh');
  expect((await source('cleveland-fed')).state).toBe('down');
  expect([await retry(0.5), await retry(0.5)]).toEqual([0, 1]);
  let more = 0;
  for (let minute = 0; minute < 40; minute += 5) more += await retry(5);
  expect(more).toBe(2);
  s.sandbox.faults.clear();
  await s.job('inflation.refresh');
  expect(await retry(20)).toBe(0);
});
