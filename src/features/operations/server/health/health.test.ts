import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { health } from '#features/operations/contract/health.ts';
import { SourceError } from '#kernel/http/source-error.ts';
import { disableDatabase, enableDatabase } from '#tests/support/database-outage.ts';
import { start, type TestProduct } from '#tests/support/start.ts';

const KEY = 'cg-demo-key-that-nobody-may-see';
const MODEL_KEY = 'gsk-that-nobody-may-see-either';

let s: TestProduct;
beforeAll(async () => {
  const env = {
    COINGECKO_API_KEY: KEY,
    GROQ_API_KEY: MODEL_KEY,
    AI_PROVIDERS: `lab=http://127.0.0.1:9/v1|m|${MODEL_KEY}`,
  };
  s = await start({ env: { ...env, ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: 'hunter22 and more' } });
});
afterAll(() => s.stop());

describe('GET /api/health', () => {
  const read = async () => health.parse((await s.get('/api/health')).json());
  const source = async (id: string) => (await read()).sources.find((one) => one.id === id);

  test('200: its identity, its database and every source, before any request', async () => {
    const body = await read();
    expect(body).toMatchObject({
      status: 'ok',
      version: '1.0.0',
      dataMode: 'live',
      role: 'all',
      database: { kind: 'external', version: expect.stringMatching(/^\d+/), writable: true },
      startedAt: '2026-11-20T12:00:00.000Z',
      uptime: { percent: null, targetPercent: 99.9 },
    });
    const states = new Map(body.sources.map(({ id, state }) => [id, state]));
    expect([...states.keys()].slice(0, 4)).toEqual(['coingecko', 'coinpaprika', 'okx', 'coinbase']);
    expect(states.size).toBeGreaterThanOrEqual(15);
    const keyed = ['fred-api', 'bea', 'sui-fallback', 'finnhub', 'coinmarketcal', 'venice', 'huggingface'];
    for (const keyless of ['coinmetrics', 'consensus-calendar', ...keyed]) {
      expect(states.get(keyless), keyless).toBe('key_missing');
      states.delete(keyless);
    }
    expect([...new Set(states.values())]).toEqual(['waiting']);
    expect([states.has('groq'), states.has('ai-lab')]).toEqual([true, true]);
    expect(await source('venice')).toMatchObject({ note: 'Venice requires a key: set VENICE_API_KEY' });
  });

  test('200: a responding source is ok, with the time', async () => {
    await s.job('market.listing');
    expect(await source('coingecko')).toMatchObject({
      state: 'ok',
      note: null,
      lastSuccessAt: '2026-11-20T12:00:00.000Z',
    });
    expect((await read()).status).toBe('ok');
  });

  test.each([
    ['rate_limited', 'rate_limited'],
    ['status', 'down'],
  ] as const)('200: degraded with the reason while a source fails (%s), then healthy again', async (kind, state) => {
    const { sources } = s.product.market.ctx;
    sources.failed('okx', new SourceError(kind, 'OKX answered in a way it should not'));
    expect((await read()).status).toBe('degraded');
    expect(await source('okx')).toMatchObject({ state, note: 'OKX answered in a way it should not' });
    sources.succeeded('okx');
    expect((await read()).status).toBe('ok');
  });

  test('200: reports when the database is read-only', async () => {
    const admin = new Client(s.connection);
    admin.on('error', () => undefined);
    await admin.connect();
    const setReadOnly = async (value: 'on' | 'off') => {
      await admin.query(`set default_transaction_read_only to off`);
      await admin.query(`alter database ${s.connection.database} set default_transaction_read_only to ${value}`);
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'meridian'`,
      );
      const writable = async () => (await s.get('/api/health')).json().database?.writable;
      await expect.poll(writable, { timeout: 5000 }).toBe(value === 'off');
    };
    await setReadOnly('on');
    await setReadOnly('off');
    await admin.end();
  });

  test('200: degraded with a message while exports cannot be written, reported at startup, then healthy again', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'meridian-health-')), 'taken');
    await writeFile(file, '');
    const note = 'Exports are unavailable: the EXPORTS_DIR folder is not writable (ENOTDIR).';
    const other = await s.another({ EXPORTS_DIR: join(file, 'exports') });
    const told = () =>
      sql<{ type: string }>`select type from error_logs where source = 'exports' and message = ${note}`.execute(
        s.product.auth.ctx.db,
      );
    await expect.poll(async () => (await told()).rows).toEqual([{ type: 'system' }]);
    const readOther = async () => health.parse((await other.app.inject({ url: '/api/health' })).json());
    expect(await readOther()).toMatchObject({ status: 'degraded', exports: { writable: false, note } });
    expect((await read()).exports).toEqual({ writable: true, note: null });
    await rm(file);
    s.advance(30_000);
    expect(await readOther()).toMatchObject({ status: 'ok', exports: { writable: true, note: null } });
    expect(await readdir(join(file, 'exports'))).toEqual([]);
  });

  test('never a secret, an address or a password', async () => {
    const { body } = await s.get('/api/health');
    const { host, user, password, database } = s.connection;
    for (const secret of [KEY, 'root@example.com', 'hunter22', host, user, password, database])
      expect(body).not.toContain(`"${String(secret)}"`);
    for (const secret of [KEY, MODEL_KEY]) expect(body).not.toContain(secret);
    // The name of a missing setting is needed by operators and is no secret.
    const named = body.replaceAll(/\b[A-Z]+_API_KEY\b/g, '');
    expect(named).not.toMatch(/postgres:|https?:\/\/|api_?key|token/i);
  });
});

const READY = '/api/health/ready';
const ask = async (path = READY, product = s.product) => {
  const answer = await product.app.inject({ url: path });
  return [answer.statusCode, answer.json()];
};
const refusal = (error: string) => [503, { error, code: 'unavailable' }];
const AWAY = 'The database is not responding.';

test('GET /api/health/live: 200 at any time', async () => {
  expect(await ask('/api/health/live')).toEqual([200, { status: 'live' }]);
});

describe('GET /api/health/ready', () => {
  test('503 until it listens, 200 then, 503 once it is due to stop', async () => {
    const web = await s.another({ ROLE: 'web' });
    expect(await ask(READY, web)).toEqual(refusal('The process is starting.'));
    await web.listen();
    expect(await ask(READY, web)).toEqual([200, { status: 'ready', role: 'web' }]);
    web.lifecycle.stopping();
    expect(await ask(READY, web)).toEqual(refusal('The process is stopping.'));
    const refused = await web.app.inject({ url: READY });
    expect(refused.headers).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' });
    expect((await web.app.inject({ url: '/api/health' })).statusCode).toBe(200);
    web.lifecycle.serving();
    expect(await ask(READY, web)).toEqual(refusal('The process is stopping.'));
  });

  test('503 while the database is down, 200 for callers that exclude it, 200 again after', async () => {
    await s.product.listen();
    await expect.poll(() => ask()).toEqual([200, { status: 'ready', role: 'all' }]);
    await disableDatabase(s.connection);
    await expect.poll(() => ask()).toEqual(refusal(AWAY));
    expect(await ask(`${READY}?except=database`)).toEqual([200, { status: 'ready', role: 'all' }]);
    expect(await ask('/api/health/live')).toEqual([200, { status: 'live' }]);
    await enableDatabase(s.connection);
    await expect.poll(() => ask()).toEqual([200, { status: 'ready', role: 'all' }]);
  });

  test('503 within three seconds when no connection is left, for any number of callers, sharing one database check', async () => {
    await expect.poll(() => ask()).toEqual([200, { status: 'ready', role: 'all' }]);
    const { pool } = s.product;
    const held = await Promise.all(Array.from({ length: pool.options.max ?? 10 }, () => pool.connect()));
    await expect.poll(() => ask(), { timeout: 6000 }).toEqual(refusal(AWAY));
    const before = pool.waitingCount;
    const begun = performance.now();
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask()));
    expect(performance.now() - begun).toBeLessThan(3000);
    for (const answer of answers) expect(answer).toEqual(refusal(AWAY));
    expect(pool.waitingCount).toBeLessThan(before + 10);
    for (const client of held) client.release();
    await expect.poll(() => ask()).toEqual([200, { status: 'ready', role: 'all' }]);
  });

  test('400 for any other exclusion', async () => {
    expect(await ask(`${READY}?except=everything`)).toEqual([
      400,
      { error: 'except: except can only be "database"', code: 'bad_request' },
    ]);
  });
});
