import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { sql } from 'kysely';
import { Client } from 'pg';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Product } from '#app/server/product.ts';
import {
  createExport,
  type ExportState,
  exportsTopic,
  getExport,
  getManifest,
} from '#features/exports/contract/exports.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { storeHistory } from '#tests/support/stored-past.ts';

const FAILED = 'Failed to create export. Please try again.';

const s = fileProduct({ env: { EXPORT_ROWS_AT_ONCE: '1' } });
const premium = member(s, 'premium', 'premium');
let second: Product;
const frames: { id: string; state: ExportState; progress: number }[] = [];
beforeAll(async () => {
  await storeHistory(s);
  second = await s.another();
  s.product.exports.ctx.live.on(exportsTopic, (frame) => void frames.push(frame));
}, 120_000);
beforeEach(async () => {
  await db()`delete from exports`;
});

const db = () => {
  const { db } = s.product.auth.ctx;
  return (...text: Parameters<typeof sql>) => sql(...text).execute(db);
};
const make = () => s.product.scheduler.runManually('exports.make');
const files = () => readdirSync(s.product.auth.ctx.config.exportsDir);
const itemOf = async (id: string) => getExport.reply.parse((await premium.get(`/api/exports/${id}`)).json());

async function asked(more: object = {}): Promise<string> {
  const body = { dataTypes: ['market_data'], dateRange: '30d', format: 'json', ...more };
  const answer = await premium.post('/api/exports/create', body);
  expect(answer.statusCode, answer.body).toBe(202);
  return createExport.reply.parse(answer.json()).id;
}

/** Blocks the thread's reads until `free` is called. */
async function blocked(): Promise<{ waiting: () => Promise<number[]>; free: () => Promise<void> }> {
  const guard = new Client(s.connection);
  await guard.connect();
  await guard.query('begin; lock table metric_observations in access exclusive mode');
  const watch = new Client(s.connection);
  await watch.connect();
  return {
    async waiting() {
      const { rows } = await watch.query<{ pid: number }>(
        `select pid from pg_locks where relation = 'metric_observations'::regclass and not granted`,
      );
      return rows.map(({ pid }) => pid);
    },
    async free() {
      await guard.query('rollback');
      await Promise.all([guard.end(), watch.end()]);
    },
  };
}

/** An export whose thread is blocked on its reads. */
async function stuck(more: object = {}) {
  const id = await asked(more);
  const block = await blocked();
  const running = make();
  await expect.poll(block.waiting, { timeout: 20_000 }).toHaveLength(1);
  return { id, running, ...block };
}

test('export progress is sent to its owner only, from waiting to done', async () => {
  const id = await asked();
  await make();
  await expect.poll(() => frames.findLast((frame) => frame.id === id)).toEqual({ id, state: 'done', progress: 1 });
  const { rows } =
    await db()`select distinct user_id from live_frames where topic = 'exports' and body like ${`%${id}%`}`;
  expect(rows).toEqual([{ user_id: premium.id }]);
  expect(await itemOf(id)).toMatchObject({ state: 'done', rows: 1200, progress: 1 });
});

test('a file is one snapshot: later writes are not in it, and it states which series are incomplete', async () => {
  const both = { dataTypes: ['crypto_prices', 'market_data'] };
  const whole = await asked(both);
  await make();
  const { rows } = await itemOf(whole);
  const { id, running, free } = await stuck(both);
  await db()`insert into candles_1h (coin_key, at, open, high, low, close, volume, minutes, source, fetched_at, method)
    select key, ${new Date(s.clock.now().getTime() - 36.5 * 3_600_000).toISOString()}, 1, 1, 1, 1, 1, 60, 'okx', now(), 'measured'
    from coins where id = 'bitcoin'`.finally(() => void free());
  await running;
  expect(await itemOf(id)).toMatchObject({ state: 'done', rows });
  await db()`delete from candles_1h where close = 1 and volume = 1`;
  const manifest = getManifest.reply.parse((await premium.get(`/api/exports/${id}/manifest`)).json());
  expect(manifest.notes).toContainEqual(expect.stringMatching(/^Crypto prices: history still loading for .*BTC/));
});

test('one canceled during creation leaves nothing behind', async () => {
  const { id, running, free } = await stuck();
  expect((await itemOf(id)).state).toBe('running');
  expect((await premium.remove(`/api/exports/${id}`)).json()).toEqual({ success: true });
  await running;
  await free();
  expect((await itemOf(id)).state).toBe('cancelled');
  expect(files().filter((name) => name.startsWith(id))).toEqual([]);
});

test('another process notices a canceled export within a second or two', async () => {
  const { id, running, free } = await stuck();
  const answer = await second.app.inject({
    method: 'DELETE',
    url: `/api/exports/${id}`,
    headers: { authorization: `Bearer ${premium.token}` },
  });
  expect(answer.json()).toEqual({ success: true });
  await running;
  await free();
  expect(files().filter((name) => name.startsWith(id))).toEqual([]);
});

