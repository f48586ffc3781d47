import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Dashboard } from '#features/site/contract/dashboard.ts';
import { ask, person } from '#tests/support/people.ts';
import { type Started, start } from '#tests/support/start.ts';

let s: Started;
beforeAll(async () => {
  s = await start();
  await s.job('market.listing');
});
afterAll(() => s.stop());

const read = async (token?: string) => ask(s, 'GET', '/api/dashboard', undefined, token ? { token } : {});

describe('GET /api/dashboard with an account', () => {
  test.each([
    ['free', 'Free'],
    ['pro', 'Pro'],
    ['premium', 'Premium+'],
    ['admin', 'Admin'],
  ] as const)('200: on %s it differs from everyone in subscriptionStatus alone', async (plan, planName) => {
    const who = await person(s, plan, plan);
    const own = (await read(who.token)).json<Dashboard>();
    const open = (await read()).json<Dashboard>();
    expect(own.subscriptionStatus).toEqual({ plan, planName });
    expect(open.subscriptionStatus).toBeNull();
    expect({ ...own, subscriptionStatus: null }).toEqual(open);
  });

  test('200: it follows what everyone sees, also when nobody has asked for the plan in a while', async () => {
    const ann = await person(s, 'ann', 'pro');
    await read(ann.token);
    s.advance(5_000);
    await s.product.rebuild();
    expect((await read(ann.token)).json<Dashboard>().timestamp).toBe((await read()).json<Dashboard>().timestamp);
    s.advance(700_000);
    await s.product.rebuild();
    s.advance(5_000);
    await s.product.rebuild();
    expect((await read(ann.token)).json<Dashboard>().timestamp).toBe((await read()).json<Dashboard>().timestamp);
  });

  test('an earlier moment: Pro may look past 30 days, free may not', async () => {
    const [pro, free] = [await person(s, 'eva', 'pro'), await person(s, 'fred')];
    const asOf = new Date(s.clock.now().getTime() - 40 * 86_400_000).toISOString();
    const at = (token: string) => ask(s, 'GET', `/api/dashboard?asOf=${asOf}`, undefined, { token });
    expect((await at(pro.token)).json()).toEqual({ error: 'No data is stored for that moment', code: 'not_found' });
    expect((await at(free.token)).json().code).toBe('upgrade_required');
    const now = `/api/dashboard?asOf=${s.clock.now().toISOString()}`;
    const seen = await ask(s, 'GET', now, undefined, { token: pro.token });
    expect(seen.json<Dashboard>().subscriptionStatus).toEqual({ plan: 'pro', planName: 'Pro' });
    expect((await s.get(now)).json<Dashboard>().subscriptionStatus).toBeNull();
  });

  test('200: compressed, with its own ETag and 304', async () => {
    const ben = await person(s, 'ben', 'premium');
    const headers = { authorization: `Bearer ${ben.token}`, 'accept-encoding': 'br' };
    const first = await s.get('/api/dashboard', headers);
    expect(first.headers['content-encoding']).toBe('br');
    const again = await s.get('/api/dashboard', { ...headers, 'if-none-match': String(first.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const open = await s.get('/api/dashboard', { 'accept-encoding': 'br' });
    expect(open.headers.etag).not.toBe(first.headers.etag);
  });

  test('200: many who ask at once after a quiet time all get it', async () => {
    const cat = await person(s, 'cat', 'pro');
    s.advance(700_000);
    await s.product.rebuild();
    const all = await Promise.all(Array.from({ length: 20 }, () => read(cat.token)));
    expect(new Set(all.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
  });

  test('200: through a real connection, from memory', async () => {
    const dan = await person(s, 'dan', 'pro');
    const { port } = await s.product.listen();
    const get = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/api/dashboard`, {
        headers: { authorization: `Bearer ${dan.token}` },
      });
      return (await response.json()) as Dashboard;
    };
    expect((await get()).subscriptionStatus?.plan).toBe('pro');
    expect((await get()).subscriptionStatus?.plan).toBe('pro');
    await dan.post('/api/auth/logout');
    await expect.poll(async () => (await get()).subscriptionStatus, { timeout: 20_000 }).toBeNull();
  });
});
