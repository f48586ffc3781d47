import pg from 'pg';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { notifyAccountChange } from '#features/accounts/server/auth/service.ts';
import type { ApiKey } from '#features/api/contract/api-keys.ts';
import type { ApiScope } from '#shared/contract.ts';
import { call, KEYED_READ, makeKey } from '#tests/support/api-fixture.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { grantPlan, registerUser, type TestUser } from '#tests/support/people.ts';
import { newKey } from './key-callers.ts';

const VALUE = 'Bearer realm="Meridian API"';

const s = fileProduct({ env: { API_CALLS_PER_DAY_PRO: '20' } });
afterEach(() => {
  vi.restoreAllMocks();
});

let count = 0;
async function owner(plan: 'pro' | 'premium' | 'admin' = 'pro'): Promise<{ who: TestUser; key: ApiKey }> {
  count += 1;
  const who = await registerUser(s, `owner${count}`, plan);
  return { who, key: await makeKey(who) };
}

/** Database queries about keys, as text with their values. */
function watchQueries(): () => string[] {
  const seen: string[] = [];
  const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown };
  const { query } = prototype;
  vi.spyOn(prototype, 'query').mockImplementation(function spied(this: unknown, ...given) {
    const [asked, values] = given as [{ text?: string; values?: unknown[] } | string, unknown[] | undefined];
    const text = typeof asked === 'string' ? asked : (asked.text ?? '');
    const more = typeof asked === 'string' ? values : (asked.values ?? values);
    if (/api_(keys|days)/.test(text)) seen.push(`${text} ${JSON.stringify(more)}`);
    return query.apply(this, given);
  });
  return () => seen;
}

describe('a malformed key', () => {
  let key: ApiKey;
  beforeAll(async () => {
    ({ key } = await owner());
    await s.product.apiKeys.settle();
  });

  test('401 without one, stating what is needed', async () => {
    const answer = await s.get(KEYED_READ);
    expect([answer.statusCode, answer.json(), answer.headers['www-authenticate']]).toEqual([
      401,
      { error: 'API key required in the X-API-Key or Authorization header', code: 'unauthenticated' },
      VALUE,
    ]);
  });

  test.each<[string, (key: string) => string]>([
    ['one character is another', (key) => key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21)],
    ['two neighbours have changed places', (key) => key.replace(/(?<=^mk_live_.{2,})(.)(?!\1)(.)(?=.{6,}$)/, '$2$1')],
    ['its checksum is another', (key) => key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')],
    ['too short', (key) => key.slice(0, -1)],
    ['too long', (key) => `${key}0`],
    ['outside the alphabet', (key) => `${key.slice(0, 15)}-${key.slice(16)}`],
    ['a prefix alone', () => 'mk_live_'],
    ['empty', () => ''],
    ['of a hostile length', (key) => key.repeat(100)],
    ['a token of a session', () => 's_abc'],
    ['beside another', (key) => `${key}, ${key}`],
  ])('401 without a database query: %s', async (_, change) => {
    const seen = watchQueries();
    const answer = await call(s, change(key.api_key));
    expect([answer.statusCode, answer.json(), answer.headers['www-authenticate']]).toEqual([
      401,
      { error: 'Invalid API key', code: 'unauthenticated' },
      `${VALUE}, error="invalid_token"`,
    ]);
    expect(seen()).toEqual([]);
  });
});

