import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { mailsTo, newestLink } from '#tests/support/mailbox.ts';
import { ask, PASSWORD } from '#tests/support/people.ts';
import { type Started, start } from '#tests/support/start.ts';

const DAY_MS = 86_400_000;

describe('sign-up with a confirmation by mail', () => {
  let s: Started;
  beforeAll(async () => {
    s = await start({ env: { EMAIL_CONFIRMATION: 'on' } });
  });
  afterAll(() => s.stop());

  const register = (email: string, password = PASSWORD) =>
    ask(s, 'POST', '/api/auth/register', { email, password }, { ip: `10.1.${Math.floor(Math.random() * 250)}.1` });
  const login = (email: string, password = PASSWORD) => ask(s, 'POST', '/api/auth/login', { email, password });
  const open = async (path: string) => (await s.get(path)).headers.location ?? '';

  test('200: asks for the confirmation, and a sign-in before it is sent back the same way', async () => {
    const answer = await register(' Ann@People.example ');
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { requiresConfirmation: true, email: 'ann@people.example' },
    ]);
    const early = await login('ann@people.example');
    expect([early.statusCode, early.json()]).toEqual([
      200,
      { requiresConfirmation: true, email: 'ann@people.example' },
    ]);
  });

  test('302: the link signs in once, says success again within ten minutes without a second token, then is spent', async () => {
    await register('ben@people.example');
    const link = await newestLink(s, 'ben@people.example', 'confirm');
    const answer = await s.get(link);
    expect(answer.statusCode).toBe(302);
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    const next = new URL(answer.headers.location ?? '', 'http://x');
    expect([next.pathname, next.searchParams.get('email')]).toEqual(['/auth/confirm-success', 'ben@people.example']);
    const token = next.searchParams.get('token') ?? '';
    const user = await ask(s, 'GET', '/api/auth/user', undefined, { token });
    expect(user.json()).toMatchObject({ email: 'ben@people.example', plan: 'free', isAdmin: false, role: 'user' });
    expect(await open(link)).toBe('/auth/confirm-success?email=ben%40people.example');
    s.advance(600_000);
    expect(await open(link)).toBe('/auth/confirm-error?error=Invalid%20confirmation%20token');
    expect((await login('ben@people.example')).json()).toHaveProperty('token');
  });

  test('a HEAD request, as mail scanners send, does not spend the link', async () => {
    await register('cat@people.example');
    const link = await newestLink(s, 'cat@people.example', 'confirm');
    expect((await s.product.app.inject({ method: 'HEAD', url: link })).statusCode).toBe(204);
    expect(await open(link)).toMatch(/confirm-success\?token=s_/);
  });

  test('302: a link that is missing, forged or older than 24 hours says which', async () => {
    await register('dan@people.example');
    const link = await newestLink(s, 'dan@people.example', 'confirm');
    expect(await open('/api/auth/confirm-email')).toBe(
      '/auth/confirm-error?error=Confirmation%20token%20is%20required',
    );
    expect(await open('/api/auth/confirm-email?token=co_forged')).toBe(
      '/auth/confirm-error?error=Invalid%20confirmation%20token',
    );
    s.advance(DAY_MS);
    expect(await open(link)).toBe('/auth/confirm-error?error=Confirmation%20token%20has%20expired');
  });

  test('of many who open one link at once, one gets a token', async () => {
    await register('eve@people.example');
    const link = await newestLink(s, 'eve@people.example', 'confirm');
    const answers = await Promise.all(Array.from({ length: 8 }, () => open(link)));
    expect(answers.filter((location) => location.includes('token='))).toHaveLength(1);
    expect(answers.every((location) => location.startsWith('/auth/confirm-success'))).toBe(true);
  });

  test('a taken address answers the same; its owner is told, and nothing of the account changes', async () => {
    await register('fay@people.example');
    await open(await newestLink(s, 'fay@people.example', 'confirm'));
    const again = await register('FAY@people.example', 'Another-Secret-77!');
    expect([again.statusCode, again.json()]).toEqual([
      200,
      { requiresConfirmation: true, email: 'fay@people.example' },
    ]);
    expect((await mailsTo(s, 'fay@people.example')).map(({ kind }) => kind)).toEqual(['confirm', 'already-registered']);
    expect((await login('fay@people.example', 'Another-Secret-77!')).statusCode).toBe(401);
    expect((await login('fay@people.example')).statusCode).toBe(200);
  });

  test('ten sign-ups with one address at once make one account', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => register('gus@people.example')));
    expect(new Set(answers.map(({ body }) => body))).toEqual(
      new Set([JSON.stringify({ requiresConfirmation: true, email: 'gus@people.example' })]),
    );
    await open(await newestLink(s, 'gus@people.example', 'confirm'));
    expect((await login('gus@people.example')).json()).toHaveProperty('token');
  });

  test("a stranger's earlier sign-up leaves no key: the password typed with the opened link counts", async () => {
    await register('hal@people.example', 'Strangers-Own-1!');
    await register('hal@people.example', 'Owners-Own-22!');
    const owner = await newestLink(s, 'hal@people.example', 'confirm');
    const strangers = (await mailsTo(s, 'hal@people.example'))[0]?.links.find(({ search }) =>
      search.includes('token='),
    );
    expect(await open(owner)).toContain('token=');
    expect((await login('hal@people.example', 'Owners-Own-22!')).json()).toHaveProperty('token');
    expect((await login('hal@people.example', 'Strangers-Own-1!')).statusCode).toBe(401);
    expect(await open((strangers?.pathname ?? '') + (strangers?.search ?? ''))).toBe(
      '/auth/confirm-error?error=Invalid%20confirmation%20token',
    );
  });

  test('resend: says the same to everyone, writes only to who waits, three times an hour', async () => {
    await register('ida@people.example');
    const resend = (email: string) => ask(s, 'POST', '/api/auth/resend-confirmation', { email });
    for (const email of ['ida@people.example', 'nobody@people.example', 'not an address']) {
      const answer = await resend(email);
      expect([answer.statusCode, answer.json()]).toEqual([
        200,
        { message: 'Confirmation email resent! Please check your inbox.' },
      ]);
    }
    for (let i = 0; i < 5; i++) await resend('ida@people.example');
    expect(await mailsTo(s, 'ida@people.example')).toHaveLength(4);
    expect(await mailsTo(s, 'nobody@people.example')).toHaveLength(0);
  });
});

