import type { CallToolResult } from '@modelcontextprotocol/client';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';

import { makeKey } from '#tests/support/api-fixture.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { connectMcpClient, insertKey } from '#tests/support/mcp.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';

const s = fileProduct({ env: { API_BURST_PER_SECOND: '0', API_CALLS_PER_DAY_PRO: '5' } }, 'market.listing');
const ann = member(s, 'ann', 'premium');
let url: string;
let key: string;
beforeAll(async () => {
  url = `http://127.0.0.1:${(await s.product.listen()).port}`;
  key = (await makeKey(ann)).api_key;
});

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const callOf = (name: string, given: unknown = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given },
});

/** A bare message, as a client of an older revision sends it. */
async function send(message: unknown, headers: Record<string, string | null> = {}) {
  const given = {
    'x-api-key': key,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  };
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: Object.entries(given).flatMap<[string, string]>(([name, value]) =>
      value === null ? [] : [[name, value]],
    ),
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

const resultOf = (body: string): CallToolResult =>
  (JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1)) as { result: CallToolResult }).result;
const textOf = ({ content }: CallToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
const usedBy = async (who: TestUser) => (await who.get('/api/keys/usage')).json<{ used: number }>().used;

describe('access', () => {
  test.each([
    ['no key', null],
    ['a key that is none', 'mk_live_nothing'],
    ['a key of nobody', 'mk_live_0123456789012345678901234567890100000'],
  ])('401: %s', async (_, given) => {
    const res = await send(LIST, { 'x-api-key': given });
    expect([res.status, JSON.parse(res.body)]).toEqual([
      401,
      { error: expect.stringContaining('API key'), code: 'unauthenticated' },
    ]);
    expect(res.headers.get('www-authenticate')).toMatch(/^Bearer realm="Meridian API"/);
  });

  test('401: a session grants no access', async () => {
    const res = await send(LIST, { 'x-api-key': null, authorization: `Bearer ${ann.token}` });
    expect(res.status).toBe(401);
  });

  test('200: the key can be sent in Authorization', async () => {
    expect((await send(LIST, { 'x-api-key': null, authorization: `Bearer ${key}` })).status).toBe(200);
  });

  test('403: a key of a free account', async () => {
    const api_key = await insertKey(s, (await registerUser(s, 'bob')).id);
    const res = await send(LIST, { 'x-api-key': api_key });
    expect([res.status, JSON.parse(res.body).code]).toEqual([403, 'upgrade_required']);
  });

  test.each(['https://evil.example', 'http://evil.example:3000', 'null', 'not an origin'])(
    '403: a page from another origin, %s, whatever name resolves here',
    async (origin) => {
      const res = await send(LIST, { origin });
      expect([res.status, JSON.parse(res.body).error]).toEqual([403, 'Requests from other origins are not allowed']);
    },
  );

  test('200: a page of this site', async () => {
    expect((await send(LIST, { origin: url })).status).toBe(200);
  });

  test.each(['GET', 'DELETE'])('405: %s, as there are no sessions', async (method) => {
    const res = await fetch(`${url}/mcp`, { method, headers: { 'x-api-key': key, accept: 'text/event-stream' } });
    expect([res.status, res.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('invalid messages', () => {
  test.each([
    ['a batch', JSON.stringify([LIST, LIST]), 400, -32_600],
    ['no JSON', '{', 400, -32_700],
    ['nothing', '', 400, -32_700],
    ['a text', '"tools/list"', 400, -32_700],
    ['nothing that is known', JSON.stringify({ ...LIST, method: 'no/such' }), 200, -32_601],
    ['a subscription', JSON.stringify({ ...LIST, method: 'subscriptions/listen' }), 404, -32_601],
    ['another version of the envelope', JSON.stringify({ ...LIST, jsonrpc: '1.0' }), 400, -32_600],
    ['a tool that is none', JSON.stringify(callOf('drop_tables')), 200, -32_602],
    ['the name of a prototype', JSON.stringify(callOf('__proto__')), 200, -32_602],
    ['a name as long as a book', JSON.stringify(callOf('x'.repeat(50_000))), 200, -32_602],
  ])('%s is rejected with the protocol’s error', async (_, message, status, code) => {
    const res = await send(message);
    expect([res.status, res.body]).toEqual([status, expect.stringContaining(`"code":${code}`)]);
    expect(res.body).not.toMatch(/\.ts:\d|node_modules|at \w+ \(/);
  });

  test('413: a message larger than 64 kB', async () => {
    const res = await send(callOf('get_coin', { id: 'x'.repeat(70_000) }));
    expect([res.status, JSON.parse(res.body).code]).toEqual([413, 'payload_too_large']);
  });

  test('415: another type', async () => {
    expect((await send(JSON.stringify(LIST), { 'content-type': 'text/plain' })).status).toBe(415);
  });
});

describe('rejected tool calls', () => {
  test.each([
    ['get_coin', {}, /id/],
    ['get_coin', { id: '../../etc/passwd' }, /Unknown coin/],
    ['get_coin', { id: 'no-such-coin' }, /Unknown coin/],
    ['get_coin', { id: 'bitcoin', fields: 'coin' }, /Unknown argument .+fields.+\. Accepted: id/],
    ['get_crypto_prices', { limit: 0 }, /limit: must be a whole number from 1 to 500/],
    ['get_crypto_prices', { limit: 'many' }, /limit: must be a whole number/],
    ['get_crypto_prices', { cursor: 'zzz' }, /cursor/],
    ['get_crypto_prices', { ['__proto__x']: 1 }, /Unknown argument/],
    ['get_history', { type: 'PASSWORDS' }, /Unknown history type/],
    ['get_candles', { symbol: "BTC'; drop table users;--" }, /./],
    ['get_candles', { symbol: 'BTC\0' }, /character that cannot be stored/],
    ['preview_alert_rule', { name: 'x' }, /choose a metric/i],
    ['get_market_data', [1, 2], /./],
  ])('%s with %o: a clear message, without code details', async (name, given, words) => {
    const { body } = await send(callOf(name, given));
    expect(body).toMatch(words);
    expect(body).toMatch(/"isError":true|"code":-32602/);
    expect(body).not.toMatch(/\.ts:\d|node_modules|ZodError/);
  });

  test('deep nesting is rejected', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const { status, body } = await send(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_coin","arguments":{"id":${deep}}}}`,
    );
    expect(status).toBeLessThan(500);
    expect(body).toMatch(/isError|error/);
  });

  test('without the scope a tool is not listed, and a call of it is rejected with a message', async () => {
    const { api_key } = await makeKey(ann, { scopes: ['calendar'] });
    const client = await connectMcpClient(url, api_key);
    const { tools } = await client.listTools();
    const answer = await client.callTool({ name: 'create_alert_rule', arguments: {} });
    const prices = await client.callTool({ name: 'get_crypto_prices' });
    await client.close();
    expect(tools.map(({ name }) => name).every((name) => /inflation|events/.test(name))).toBe(true);
    expect(answer.isError).toBe(true);
    expect(textOf(prices)).toBe('This API key lacks the required scope: market');
  });

  test('a Premium+ tool is not listed for Pro, and is rejected with a message', async () => {
    const { api_key } = await makeKey(await registerUser(s, 'cat', 'pro'));
    const client = await connectMcpClient(url, api_key);
    const { tools } = await client.listTools();
    const answer = await client.callTool({ name: 'get_risk' });
    await client.close();
    expect(tools.map(({ name }) => name)).not.toContain('get_risk');
    expect([answer.isError, textOf(answer)]).toEqual([true, 'Upgrade required']);
  });
});

describe('the quota', () => {
  test('a tool call counts as one; handshake, lists, resources and invalid input are free', async () => {
    const dan = await registerUser(s, 'dan', 'pro');
    const client = await connectMcpClient(url, (await makeKey(dan)).api_key, 'legacy');
    await client.listTools();
    await client.listResources();
    await client.callTool({ name: 'get_coin', arguments: { id: 5, x: 1 } });
    expect(await usedBy(dan)).toBe(0);
    await client.callTool({ name: 'get_coin', arguments: { id: 'bitcoin' } });
    await client.callTool({ name: 'get_crypto_prices' });
    await expect.poll(() => usedBy(dan)).toBe(2);
    for (const _ of [1, 2, 3]) await client.callTool({ name: 'get_account' });
    const over = await client.callTool({ name: 'get_account' });
    await client.listTools();
    await client.close();
    expect(over.isError).toBe(true);
    expect(textOf(over)).toMatch(/^Daily API quota exceeded\. Resets at 00:00 UTC\. Try again in \d+ s\.$/);
    await expect.poll(() => usedBy(dan)).toBe(5);
  });

  test('the remaining quota is in the headers', async () => {
    const res = await send(callOf('get_account'));
    expect(res.headers.get('ratelimit')).toMatch(/^"daily";r=\d+;t=\d+/);
    expect(res.headers.get('mcp-session-id')).toBeNull();
  });

  test('a failure on our side is free and reported without its cause', async () => {
    const eve = await registerUser(s, 'eve', 'pro');
    const { api_key } = await makeKey(eve);
    await sql`alter table alerts rename to alerts_away`.execute(s.product.market.ctx.db);
    const { body } = await send(callOf('list_alerts'), { 'x-api-key': api_key });
    await sql`alter table alerts_away rename to alerts`.execute(s.product.market.ctx.db);
    expect(textOf(resultOf(body))).toMatch(/^Something went wrong on our side \([\w-]+\)$/);
    expect(await usedBy(eve)).toBe(0);
  });
});

describe('revisions without structured content', () => {
  test('get the result as JSON next to the text', async () => {
    const old = resultOf((await send(callOf('get_account'), { 'mcp-protocol-version': '2025-03-26' })).body);
    const newer = resultOf((await send(callOf('get_account'), { 'mcp-protocol-version': '2025-06-18' })).body);
    expect(old.content).toHaveLength(2);
    expect(JSON.parse((old.content[1] as { text: string }).text)).toEqual(newer.structuredContent);
    expect(newer.content).toHaveLength(1);
  });
});