describe('an unknown or expired key', () => {
  test('gets the same message, headers and database queries, which use only its hash', async () => {
    const { who, key } = await owner();
    await who.remove(`/api/keys/${key.id}`);
    await s.product.apiKeys.settle();
    const unknown = newKey();
    const looks: unknown[] = [];
    for (const each of [unknown, key.api_key]) {
      const seen = watchQueries();
      const answer = await call(s, each);
      const { date: _, 'x-request-id': __, ...headers } = answer.headers;
      const questions = seen().map((text) => text.replaceAll(/\d{1,3}|\[.*\]/g, ''));
      expect(seen().join()).not.toContain(each.slice(8));
      looks.push([answer.statusCode, answer.body, headers, questions]);
      expect(questions).toHaveLength(1);
      vi.restoreAllMocks();
    }
    expect(looks[0]).toEqual(looks[1]);
  });

  test('is queried once; made-up keys do not fill the memory, and one query runs at a time', async () => {
    const unknown = newKey();
    await call(s, unknown);
    const seen = watchQueries();
    await call(s, unknown);
    expect(seen()).toEqual([]);
    const made = Array.from({ length: 3000 }, newKey);
    const answers = await Promise.all(made.map((key) => call(s, key)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([401]));
    // 200 per query: 15, plus those that arrived alone.
    expect(seen().length).toBeLessThanOrEqual(40);
    const again = seen().length;
    await call(s, made[0] as string);
    expect(seen()).toHaveLength(again + 1);
  });
});

describe('key permissions', () => {
  test('200 in X-API-Key and in Authorization, with and without Bearer', async () => {
    const { key } = await owner();
    for (const headers of [
      { 'x-api-key': key.api_key },
      { authorization: `Bearer ${key.api_key}` },
      { authorization: `bearer ${key.api_key}` },
      { authorization: key.api_key },
    ])
      expect((await s.get(KEYED_READ, headers)).statusCode).toBe(200);
    expect((await s.get('/api/keys', { authorization: `Bearer ${key.api_key}` })).statusCode).toBe(401);
  });

  test('403 without the scope, at no cost', async () => {
    const { who } = await owner();
    const scopes: ApiScope[] = ['alerts'];
    const key = await makeKey(who, { scopes });
    const answer = await call(s, key.api_key);
    expect([answer.statusCode, answer.json()]).toEqual([
      403,
      { error: 'This API key lacks the required scope: market', code: 'forbidden' },
    ]);
    expect((await who.get('/api/keys/usage')).json()).toMatchObject({ used: 0 });
  });

  test('a plan change applies immediately, in every process', async () => {
    const { who, key } = await owner('admin');
    const other = await s.another();
    const both = () =>
      Promise.all([s.product, other].map(async (product) => (await call({ product }, key.api_key)).statusCode));
    expect(await both()).toEqual([200, 200]);
    const { db } = s.product.auth.ctx;
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('users').set({ role: 'user' }).where('id', '=', who.id).execute();
      await notifyAccountChange(tx, { user: who.id, ended: 'all' });
    });
    await expect.poll(both).toEqual([403, 403]);
    expect((await call(s, key.api_key)).json()).toEqual({ error: 'API access requires Pro', code: 'upgrade_required' });
    await grantPlan(s, who.id, 'pro');
    await expect.poll(both).toEqual([200, 200]);
  });

  test('a deactivated key is rejected in the other processes too, and nothing is cached longer than 60 seconds', async () => {
    const { who, key } = await owner();
    const other = await s.another();
    const there = async (each: ApiKey) => (await call({ product: other }, each.api_key)).statusCode;
    expect(await there(key)).toBe(200);
    await who.remove(`/api/keys/${key.id}`);
    await expect.poll(() => there(key)).toBe(401);

    const second = await makeKey(who);
    expect(await there(second)).toBe(200);
    // Without a notification.
    await s.product.auth.ctx.db
      .updateTable('api_keys')
      .set({ ended_at: s.clock.now().toISOString() })
      .where('id', '=', second.id)
      .execute();
    expect(await there(second)).toBe(200);
    s.advance(60_000);
    expect(await there(second)).toBe(401);
  });
});

