import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { exportStatistics, getExport, getManifest, listExports } from '#features/exports/contract/exports.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { grantPlan, registerUser, sendRequest, type TestUser } from '#tests/support/people.ts';
import { statusAndMessage } from '#tests/support/rows.ts';
import { storeHistory } from '#tests/support/stored-past.ts';

const DAY_MS = 86_400_000;

const s = fileProduct();
const pro = member(s, 'pro', 'pro');
let id: string;
let whole: Buffer;
beforeAll(async () => {
  await storeHistory(s);
  [id, whole] = await make(pro);
}, 120_000);

async function make(who: TestUser, body: object = {}): Promise<[id: string, file: Buffer]> {
  const asked = { dataType: 'crypto_prices', dateRange: '7d', format: 'csv', ...body };
  const answer = await who.post('/api/exports/create', asked);
  expect(answer.statusCode, answer.body.slice(0, 200)).toBe(200);
  return [String(answer.headers['x-export-id']), answer.rawPayload];
}
const folder = () => s.product.auth.ctx.config.exportsDir;
const filesOf = (export_: string) => readdirSync(folder()).filter((name) => name.startsWith(export_));
const fetchPart = (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
  s.product.app.inject({
    method,
    url: `/api/exports/${id}/file`,
    headers: { authorization: `Bearer ${pro.token}`, ...headers },
  });

test('an interrupted download resumes where it stopped, if the file is unchanged', async () => {
  const first = await fetchPart({ range: 'bytes=0-999' });
  expect(first.statusCode).toBe(206);
  expect(first.headers['content-range']).toBe(`bytes 0-999/${whole.length}`);
  expect(first.headers['content-length']).toBe('1000');
  const etag = String(first.headers['etag']);
  expect(etag).toBe(`"${createHash('sha256').update(whole).digest('hex')}"`);
  const rest = await fetchPart({ range: 'bytes=1000-', 'if-range': etag });
  expect(rest.statusCode).toBe(206);
  expect(Buffer.concat([first.rawPayload, rest.rawPayload]).equals(whole)).toBe(true);
  const changed = await fetchPart({ range: 'bytes=1000-', 'if-range': '"another"' });
  expect(changed.statusCode).toBe(200);
  expect(changed.rawPayload.equals(whole)).toBe(true);
});

test('ranges of every form follow the HTTP standard', async () => {
  const last = await fetchPart({ range: 'bytes=-10' });
  expect([last.statusCode, last.rawPayload.equals(whole.subarray(-10))]).toEqual([206, true]);
  const beyond = await fetchPart({ range: `bytes=100-${whole.length * 2}` });
  expect([beyond.statusCode, beyond.rawPayload.length]).toEqual([206, whole.length - 100]);
  for (const range of [`bytes=${whole.length}-`, 'bytes=-0']) {
    const none = await fetchPart({ range });
    expect([none.statusCode, none.headers['content-range']], range).toEqual([416, `bytes */${whole.length}`]);
    expect(none.json()).toEqual({ error: 'The requested range is beyond the end of the file', code: 'bad_request' });
  }
  for (const range of ['bytes=9-3', 'bytes=0-1,5-6', 'lines=1-2', 'bytes=-', 'bytes=a-b']) {
    const all = await fetchPart({ range });
    expect([all.statusCode, all.rawPayload.length], range).toEqual([200, whole.length]);
  }
  const head = await fetchPart({}, 'HEAD');
  expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, String(whole.length), '']);
});

test('the manifest of a file states what is needed to verify it', async () => {
  const manifest = getManifest.reply.parse((await pro.get(`/api/exports/${id}/manifest`)).json());
  expect(manifest).toMatchObject({
    file: 'crypto_prices-7d-2026-11-20.csv',
    format: 'csv',
    sha256: createHash('sha256').update(whole).digest('hex'),
    bytes: whole.length,
    rows: 3 * 169,
    dataMode: 'live',
    query: { dataTypes: ['crypto_prices'], dateRange: '7d', from: '2026-11-13T12:00:00.000Z' },
    notes: [
      'From 2026-11-13T12:00:00.000Z to 2026-11-20T12:00:00.000Z, inclusive. All times UTC.',
      'Crypto prices: one row is one coin per hour.',
      'Crypto prices: history still loading for BTC, ETH, +ODD. A later export will include more rows.',
    ],
  });
  expect(manifest.tables[0]).toMatchObject({ name: 'crypto_prices', rows: 3 * 169, grain: 'one coin per hour' });
  expect(manifest.tables[0]?.columns[4]).toEqual({ name: 'open', type: 'number', unit: 'USD' });
  expect(manifest.tables[0]?.sources).toEqual([
    { source: 'coingecko', newestAt: '2026-11-20T11:00:00.000Z' },
    { source: 'okx', newestAt: '2026-11-20T12:00:00.000Z' },
  ]);
});

