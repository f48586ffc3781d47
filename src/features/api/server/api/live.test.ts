import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#kernel/db.ts';
import { openReader } from '#kernel/live/fixtures/reader.ts';
import { makeKey } from '#tests/support/api-fixture.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';

const s = fileProduct({ env: { COIN_LIMIT: '40', API_BURST_PER_SECOND: '0' } }, 'market.listing');
const who = member(s, 'ann', 'pro');
let origin: string;
let key: string;
beforeAll(async () => {
  key = (await makeKey(who)).api_key;
  origin = `http://127.0.0.1:${(await s.product.listen()).port}`;
});

const read = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${origin}/api/v1/${path}`, { headers: { 'x-api-key': key, ...headers } });
const used = async () => (await who.get('/api/keys/usage')).json<{ used: number }>().used;
const left = (response: Response) => Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]);

test('a plain read uses a prepared buffer, counts each time and reports the remaining quota', async () => {
  const first = await read('crypto-prices');
  const answer = await first.text();
  const second = await read('crypto-prices');
  // A response from the router has its own id.
  expect([first.headers.get('x-request-id'), second.headers.get('x-request-id')]).toEqual([null, null]);
  expect(await second.text()).toBe(answer);
  expect(left(first) - left(second)).toBe(1);
  expect(second.headers.get('ratelimit-policy')).toContain('q=1000;w=86400');
  const known = await read('crypto-prices', { 'if-none-match': first.headers.get('etag') ?? '' });
  expect([known.status, left(second) - left(known)]).toEqual([304, 1]);
  const routed = await read('crypto-prices?limit=500');
  expect(await routed.text()).toBe(answer);
  expect(routed.headers.get('etag')).toBe(first.headers.get('etag'));
});

test('is refreshed with the screen', async () => {
  const marketData = async () => (await (await read('market-data')).json()) as { timestamp: string; totals: unknown };
  const before = await marketData();
  s.advance(300_000);
  await s.job('market.listing');
  const [after, shown] = [await marketData(), (await s.get('/api/dashboard')).json()];
  expect(after.timestamp).not.toBe(before.timestamp);
  expect([after.timestamp, after.totals]).toEqual([shown.timestamp, shown.totals]);
});

test('a call that fails on our side is refunded', async () => {
  const { db, close } = openDatabase(s.connection, () => undefined, 1);
  const before = await used();
  await sql`alter table alerts rename to alerts_away`.execute(db);
  expect((await read('alerts')).status).toBe(500);
  await sql`alter table alerts_away rename to alerts`.execute(db);
  await close();
  expect(await used()).toBe(before);
  expect((await read('alerts')).status).toBe(200);
  expect(await used()).toBe(before + 1);
});

test('the stream sends changes, costs one call, and ends with its key', async () => {
  const made = await makeKey(who, { name: 'Stream' });
  const before = await used();
  const reader = await openReader(`${origin}/api/v1/stream?topics=market`, { 'x-api-key': made.api_key });
  expect(reader.response.statusCode).toBe(200);
  expect(reader.response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'access-control-allow-origin': '*',
    'ratelimit-policy': expect.stringContaining('q=1000'),
  });
  s.advance(300_000);
  await s.job('market.listing');
  await expect.poll(() => reader.messages().map(({ event }) => event)).toContain('market');
  expect(await used()).toBe(before + 1);
  expect((await who.remove(`/api/keys/${made.id}`)).statusCode).toBe(200);
  await expect.poll(() => reader.ended()).toBe(true);
});

test('a topic requires its scope, and an unknown one is rejected', async () => {
  const { api_key: narrow } = await makeKey(who, { name: 'Narrow', scopes: ['market'] });
  const refused = async (topics: string) => {
    const answer = await read(`stream?topics=${topics}`, { 'x-api-key': narrow });
    expect(answer.ok).toBe(false);
    return [answer.status, ((await answer.json()) as { code: string }).code];
  };
  expect(await refused('alerts')).toEqual([403, 'forbidden']);
  expect(await refused('nothing')).toEqual([400, 'bad_request']);
});

test('the OpenAPI document is public and states where it is served', async () => {
  const answer = await fetch(`${origin}/api/openapi.json`);
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  const { openapi, servers } = (await answer.json()) as { openapi: string; servers: { url: string }[] };
  expect([openapi, servers[0]?.url]).toEqual(['3.1.0', expect.stringMatching(/^https?:/)]);
  const again = await fetch(`${origin}/api/openapi.json`, {
    headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
  });
  expect(again.status).toBe(304);
});
