import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Product } from '#app/server/product.ts';
import { marketTopic } from '#features/market/contract/market.ts';
import { start, type TestProduct } from '#tests/support/start.ts';

import { openReader, type Reader } from './fixtures/reader.ts';

let s: TestProduct;
let admin: Client;
const readers: Reader[] = [];
let other: Product;
let [here, there] = ['', ''];

beforeAll(async () => {
  s = await start();
  other = await s.another();
  [here, there] = [await addressOf(s.product), await addressOf(other)];
  admin = new Client(s.connection);
  admin.on('error', () => undefined);
  await admin.connect();
});
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});
afterAll(async () => {
  await admin.end();
  await s.stop();
});

const addressOf = async (product: Product) => `http://127.0.0.1:${(await product.listen()).port}`;
async function follow(url: string, headers: Record<string, string> = {}): Promise<Reader> {
  const reader = await openReader(`${url}/api/stream?topics=market`, headers);
  readers.push(reader);
  await expect.poll(reader.text).toContain('retry: 3000');
  return reader;
}
const publish = (product: Product, at: number) =>
  product.market.ctx.live.publish(marketTopic, { at, changed: ['sources'] });
const told = (reader: Reader) => reader.messages().map(({ data }) => (JSON.parse(data) as { at: number }).at);
const kill = (name: string) =>
  admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like $1 and pid <> pg_backend_pid()`,
    [name],
  );

describe('two processes on one database', () => {
  test('a frame published by one reaches the readers of both, once, in the same order', async () => {
    const [one, two] = [await follow(here), await follow(there)];
    const times = Array.from({ length: 30 }, (_, i) => i);
    await Promise.all(times.map((at) => publish(at % 2 === 0 ? s.product : other, at)));
    await expect.poll(one.ids).toHaveLength(30);
    await expect.poll(two.ids).toHaveLength(30);
    expect(told(one).toSorted((a, b) => a - b)).toEqual(times);
    expect(one.ids()).toEqual([...new Set(one.ids())].toSorted((a, b) => a - b));
    expect(two.messages()).toEqual(one.messages());
  });

  test('a reader that loses one process continues at the other where it was', async () => {
    const one = await follow(here);
    await publish(s.product, 1);
    await expect.poll(() => told(one)).toEqual([1]);
    one.close();
    await publish(s.product, 2);
    await publish(other, 3);
    await expect.poll(() => other.market.ctx.live.hub.newestId()).toBe((one.ids()[0] ?? 0) + 2);
    const two = await follow(there, { 'last-event-id': String(one.ids()[0]) });
    await publish(s.product, 4);
    await expect.poll(() => told(two)).toEqual([2, 3, 4]);
  });

  test('a process that starts later has the frames before it', async () => {
    for (const at of [1, 2, 3]) await publish(s.product, at);
    const { rows } = await admin.query<{ id: string }>('select max(id) - 2 as id from live_frames');
    const late = await s.another();
    const reader = await follow(await addressOf(late), { 'last-event-id': String(rows[0]?.id) });
    await expect.poll(() => told(reader)).toEqual([2, 3]);
  });

  test('frames of a rolled-back transaction reach no reader', async () => {
    const reader = await follow(here);
    await admin.query(`begin; select publish_frame('market', '{"at":1,"changed":[]}'); rollback`);
    await publish(s.product, 2);
    await expect.poll(() => told(reader)).toEqual([2]);
  });
});

describe('when the database disconnects', () => {
  test('a lost LISTEN connection is restored, and no frame is lost or doubled', async () => {
    const reader = await follow(here);
    for (let at = 0; at < 30; at++) {
      await publish(other, at);
      if (at % 10 === 5) await kill('meridian-listen');
    }
    await expect.poll(() => told(reader), { timeout: 5000 }).toEqual(Array.from({ length: 30 }, (_, at) => at));
    await publish(other, 30);
    await expect.poll(() => told(reader).at(-1), { timeout: 5000 }).toBe(30);
    expect(told(reader)).toHaveLength(31);
  });

  test('readers that missed more than is retained are notified to reload, and the process itself reloads', async () => {
    let gaps = 0;
    s.product.market.ctx.live.onGap(() => void (gaps += 1));
    const reader = await follow(here);
    await publish(s.product, 1);
    await expect.poll(() => told(reader)).toEqual([1]);
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'meridian-listen';
       select publish_frame('market', '{"at":2,"changed":[]}') from generate_series(1, 600);
       -- nobody heard for minutes: what lies so far back is let go by those that follow
       update live_frames set at = at - interval '2 minutes';
       select publish_frame('market', '{"at":3,"changed":[]}') from generate_series(1, 64)`,
    );
    await expect.poll(() => reader.messages().at(-1)?.event, { timeout: 5000 }).toBe('reset');
    const { rows } = await admin.query<{ id: string }>('select max(id) as id from live_frames');
    expect(reader.messages().at(-1)).toEqual({ id: rows[0]?.id, event: 'reset', data: '{}' });
    await expect.poll(() => gaps).toBeGreaterThan(0);
  });

  test('frames lost in a crash: every reader is notified to reload, even one that returns with an earlier id', async () => {
    const reader = await follow(here);
    await publish(s.product, 1);
    await expect.poll(() => told(reader)).toEqual([1]);
    const last = Number(reader.ids()[0]);
    // The table is unlogged: a crash empties it, and the ids continue.
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'meridian-listen';
       select publish_frame('market', '{"at":2,"changed":[]}') from generate_series(1, 3);
       truncate live_frames`,
    );
    await expect
      .poll(() => reader.messages().at(-1), { timeout: 5000 })
      .toMatchObject({ id: `${last + 3}`, event: 'reset' });
    await publish(s.product, 4);
    await expect.poll(() => told(reader).at(-1)).toBe(4);
    const back = await follow(here, { 'last-event-id': `${last + 1}` });
    await expect.poll(() => back.messages().at(-1)).toMatchObject({ id: `${last + 4}`, event: 'reset' });
  });
});

describe('GET /api/stream', () => {
  test.each([
    ['an unknown topic', '/api/stream?topics=market,secrets', 400, 'Unknown topic "secrets"'],
    ['an unknown topic among others', '/api/stream?topics=market&topics=secrets', 400, 'Unknown topic "secrets"'],
  ])('%s is rejected in one sentence', async (_what, path, status, error) => {
    const res = await s.get(path);
    expect(res.statusCode).toBe(status);
    expect(res.json()).toEqual({ error: expect.stringContaining(error), code: 'bad_request' });
  });

  test('a HEAD request gets a response, not a stream', async () => {
    const response = await fetch(`${here}/api/stream`, { method: 'HEAD' });
    expect(response.status).toBe(404);
    await expect.poll(() => s.product.market.ctx.live.hub.clients()).toBe(0);
  });

  test('a reader receives its requested topics, by default every public one', async () => {
    const all = await openReader(`${here}/api/stream`);
    const some = await openReader(`${here}/api/stream?topics=prices`);
    readers.push(all, some);
    await expect.poll(() => s.product.market.ctx.live.hub.clients()).toBe(2);
    await publish(s.product, 1);
    await admin.query(`select publish_frame('prices', '{"at":1,"sources":[],"ticks":[]}')`);
    await expect.poll(() => all.messages().map(({ event }) => event)).toEqual(['market', 'prices']);
    await expect.poll(() => some.messages().map(({ event }) => event)).toEqual(['prices']);
  });

  test('a payload that violates its contract is not published', async () => {
    const reader = await follow(here);
    const broken = s.product.market.ctx.live.publish(marketTopic, { at: 'soon', changed: [] } as never);
    await expect(broken).rejects.toThrow();
    await publish(s.product, 2);
    await expect.poll(() => told(reader)).toEqual([2]);
  });
});

test('after every connection was lost the stream resumes without a restart', async () => {
  const reader = await follow(here);
  await kill('meridian%');
  const tryPublish = () =>
    publish(s.product, 7).then(
      () => true,
      () => false,
    );
  await expect.poll(tryPublish, { timeout: 5000 }).toBe(true);
  await expect.poll(() => told(reader), { timeout: 5000 }).toContain(7);
  expect((await s.get('/api/health')).statusCode).toBe(200);
});
