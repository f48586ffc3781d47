import { describe, expect, test } from 'vitest';

import { openDatabase } from '#kernel/db.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { emailsTo, newestLink } from '#tests/support/mailbox.ts';
import { PASSWORD, registerUser, sendRequest } from '#tests/support/people.ts';
import { sortedStatuses } from '#tests/support/rows.ts';

const NEXT = 'Other-Rivers-30!';
const MESSAGE = 'If an account with that email exists, a password reset link has been sent.';
const UNUSABLE = 'This password reset link is invalid or has expired. Please request a new one.';
const AGAIN = {
  error: 'Please confirm it’s you to continue.',
  code: 'reauthentication_required',
};

const s = fileProduct();

const login = (email: string, password: string) => sendRequest(s, 'POST', '/api/auth/login', { email, password });

describe('POST /api/auth/change-password', () => {
  test('200: ends other sessions, keeps this one and sends an email', async () => {
    const ann = await registerUser(s, 'ann');
    const other = (await login(ann.email, PASSWORD)).json<{ token: string }>().token;
    const answer = await ann.post('/api/auth/change-password', { currentPassword: PASSWORD, newPassword: NEXT });
    expect(answer.json()).toEqual({ success: true });
    await expect
      .poll(async () => (await sendRequest(s, 'GET', '/api/auth/user', undefined, { token: other })).statusCode, {
        timeout: 20_000,
      })
      .toBe(401);
    expect((await ann.get('/api/auth/user')).statusCode).toBe(200);
    expect((await login(ann.email, PASSWORD)).statusCode).toBe(401);
    expect((await login(ann.email, NEXT)).statusCode).toBe(200);
    expect((await emailsTo(s, ann.email)).map(({ kind }) => kind)).toEqual(['password-changed']);
  });

  test('403, 400 and 429: wrong current password, weak or common new one, too many attempts', async () => {
    const ben = await registerUser(s, 'ben');
    const change = (currentPassword: string, newPassword: string) =>
      ben.post('/api/auth/change-password', { currentPassword, newPassword });
    expect((await change('no', NEXT)).json()).toEqual({ error: 'Incorrect password', code: 'forbidden' });
    expect((await change(PASSWORD, 'weak')).json().error).toBe('Password does not meet requirements');
    expect((await change(PASSWORD, 'P@ssw0rd')).json().error).toContain('too common');
    for (let i = 0; i < 9; i++) await change('no', NEXT);
    expect((await change(PASSWORD, NEXT)).statusCode).toBe(429);
  });
});

describe('actions that require a fresh proof', () => {
  test('return 403 after 15 minutes and work again after POST /api/auth/reauthenticate', async () => {
    const cat = await registerUser(s, 'cat');
    s.advance(15 * 60_000);
    const refused = await cat.remove('/api/auth/delete-account');
    expect([refused.statusCode, refused.json()]).toEqual([403, AGAIN]);
    expect((await cat.post('/api/auth/reauthenticate', { password: 'no' })).statusCode).toBe(403);
    const proved = await cat.post('/api/auth/reauthenticate', { password: PASSWORD });
    expect(proved.json()).toEqual({ until: new Date(s.clock.now().getTime() + 15 * 60_000).toISOString() });
    expect((await cat.remove('/api/auth/delete-account')).statusCode).toBe(200);
  });
});

describe('DELETE /api/auth/delete-account', () => {
  test('200: deletes account, sessions and links, invalidates the token, sends an email and writes the audit log', async () => {
    const dan = await registerUser(s, 'dan', 'pro');
    await login(dan.email, PASSWORD);
    const answer = await dan.remove('/api/auth/delete-account');
    expect(answer.json()).toEqual({ message: 'Account deleted successfully. A confirmation email has been sent.' });
    await expect.poll(async () => (await dan.get('/api/auth/user')).statusCode, { timeout: 20_000 }).toBe(401);
    expect((await login(dan.email, PASSWORD)).statusCode).toBe(401);
    expect((await emailsTo(s, dan.email)).at(-1)?.kind).toBe('account-deleted');
    const { db, close } = openDatabase(s.connection, () => undefined, 1);
    const left = await Promise.all(
      (['sessions', 'one_time_tokens', 'known_devices', 'entitlements'] as const).map((table) =>
        db.selectFrom(table).select('user_id').where('user_id', '=', dan.id).execute(),
      ),
    );
    const told = await db.selectFrom('audit_log').select('action').where('subject_id', '=', dan.id).execute();
    await close();
    expect(left.flat()).toEqual([]);
    expect(told.map(({ action }) => action)).toContain('account.delete');
    expect((await registerUser(s, 'dan')).id).not.toBe(dan.id);
  });

  test('409: the only administrator cannot delete the account', async () => {
    const eve = await registerUser(s, 'eve', 'admin');
    expect((await eve.remove('/api/auth/delete-account')).json()).toEqual({
      error: 'You cannot delete the only administrator account',
      code: 'conflict',
    });
  });
});