describe('limits', () => {
  const rateOf = ({ headers }: Awaited<ReturnType<typeof call>>) => [headers['ratelimit-policy'], headers['ratelimit']];

  test('both headers on every response, as the draft specifies', async () => {
    const { key } = await owner();
    s.clock.set(new Date('2026-11-22T09:10:14Z'));
    expect(rateOf(await call(s, key.api_key))).toEqual([
      '"daily";q=20;w=86400, "burst";q=10;w=1',
      '"daily";r=19;t=53386, "burst";r=9;t=1',
    ]);
    expect(rateOf(await call(s, key.api_key))[1]).toBe('"daily";r=18;t=53386, "burst";r=8;t=1');
    s.advance(500);
    expect(rateOf(await call(s, key.api_key))[1]).toBe('"daily";r=17;t=53386, "burst";r=9;t=1');
  });

  test('an administrator has no daily limit', async () => {
    const { key } = await owner('admin');
    for (let i = 0; i < 25; i++) {
      expect((await call(s, key.api_key)).statusCode).toBe(200);
      s.advance(100);
    }
    expect(rateOf(await call(s, key.api_key))).toEqual(['"burst";q=10;w=1', '"burst";r=9;t=1']);
  });

  test('429 above the burst: it costs nothing, and a tenth of a second later one more call passes', async () => {
    const { who, key } = await owner();
    const answers = await Promise.all(Array.from({ length: 12 }, () => call(s, key.api_key)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      ...Array(10).fill(200),
      429,
      429,
    ]);
    const refused = answers.find(({ statusCode }) => statusCode === 429);
    expect([refused?.json(), refused?.headers['retry-after']]).toEqual([
      { error: 'Rate limit exceeded: at most 10 API calls per second per account', code: 'rate_limited' },
      '1',
    ]);
    expect(refused && rateOf(refused)[1]).toMatch(/"burst";r=0;t=1$/);
    s.advance(100);
    expect((await call(s, key.api_key)).statusCode).toBe(200);
    expect((await call(s, key.api_key)).statusCode).toBe(429);
    const usage = (await who.get('/api/keys/usage')).json<{ used: number; days: { refused: number }[] }>();
    expect([usage.used, usage.days.at(-1)?.refused]).toEqual([11, 3]);
  });

  test('429 when the daily quota is used up, until midnight UTC, for all keys of the account; rejections are counted', async () => {
    const { who, key } = await owner();
    const second = await makeKey(who);
    s.clock.set(new Date('2026-11-25T23:59:50Z'));
    for (let i = 0; i < 20; i++) {
      expect((await call(s, (i % 2 ? key : second).api_key)).statusCode).toBe(200);
      s.advance(100);
    }
    const refused = await call(s, key.api_key);
    expect([refused.statusCode, refused.json(), refused.headers['retry-after']]).toEqual([
      429,
      { error: 'Daily API quota exceeded. Resets at 00:00 UTC.', code: 'rate_limited' },
      '8',
    ]);
    expect(rateOf(refused)[1]).toMatch(/^"daily";r=0;t=8, "burst"/);
    expect((await call(s, second.api_key)).statusCode).toBe(429);
    const { used, days } = (await who.get('/api/keys/usage')).json<{ used: number; days: { refused: number }[] }>();
    expect([used, days.at(-1)?.refused]).toEqual([20, 2]);
    s.clock.set(new Date('2026-11-26T00:00:00Z'));
    expect(rateOf(await call(s, key.api_key))[1]).toMatch(/^"daily";r=19;t=86400/);
  });

  test('a call that fails on our side costs nothing, before and after it was written', async () => {
    const { who, key } = await owner();
    const { gate, settle } = s.product.apiKeys;
    const headers = { 'x-api-key': key.api_key };
    for (const isWritten of [false, true]) {
      const { giveBack } = await gate.admit(headers, 'market');
      if (isWritten) await settle();
      giveBack();
      giveBack();
      await settle();
      expect((await who.get('/api/keys/usage')).json()).toMatchObject({ used: 0 });
      expect((await who.get('/api/keys')).json<ApiKey[]>()).toMatchObject([{ usage_count: 0 }]);
    }
    for (let i = 0; i < 20; i++) {
      s.advance(100);
      expect((await call(s, key.api_key)).statusCode).toBe(200);
    }
    expect((await call(s, key.api_key)).statusCode).toBe(429);
  });

  test('runs synchronously when key and units are in memory: no promise, no query', async () => {
    const { key } = await owner('premium');
    const headers = { 'x-api-key': key.api_key };
    expect(s.product.apiKeys.gate.admitNow(headers, 'market')).toBeNull();
    await call(s, key.api_key);
    const seen = watchQueries();
    const admission = s.product.apiKeys.gate.admit(headers, 'market');
    expect(admission).not.toBeInstanceOf(Promise);
    expect(s.product.apiKeys.gate.admitNow(headers, 'market')?.caller).toMatchObject({
      keyId: key.id,
      plan: 'premium',
    });
    expect(s.product.apiKeys.gate.admitNow(headers, 'alerts:write')).toBeNull();
    expect(seen()).toEqual([]);
  });
});