test('a user who leaves during creation finds the file in the list', async () => {
  const leaving = await registerUser(s, 'leaving', 'pro');
  const { port } = await s.product.listen();
  const body = JSON.stringify({ dataType: 'market_data', dateRange: '30d', format: 'json' });
  const headers = { authorization: `Bearer ${leaving.token}`, 'content-type': 'application/json' };
  const call = request({ port, path: '/api/exports/create', method: 'POST', headers });
  call.on('error', () => undefined);
  call.end(body);
  const list = async () => listExports.reply.parse((await leaving.get('/api/exports/history')).json());
  await expect.poll(async () => (await list()).length, { timeout: 20_000 }).toBe(1);
  call.destroy();
  await expect.poll(async () => (await list())[0]?.state, { timeout: 30_000 }).toBe('done');
  const [item] = await list();
  const file = await leaving.get(`/api/exports/${item?.id}/file`);
  expect(file.rawPayload.length).toBe(item?.file_size);
});

test('after a change to Pro, files created under Premium+ remain available', async () => {
  const person_ = await registerUser(s, 'falling', 'premium');
  const [own, bytes] = await make(person_, {
    dataType: undefined,
    dataTypes: ['fear_greed', 'market_data'],
    format: 'xml',
  });
  await grantPlan(s, person_.id, 'pro');
  expect((await person_.get(`/api/exports/${own}/file`)).rawPayload.equals(bytes)).toBe(true);
});

test('a removed file is deleted from disk, and the list still shows it existed', async () => {
  const [own] = await make(pro, { dataType: 'fear_greed' });
  expect(filesOf(own)).toHaveLength(1);
  expect((await pro.remove(`/api/exports/${own}`)).json()).toEqual({ success: true });
  expect(filesOf(own)).toEqual([]);
  expect(getExport.reply.parse((await pro.get(`/api/exports/${own}`)).json()).state).toBe('expired');
  const file = await pro.get(`/api/exports/${own}/file`);
  expect(statusAndMessage(file)).toEqual([
    404,
    'This file expired on 2026-11-20 12:00 UTC. Create the export again to get the data.',
  ]);
});

test('deleting an account deletes its files', async () => {
  const leaving = await registerUser(s, 'deleted', 'pro');
  const [own] = await make(leaving, { dataType: 'fear_greed' });
  expect(filesOf(own)).toHaveLength(1);
  const deleted = await sendRequest(s, 'DELETE', '/api/auth/delete-account', undefined, { token: leaving.token });
  expect(deleted.statusCode, deleted.body).toBe(200);
  await s.product.auth.settled();
  expect(filesOf(own)).toEqual([]);
  expect(filesOf(id)).toHaveLength(1);
});

test('files are deleted after seven days, and so are orphaned ones, but nothing else in the folder', async () => {
  const orphan = `${crypto.randomUUID()}-1`;
  for (const name of [orphan, `${id}-1.part`, `${id}-7`, 'notes.txt']) writeFileSync(join(folder(), name), 'x');
  await s.job('exports.expire');
  expect(filesOf(orphan)).toEqual([]);
  expect(filesOf(id)).toEqual([`${id}-1`]);
  s.advance(7 * DAY_MS);
  const early = await pro.get(`/api/exports/${id}/file`);
  expect(statusAndMessage(early)).toEqual([
    404,
    'This file expired on 2026-11-27 12:00 UTC. Create the export again to get the data.',
  ]);
  await s.job('exports.expire');
  expect(filesOf(id)).toEqual([]);
  expect(readdirSync(folder())).toContain('notes.txt');
  expect(getExport.reply.parse((await pro.get(`/api/exports/${id}`)).json()).state).toBe('expired');
  const sums = exportStatistics.reply.parse((await pro.get('/api/exports/statistics')).json());
  expect(sums).toMatchObject({ total: 2, thisMonth: 2, today: 0 });
  expect(sums.totalMb).toBeGreaterThan(whole.length / 1e6);
});
