import { describe, expect, test } from 'vitest';
import { type ApiKey, type ApiUsage, MAX_KEYS } from '#features/api/contract/api-keys.ts';
import { openDatabase } from '#kernel/db.ts';
import { API_SCOPES } from '#shared/contract.ts';
import { call, makeKey } from '#tests/support/api-fixture.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { emailsTo } from '#tests/support/mailbox.ts';
import { PASSWORD, registerUser, sendRequest, type TestUser } from '#tests/support/people.ts';

const HOUR_MS = 3_600_000;
const GONE = { error: 'API key not found', code: 'not_found' };

const s = fileProduct();

const list = async (who: TestUser) => (await who.get('/api/keys')).json<ApiKey[]>();
const statusOf = async (key: string) => (await call(s, key)).statusCode;
const renew = async (who: TestUser, { id }: ApiKey, overlapHours?: number) =>
  (await who.put(`/api/keys/${id}/regenerate`, overlapHours === undefined ? {} : { overlapHours })).json<ApiKey>();

async function inDatabase<T>(look: (db: ReturnType<typeof openDatabase>['db']) => Promise<T>): Promise<T> {
  const { db, close } = openDatabase(s.connection, () => undefined, 1);
  try {
    return await look(db);
  } finally {
    await close();
  }
}

test('a key requires a fresh proof to create or regenerate, and triggers an email', async () => {
  const zoe = await registerUser(s, 'zoe', 'pro');
  const { api_key: _, ...made } = await makeKey(zoe);
  const mail = (await emailsTo(s, zoe.email)).at(-1);
  expect([mail?.kind, mail?.subject]).toEqual(['access-added', 'A new API key was created']);
  expect(mail?.text).toContain('This was not me');
  await renew(zoe, made as ApiKey);
  expect((await emailsTo(s, zoe.email)).at(-1)?.subject).toBe('An API key was regenerated');
  s.advance(15 * 60_000);
  for (const answer of [
    await zoe.post('/api/keys', { name: 'Late' }),
    await zoe.put(`/api/keys/${made.id}/regenerate`, {}),
  ])
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'reauthentication_required']);
  expect(await list(zoe)).toHaveLength(1);
});

test('401 for visitors, 403 for free, with messages; each call: security/access.test.ts', async () => {
  const nobody = await s.get('/api/keys');
  const free = await (await registerUser(s, 'free')).get('/api/keys');
  expect([nobody, free].map((answer) => [answer.statusCode, answer.json()])).toEqual([
    [401, { error: 'Authentication required', code: 'unauthenticated' }],
    [403, { error: 'API keys require Pro', code: 'upgrade_required' }],
  ]);
});