describe('sign-up without a mail to confirm', () => {
  let s: Started;
  beforeAll(async () => {
    s = await start();
  });
  afterAll(() => s.stop());
  const register = (body: unknown) => ask(s, 'POST', '/api/auth/register', body);

  test('200: signs in at once; the options say that nothing is to be confirmed', async () => {
    const answer = await register({ email: 'ann@people.example', password: 'x y z' });
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([200, ['token', 'user']]);
    const log = s.product.market.ctx.db.selectFrom('audit_log').select('action').orderBy('id');
    expect((await log.execute()).map(({ action }) => action)).toEqual(['account.create', 'session.start']);
    const options = await s.get('/api/auth/options');
    expect(options.json()).toEqual({ confirmationRequired: false, signUpsOpen: true, demoAccounts: [] });
  });

  test('409: a taken address cannot be kept quiet without a mailbox', async () => {
    const answer = await register({ email: 'ANN@people.example', password: PASSWORD });
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      { error: 'An account with this email already exists', code: 'conflict' },
    ]);
  });

  test.each(['123456', 'password', 'Password1!', 'P@ssw0rd', 'QWERTY'])('400: %s is too common', async (password) => {
    const answer = await register({ email: 'new@people.example', password });
    expect([answer.statusCode, answer.json().error]).toEqual([
      400,
      'This password is too common. Please choose another one.',
    ]);
  });

  test.each([
    ['no address', { password: PASSWORD }, 'Email is required'],
    ['an empty address', { email: '', password: PASSWORD }, 'Email is required'],
    ['no address at all', { email: 'ann', password: PASSWORD }, 'Please enter a valid email address'],
    ['look-alike letters', { email: 'аnn@people.example', password: PASSWORD }, 'Please enter a valid email address'],
    ['two addresses', { email: 'a@x.io,b@x.io', password: PASSWORD }, 'Please enter a valid email address'],
    [
      'a header in the address',
      { email: 'a@x.io\r\nBcc: b@x.io', password: PASSWORD },
      'Please enter a valid email address',
    ],
    [
      'a very long address',
      { email: `${'a'.repeat(300)}@x.io`, password: PASSWORD },
      'Please enter a valid email address',
    ],
    ['no password', { email: 'new@people.example' }, 'Password is required'],
    ['an empty password', { email: 'new@people.example', password: '' }, 'Password is required'],
    [
      'a very long password',
      { email: 'new@people.example', password: 'x'.repeat(1001) },
      'Passwords have at most 1000 characters',
    ],
    ['a password that is no text', { email: 'new@people.example', password: { $gt: '' } }, 'Password is required'],
    [
      'an unknown field',
      { email: 'new@people.example', password: PASSWORD, role: 'admin' },
      'Unrecognized key: "role"',
    ],
  ])('400: %s', async (_what, body, error) => {
    const answer = await register(body);
    expect([answer.statusCode, answer.json().error]).toEqual([400, error]);
  });

  test('400 and 413: what is no JSON, and what is too large', async () => {
    const send = (payload: string) =>
      s.product.app.inject({
        method: 'POST',
        url: '/api/auth/register',
        payload,
        headers: { 'content-type': 'application/json' },
      });
    expect((await send('{"email":')).json()).toEqual({ error: 'The request could not be read', code: 'bad_request' });
    expect((await send(`"${'x'.repeat(300_000)}"`)).json()).toEqual({
      error: 'The request is too large',
      code: 'payload_too_large',
    });
  });

  test('429: after thirty sign-ups an hour from one network, with the time to wait', async () => {
    const from = { ip: '203.0.113.9' };
    let answer = await ask(s, 'POST', '/api/auth/register', { email: 'x@people.example', password: '123456' }, from);
    for (let i = 0; i < 30; i++)
      answer = await ask(s, 'POST', '/api/auth/register', { email: 'x@people.example', password: '123456' }, from);
    expect([answer.statusCode, answer.json().error, Number(answer.headers['retry-after'])]).toEqual([
      429,
      'Too many attempts. Please try again later.',
      3600,
    ]);
  });
});
