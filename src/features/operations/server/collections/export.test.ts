import { get as ask, type IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Database, openDatabase } from '#kernel/db.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { NOON, start, type TestProduct } from '#tests/support/start.ts';

const MANY = 200_000;
/** Unique characters per record, so that compression does not shrink them. */
const DETAIL = 250;
const LOOK_EVERY = 10_000_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

let s: TestProduct;
let admin: TestUser;
let other: Database;
let port: number;
let written = '';

beforeAll(async () => {
  s = await start({ env: { LOG_LEVEL: 'info' }, onLogLine: (line) => (written += line) });
  ({ port } = await s.product.listen());
  other = openDatabase(s.connection, () => undefined, 2);
  admin = await registerUser(s, 'admin', 'admin');
  await sql`insert into error_logs (source, type, message, details, timestamp)
    select 'flood', 'system', 'Number ' || i, repeat(md5(i::text), ${Math.ceil(DETAIL / 32)}::int), ${NOON.toISOString()}
    from generate_series(1, ${MANY}) i`.execute(other.db);
});
afterAll(async () => {
  await other?.close();
  await s?.stop();
});

/** Sends a request over a real connection and resolves at the response head. */
const open = (collection: string, headers: Record<string, string> = {}) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const path = `/api/admin/export/${collection}`;
    const request = ask(
      { port, host: '127.0.0.1', path, headers: { authorization: `Bearer ${admin.token}`, ...headers } },
      resolve,
    );
    request.on('error', reject);
  });
const ends = () =>
  written
    .split('\n')
    .filter((line) => line.includes('collection export ended'))
    .map((line) => JSON.parse(line) as { collection: string; records: number; end: string });
const firstChunk = (answer: IncomingMessage) =>
  new Promise<string>((resolve) => {
    answer.once('data', (chunk: Buffer) => {
      answer.pause();
      resolve(chunk.toString());
    });
  });
/** When the product last started reading records. */
const lastRead = async () =>
  (
    await sql<{ at: string | null }>`select max(query_start)::text as at from pg_stat_activity
      where datname = current_database() and query like '%from "error_logs"%' and pid <> pg_backend_pid()`.execute(
      other.db,
    )
  ).rows[0]?.at;

describe('GET /api/admin/export/:collection', () => {
  test('200: every record as JSON in a file named after the collection, and the export is audited', async () => {
    const answer = await admin.get('/api/admin/export/users');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="users_export.json"',
      'cache-control': 'no-store',
    });
    expect(answer.json()).toMatchObject([{ id: admin.id, email: admin.email, isAdmin: true }]);
    const { rows } =
      await sql`select actor_id, subject_id, action, details from audit_log where action = 'collection.export'`.execute(
        other.db,
      );
    expect(rows).toEqual([
      { actor_id: admin.id, subject_id: null, action: 'collection.export', details: { collection: 'users' } },
    ]);
  });

  test('200: an empty collection is an empty list', async () => {
    expect((await admin.get('/api/admin/export/fear_greed')).json()).toEqual([]);
  });

  test.each(['nothing', 'sessions', 'Users', '__proto__'])(
    '404: %s is not a collection, and nothing is audited',
    async (name) => {
      const audited = async () => (await sql`select 1 from audit_log`.execute(other.db)).rows.length;
      const before = await audited();
      const answer = await admin.get(`/api/admin/export/${name}`);
      expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'Collection not found', code: 'not_found' }]);
      expect(await audited()).toBe(before);
    },
  );
});

describe('200,000 records', () => {
  test('are streamed as they are read, in memory that does not grow with them', async () => {
    const answer = await open('error_logs');
    let bytes = 0;
    let tail = '';
    let records = 0;
    let most = 0;
    let whenFirst: number | null = null;
    /** Memory still in use after garbage collection. */
    const used = () => {
      collect();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const start = used();
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      whenFirst ??= ends().filter(({ collection }) => collection === 'error_logs').length;
      bytes += chunk.length;
      const text = chunk.toString('latin1');
      records += text.split('"Number ').length - 1;
      tail = (tail + text).slice(-4);
      if (Math.floor(bytes / LOOK_EVERY) > Math.floor((bytes - chunk.length) / LOOK_EVERY))
        most = Math.max(most, used() - start);
    }
    expect(whenFirst).toBe(0);
    // A name may be split across chunks.
    expect(records).toBeGreaterThan(MANY * 0.99);
    expect(tail.endsWith('}\n]\n')).toBe(true);
    expect(bytes).toBeGreaterThan(MANY * DETAIL);
    expect(most).toBeLessThan(bytes / 4);
    expect(ends().at(-1)).toMatchObject({ collection: 'error_logs', records: MANY, end: 'whole' });
  });

  test('a slow reader is waited for, and a disconnected one ends the reading', async () => {
    const answer = await open('error_logs');
    expect(await firstChunk(answer)).toMatch(/^\[/);
    let seen: string | null | undefined;
    await expect
      .poll(
        async () => {
          const before = seen;
          seen = await lastRead();
          return seen === before;
        },
        { timeout: 20_000, interval: 300 },
      )
      .toBe(true);
    const before = ends().length;
    answer.destroy();
    await expect.poll(() => ends().length, { timeout: 10_000 }).toBe(before + 1);
    const { records, end } = ends().at(-1)!;
    expect(end).toBe('client disconnected');
    expect(records).toBeGreaterThan(0);
    expect(records).toBeLessThan(MANY / 2);
  });

  test.each<[string, Record<string, string>]>([
    ['plain', {}],
    ['packed', { 'accept-encoding': 'gzip' }],
  ])('one that fails midway does not look complete: %s', async (_how, headers) => {
    const answer = await open('error_logs', headers);
    expect(answer.statusCode).toBe(200);
    await firstChunk(answer);
    // The next read fails.
    await sql`alter table error_logs rename to error_logs_elsewhere`.execute(other.db);
    try {
      const chunks: Buffer[] = [];
      await expect(
        (async () => {
          for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
        })(),
      ).rejects.toMatchObject({ code: 'ECONNRESET' });
      expect(Buffer.concat(chunks).toString('latin1').trimEnd().endsWith(']')).toBe(false);
      await expect.poll(() => ends().at(-1)).toMatchObject({ collection: 'error_logs', end: 'failed' });
    } finally {
      await sql`alter table error_logs_elsewhere rename to error_logs`.execute(other.db);
    }
    expect(ends().at(-1)?.records).toBeLessThan(MANY);
  });
});