test('a lost connection releases the export; the next worker completes it', async () => {
  const { id, running, waiting, free } = await stuck();
  const [pid] = await waiting();
  await db()`select pg_terminate_backend(${pid})`;
  await running;
  expect(await itemOf(id)).toMatchObject({ state: 'waiting', progress: 0 });
  await free();
  await make();
  expect(await itemOf(id)).toMatchObject({ state: 'done', rows: 1200 });
  expect(files().filter((name) => name.startsWith(id))).toEqual([`${id}-2`]);
});

test('a query rejected by the database is a failure with a message and no file', async () => {
  const { id, running, waiting, free } = await stuck();
  const [pid] = await waiting();
  await db()`select pg_cancel_backend(${pid})`;
  await running;
  await free();
  expect(await itemOf(id)).toMatchObject({ state: 'failed', error: FAILED, file_size: null });
  expect(files().filter((name) => name.startsWith(id))).toEqual([]);
});

test('a thread that runs out of memory ends alone: it is tried three times, then fails with a message', async () => {
  const at = s.clock.now().toISOString();
  await db()`insert into metric_observations (metric, source, observed_at, value, detail, fetched_at, method)
    select 'hash_rate', 'blockchain', ${at}::timestamptz - n * interval '1 second', n,
      jsonb_build_object('terms', repeat('ж', 60000)), ${at}, 'measured' from generate_series(1, 2000) n`;
  try {
    const id = await asked();
    for (const state of ['waiting', 'waiting', 'failed']) {
      await make();
      expect((await itemOf(id)).state).toBe(state);
    }
    expect(await itemOf(id)).toMatchObject({ error: FAILED, file_size: null });
    expect(files().filter((name) => name.startsWith(id))).toEqual([]);
    const told = () => db()`select 1 from error_logs where message = 'An export thread failed'`;
    await expect.poll(async () => (await told()).rows.length).toBeGreaterThan(0);
  } finally {
    await db()`delete from metric_observations where source = 'blockchain'`;
  }
  const next = await asked();
  await make();
  expect(await itemOf(next)).toMatchObject({ state: 'done', rows: 1200 });
});

test('work of a dead process is restarted and its partial file removed', async () => {
  const id = await asked();
  await db()`update exports set state = 'running', attempt = 1, beat_at = clock_timestamp() - interval '10 seconds' where id = ${id}`;
  const piece = join(s.product.auth.ctx.config.exportsDir, `${id}-1.part`);
  writeFileSync(piece, 'half');
  await make();
  expect((await itemOf(id)).state).toBe('running');
  await db()`update exports set beat_at = clock_timestamp() - interval '31 seconds' where id = ${id}`;
  await make();
  expect(await itemOf(id)).toMatchObject({ state: 'done', rows: 1200 });
  expect(files().filter((name) => name.startsWith(id))).toEqual([`${id}-2`]);
});

test('one that crashed its process three times is given up', async () => {
  const id = await asked();
  await db()`update exports set state = 'running', attempt = 3, beat_at = clock_timestamp() - interval '31 seconds' where id = ${id}`;
  await make();
  expect(await itemOf(id)).toMatchObject({ state: 'failed', error: FAILED });
});

test('two for one user are created concurrently, the third waits and follows', async () => {
  const ids = [await asked(), await asked(), await asked()];
  const block = await blocked();
  const running = Promise.all([make(), make().then(() => undefined), make()]);
  await expect.poll(block.waiting, { timeout: 20_000 }).toHaveLength(2);
  expect((await Promise.all(ids.map(itemOf))).map(({ state }) => state)).toEqual(['running', 'running', 'waiting']);
  await block.free();
  await running;
  await make();
  expect((await Promise.all(ids.map(itemOf))).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
});

test('a full disk is a failure with a message and leaves no file', async ({ skip }) => {
  const folder = s.product.auth.ctx.config.exportsDir;
  const small = join(folder, 'small');
  mkdirSync(small, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=755', 'tmpfs', small], { stdio: 'pipe' });
  } catch {
    console.log('SKIPPED: a small disk cannot be mounted here');
    skip();
  }
  try {
    s.product.auth.ctx.config.exportsDir = small;
    s.product.exports.ctx.config.exportsDir = small;
    const id = await asked();
    await make();
    expect(await itemOf(id)).toMatchObject({
      state: 'failed',
      error: 'We ran out of storage for this file and have been alerted. Please try again later.',
    });
    expect(readdirSync(small)).toEqual([]);
  } finally {
    s.product.auth.ctx.config.exportsDir = folder;
    s.product.exports.ctx.config.exportsDir = folder;
    execFileSync('umount', ['-l', small]);
  }
});

test('a stopping process hands its work over to the next', async () => {
  const id = await asked();
  const block = await blocked();
  const running = second.scheduler.runManually('exports.make');
  await expect.poll(block.waiting, { timeout: 20_000 }).toHaveLength(1);
  await second.exports.stop();
  await running;
  await block.free();
  expect(await itemOf(id)).toMatchObject({ state: 'waiting' });
  await make();
  expect((await itemOf(id)).state).toBe('done');
});