describe('POST and GET /api/keys', () => {
  test('200: the key is returned once, the list has its hint, and only its hash is stored', async () => {
    const who = await registerUser(s, 'bea', 'pro');
    const key = await makeKey(who, { name: '  Trading desk ' });
    expect(key.api_key).toMatch(/^mk_live_[0-9A-Za-z]{38}$/);
    expect(key).toEqual({
      id: key.id,
      name: 'Trading desk',
      api_key: key.api_key,
      scopes: ['market', 'analysis', 'calendar', 'alerts'],
      created_at: s.clock.now().toISOString(),
      last_used: null,
      usage_count: 0,
      old_key_until: null,
    });
    const answer = await who.get('/api/keys');
    const hint = `${key.api_key.slice(0, 12)}…${key.api_key.slice(-4)}`;
    expect(answer.json()).toEqual([{ ...key, api_key: hint }]);
    const stored = await inDatabase(async (db) => {
      const rows = await db.selectFrom('api_keys').selectAll().where('id', '=', key.id).execute();
      const acts = await db.selectFrom('audit_log').selectAll().where('subject_id', '=', who.id).execute();
      expect(acts.at(-1)).toMatchObject({ action: 'api-key.add', details: { key: key.id }, actor_id: who.id });
      return JSON.stringify([rows, acts]);
    });
    expect(stored).not.toContain(key.api_key.slice(12, -4));
    expect(answer.body).not.toContain(key.api_key.slice(12, -4));
  });

  test('newest first, with the chosen scopes in the order they are offered', async () => {
    const who = await registerUser(s, 'cat', 'premium');
    await makeKey(who, { name: 'First' });
    await makeKey(who, { name: 'Second', scopes: ['alerts:write', 'market', 'market'] });
    const keys = await list(who);
    expect(keys.map(({ name, scopes }) => [name, scopes])).toEqual([
      ['Second', ['market', 'alerts:write']],
      ['First', API_SCOPES.filter((scope) => !scope.endsWith(':write'))],
    ]);
  });

  test.each([
    [{}, 'Name is required'],
    [{ name: '  ' }, 'Name is required'],
    [{ name: 'x'.repeat(61) }, 'Names can have at most 60 characters'],
    [{ name: 'a\nb' }, 'Names must be a single line'],
    [{ name: 'Desk', scopes: [] }, 'Choose at least one scope'],
    [{ name: 'Desk', scopes: ['all'] }, /scopes\.0/],
  ])('400: %j', async (body, message) => {
    const who = await registerUser(s, `odd-${JSON.stringify(body).replaceAll(/\W/g, '').slice(0, 20)}`, 'pro');
    const answer = await who.post('/api/keys', body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ error: string }>().error).toEqual(
      message instanceof RegExp ? expect.stringMatching(message) : message,
    );
  });

  test('409: an account has at most 10 active keys, also when created concurrently', async () => {
    const who = await registerUser(s, 'dan', 'pro');
    const answers = await Promise.all(
      Array.from({ length: MAX_KEYS + 5 }, (_, i) => who.post('/api/keys', { name: `${i}` })),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(MAX_KEYS);
    const refused = answers.find(({ statusCode }) => statusCode !== 200);
    expect([refused?.statusCode, refused?.json()]).toEqual([
      409,
      { error: 'Limit of 10 API keys per account reached. Deactivate one to create another.', code: 'conflict' },
    ]);
    const [one] = await list(who);
    await who.remove(`/api/keys/${one?.id}`);
    expect((await who.post('/api/keys', { name: 'again' })).statusCode).toBe(200);
  });
});

describe('PUT /api/keys/:id/regenerate', () => {
  test('200: without an overlap the old key ends immediately; row, name, scopes and usage remain', async () => {
    const who = await registerUser(s, 'gus', 'pro');
    const before = await makeKey(who, { name: 'Desk', scopes: ['market'] });
    expect(await statusOf(before.api_key)).toBe(200);
    const after = await renew(who, before);
    expect(after).toEqual({
      ...before,
      api_key: after.api_key,
      usage_count: 1,
      last_used: s.clock.now().toISOString(),
    });
    expect(await statusOf(before.api_key)).toBe(401);
    expect(await statusOf(after.api_key)).toBe(200);
    expect(await list(who)).toMatchObject([{ id: before.id, usage_count: 2 }]);
    const acts = await inDatabase((db) =>
      db.selectFrom('audit_log').select('action').where('subject_id', '=', who.id).orderBy('id').execute(),
    );
    expect(acts.map(({ action }) => action).filter((action) => action.startsWith('api-key'))).toEqual([
      'api-key.add',
      'api-key.renew',
    ]);
  });

  test.each([1, 24, 168])('200: with an overlap both work for exactly %i hours', async (hours) => {
    const who = await registerUser(s, `lap-${hours}`, 'pro');
    const before = await makeKey(who);
    await statusOf(before.api_key);
    const after = await renew(who, before, hours);
    const end = s.clock.now().getTime() + hours * HOUR_MS;
    expect(after.old_key_until).toBe(new Date(end).toISOString());
    for (const [at, status] of [
      [end - 1, 200],
      [end, 401],
    ] as const) {
      s.clock.set(new Date(at));
      expect(await statusOf(before.api_key)).toBe(status);
      expect(await statusOf(after.api_key)).toBe(200);
    }
    expect(await list(who)).toMatchObject([{ old_key_until: null }]);
  });

  test('a second one during an overlap ends the oldest', async () => {
    const who = await registerUser(s, 'hal', 'pro');
    const first = await makeKey(who);
    const second = await renew(who, first, 24);
    expect([await statusOf(first.api_key), await statusOf(second.api_key)]).toEqual([200, 200]);
    const third = await renew(who, first, 1);
    const statuses = await Promise.all([first, second, third].map(({ api_key }) => statusOf(api_key)));
    expect(statuses).toEqual([401, 200, 200]);
    const fourth = await renew(who, first, 0);
    const last = await Promise.all([second, third, fourth].map(({ api_key }) => statusOf(api_key)));
    expect(last).toEqual([401, 401, 200]);
  });

  test.each([2, -1, '24', null])('400: an overlap of %j', async (overlapHours) => {
    const who = await registerUser(s, `bad-${String(overlapHours).replace('-', 'm')}`, 'pro');
    const key = await makeKey(who);
    const answer = await who.put(`/api/keys/${key.id}/regenerate`, { overlapHours });
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { error: 'The overlap must be 0, 1, 24 or 168 hours', code: 'bad_request' },
    ]);
  });
});