const forgot = (email: string) => sendRequest(s, 'POST', '/api/auth/forgot-password', { email });
const reset = (token: string, newPassword = NEXT) =>
  sendRequest(s, 'POST', '/api/auth/reset-password', { token, newPassword });
const tokenFor = async (email: string) => {
  await forgot(email);
  return new URL(await newestLink(s, email, 'reset'), 'http://x').searchParams.get('token') ?? '';
};

describe('POST /api/auth/forgot-password', () => {
  test('200: same response for everyone; only accounts get an email, three per hour', async () => {
    await registerUser(s, 'ada');
    const answers = await Promise.all(['ada@people.example', 'nobody@people.example', 'no address'].map(forgot));
    expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual(
      Array.from({ length: 3 }, () => [200, JSON.stringify({ message: MESSAGE })]),
    );
    for (let i = 0; i < 5; i++) await forgot('ada@people.example');
    expect((await emailsTo(s, 'ada@people.example')).map(({ kind }) => kind)).toEqual(['reset', 'reset', 'reset']);
    expect(await emailsTo(s, 'nobody@people.example')).toEqual([]);
    s.advance(3_600_000);
  });
});

describe('POST /api/auth/reset-password', () => {
  let link: string | undefined;

  test('200: sets the password, signs out everywhere, sends an email and uses up the link', async () => {
    const bob = await registerUser(s, 'bob');
    const token = await tokenFor(bob.email);
    expect((await reset(token)).json()).toEqual({
      success: true,
      message: 'Your password has been reset.',
      remaining: [],
      endToken: null,
    });
    await expect.poll(async () => (await bob.get('/api/auth/user')).statusCode, { timeout: 20_000 }).toBe(401);
    expect((await login(bob.email, PASSWORD)).statusCode).toBe(401);
    expect((await login(bob.email, NEXT)).statusCode).toBe(200);
    expect((await reset(token)).json()).toEqual({ error: UNUSABLE, code: 'bad_request' });
    expect((await emailsTo(s, bob.email)).map(({ kind }) => kind)).toEqual(['reset', 'password-changed']);
  });

  test('400: a link that is expired, forged, superseded or issued for another purpose', async () => {
    const cid = await registerUser(s, 'cid');
    const first = await tokenFor(cid.email);
    const second = await tokenFor(cid.email);
    expect((await reset(first)).json().error).toBe(UNUSABLE);
    expect((await reset('re_forged')).json().error).toBe(UNUSABLE);
    const ticket = (await cid.post('/api/stream/ticket')).json<{ ticket: string }>().ticket;
    expect((await reset(ticket)).json().error).toBe(UNUSABLE);
    s.advance(3_600_000);
    expect((await reset(second)).json().error).toBe(UNUSABLE);
    expect((await login(cid.email, PASSWORD)).statusCode).toBe(200);
  });

  test('200: lists what still uses the account, on the page and in the email; one token ends all of it, once', async () => {
    const eva = await registerUser(s, 'eva', 'premium');
    const { api_key: key } = (await eva.post('/api/keys', { name: 'Bot' })).json<{ api_key: string }>();
    const hook = { name: 'Desk', url: 'https://hooks.example.com/x', format: 'generic' };
    expect((await eva.post('/api/webhooks', hook)).statusCode).toBe(200);
    const works = async () =>
      (await sendRequest(s, 'GET', '/api/v1/crypto-prices', undefined, { token: key })).statusCode;
    expect(await works()).not.toBe(401);
    const answer = (await reset(await tokenFor(eva.email))).json<{ remaining: object[]; endToken: string }>();
    const remaining = [
      { kind: 'api_key', name: expect.stringMatching(/^Bot \(mk_live_/) },
      { kind: 'webhook', name: 'Desk (hooks.example.com)' },
    ];
    expect(answer.remaining).toEqual(remaining);
    const mail = (await emailsTo(s, eva.email)).at(-1);
    expect(mail?.text).toContain('Desk (hooks.example.com)');
    const link = mail?.links.find(({ pathname }) => pathname === '/auth/end-access');
    expect(link?.searchParams.get('token')).toBe(answer.endToken);
    const post = (path: string) => sendRequest(s, 'POST', path, { token: answer.endToken });
    expect((await post('/api/auth/access')).json()).toEqual({ remaining });
    expect(await works()).not.toBe(401);
    const ended = await Promise.all([post('/api/auth/access/end'), post('/api/auth/access/end')]);
    expect(sortedStatuses(ended)).toEqual([200, 400]);
    await expect.poll(works, { timeout: 20_000 }).toBe(401);
    expect((await post('/api/auth/access')).statusCode).toBe(400);
    const { token } = (await login(eva.email, NEXT)).json<{ token: string }>();
    const left = await sendRequest(s, 'GET', '/api/webhooks', undefined, { token });
    expect(left.json()).toEqual({ webhooks: [] });
  });

  test('concurrent uses of one link set one password', async () => {
    const don = await registerUser(s, 'don');
    const token = await tokenFor(don.email);
    const wanted = Array.from({ length: 6 }, (_, i) => `Sixth-Rivers-${i}!`);
    const answers = await Promise.all(wanted.map((password) => reset(token, password)));
    const won = answers.findIndex(({ statusCode }) => statusCode === 200);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect((await login(don.email, wanted[won] ?? '')).statusCode).toBe(200);
  });

  test.each([
    ['seven characters', 'Abc-12!', 'Password does not meet requirements'],
    ['no uppercase letter', 'three-rivers-29!', 'Password does not meet requirements'],
    ['no lowercase letter', 'THREE-RIVERS-29!', 'Password does not meet requirements'],
    ['no digit', 'Three-Rivers-!', 'Password does not meet requirements'],
    ['no special character', 'ThreeRivers29', 'Password does not meet requirements'],
    ['a common one', 'P@ssw0rd', 'This password is too common. Please choose another one.'],
    ['none', '', 'Password is required'],
  ])('400: %s', async (_what, newPassword, error) => {
    // A password that is refused does not spend the link.
    link ??= await tokenFor((await registerUser(s, 'gil')).email);
    const answer = await reset(link, newPassword);
    expect([answer.statusCode, answer.json().error]).toEqual([400, error]);
  });

  test.each(['Horse-77?', 'Coffee2024!'])(
    '200: %s meets the five rules and is not literally on the list',
    async (next) => {
      const { email } = await registerUser(s, `rules-${next.length}`);
      expect((await reset(await tokenFor(email), next)).statusCode).toBe(200);
    },
  );

  test('400: an unusable link is reported before the password is checked', async () => {
    expect((await reset('re_whatever', 'weak')).json().error).toBe(UNUSABLE);
  });

  test.each([
    ['no token', undefined],
    ['an empty one', ''],
    ['one that is no text', 7],
    ['one that is far too long', 'x'.repeat(201)],
  ])('400: %s is an unusable link, with the same message', async (_what, token) => {
    const answer = await sendRequest(s, 'POST', '/api/auth/reset-password', { token, newPassword: NEXT });
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: UNUSABLE, code: 'bad_request' }]);
  });

  test('a reset confirms an unconfirmed account, since it proves the mailbox', async () => {
    const strict = { ...s, product: await s.another({ EMAIL_CONFIRMATION: 'on' }) };
    const email = 'evi@people.example';
    await sendRequest(strict, 'POST', '/api/auth/register', { email, password: PASSWORD });
    await sendRequest(strict, 'POST', '/api/auth/forgot-password', { email });
    const token = new URL(await newestLink(strict, email, 'reset'), 'http://x').searchParams.get('token');
    await sendRequest(strict, 'POST', '/api/auth/reset-password', { token, newPassword: NEXT });
    const answer = await sendRequest(strict, 'POST', '/api/auth/login', { email, password: NEXT });
    expect(answer.json()).toHaveProperty('token');
  });
});