describe('DELETE /api/keys/:id', () => {
  test('200: the key and its predecessor end immediately, and it is no longer listed; a repeat returns 404', async () => {
    const who = await registerUser(s, 'ivy', 'pro');
    const first = await makeKey(who);
    const second = await renew(who, first, 24);
    expect([await statusOf(first.api_key), await statusOf(second.api_key)]).toEqual([200, 200]);
    const answer = await who.remove(`/api/keys/${first.id}`);
    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true }]);
    expect([await statusOf(first.api_key), await statusOf(second.api_key)]).toEqual([401, 401]);
    expect(await list(who)).toEqual([]);
    expect((await who.remove(`/api/keys/${first.id}`)).json()).toEqual(GONE);
    expect((await who.put(`/api/keys/${first.id}/regenerate`, {})).json()).toEqual(GONE);
  });
});

describe('GET /api/keys/usage', () => {
  test('200: the last 30 UTC days of all keys combined, with the limits of the plan', async () => {
    const who = await registerUser(s, 'joe', 'pro');
    const [one, two] = [await makeKey(who), await makeKey(who)];
    await statusOf(one.api_key);
    s.advance(24 * HOUR_MS);
    await statusOf(one.api_key);
    await statusOf(two.api_key);
    const usage = (await who.get('/api/keys/usage')).json<ApiUsage>();
    const today = s.clock.now().toISOString().slice(0, 10);
    expect(usage).toMatchObject({ limit: 1000, burst: 10, used: 2 });
    expect(usage.resetsAt).toBe(new Date(Date.parse(today) + 24 * HOUR_MS).toISOString());
    expect(usage.days).toHaveLength(30);
    expect(usage.days.slice(-3).map(({ calls }) => calls)).toEqual([0, 1, 2]);
    expect(usage.days.at(-1)).toEqual({ day: today, calls: 2, refused: 0 });
    expect(await list(who)).toMatchObject([{ usage_count: 1 }, { usage_count: 2 }]);
  });

  test.each([
    ['pro', 1000],
    ['premium', 10_000],
    ['admin', null],
  ] as const)('200: plan %s has %j calls per day', async (plan, limit) => {
    const who = await registerUser(s, `use-${plan}`, plan);
    expect((await who.get('/api/keys/usage')).json()).toMatchObject({ limit, burst: 10, used: 0 });
    if (plan === 'admin') return;
    // The documented value.
    expect((await s.get('/api/subscription/pricing')).json().limits[plan].apiCallsPerDay).toBe(limit);
  });
});

test('deleting an account deletes its keys, and the settings file contains none', async () => {
  const who = await registerUser(s, 'kim', 'pro');
  const key = await makeKey(who);
  expect(await statusOf(key.api_key)).toBe(200);
  const file = await who.get('/api/settings/export');
  expect(file.statusCode).toBe(200);
  expect(file.body).not.toContain('mk_live_');
  const deleted = await sendRequest(
    s,
    'DELETE',
    '/api/auth/delete-account',
    { password: PASSWORD },
    { token: who.token },
  );
  expect(deleted.statusCode).toBe(200);
  await expect.poll(() => statusOf(key.api_key)).toBe(401);
  const left = await inDatabase((db) => db.selectFrom('api_keys').select('id').where('user_id', '=', who.id).execute());
  expect(left).toEqual([]);
  await s.product.apiKeys.settle();
});
