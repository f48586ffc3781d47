import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileProduct } from '#tests/support/for-file.ts';
import { emailsTo, newestLink, openConfirmation } from '#tests/support/mailbox.ts';
import { PASSWORD, sendRequest } from '#tests/support/people.ts';
import { statusAndMessage } from '#tests/support/rows.ts';
import { start, type TestProduct } from '#tests/support/start.ts';

const DAY_MS = 86_400_000;

describe('sign-up with email confirmation', () => {
  const s = fileProduct({ env: { EMAIL_CONFIRMATION: 'on' } });

  const register = (email: string, password = PASSWORD) =>
    sendRequest(
      s,
      'POST',
      '/api/auth/register',
      { email, password },
      { ip: `10.1.${Math.floor(Math.random() * 250)}.1` },
    );
  const login = (email: string, password = PASSWORD) => sendRequest(s, 'POST', '/api/auth/login', { email, password });
  const open = async (link: string) => (await openConfirmation(s, link)).json();
  const linkTo = (email: string) => newestLink(s, email, 'confirm');
  const userOf = (token: string) => sendRequest(s, 'GET', '/api/auth/user', undefined, { token });
  const exchange = (token: string) => sendRequest(s, 'POST', '/api/auth/exchange', { token });

  test('200: requests confirmation, and a sign-in before it leads to the same step', async () => {
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

  test('200: the link confirms once, reports success again within ten minutes without a second token, then expires', async () => {
    await register('ben@people.example');
    const link = await linkTo('ben@people.example');
    const { email, token } = await open(link);
    expect(email).toBe('ben@people.example');
    expect((await userOf(token)).json()).toMatchObject({ email, plan: 'free', isAdmin: false, role: 'user' });
    expect(await open(link)).toEqual({ email });
    s.advance(600_000);
    expect(await open(link)).toEqual({ error: 'Invalid confirmation token', code: 'bad_request' });
    expect((await login('ben@people.example')).json()).toHaveProperty('token');
  });

  test('opening the link, as mail scanners do, neither confirms nor uses it up', async () => {
    await register('cat@people.example');
    const link = await linkTo('cat@people.example');
    await s.product.rebuild();
    for (const method of ['HEAD', 'GET'] as const) {
      const answer = await s.product.app.inject({ method, url: link });
      expect([answer.statusCode, answer.headers['referrer-policy']]).toEqual([200, 'no-referrer']);
      expect(answer.headers).not.toHaveProperty('location');
    }
    const earlier = await s.get(`/api/auth/confirm-email${new URL(link, 'http://x').search}`);
    expect([earlier.statusCode, earlier.headers.location]).toEqual([302, link]);
    expect((await login('cat@people.example')).json()).toHaveProperty('requiresConfirmation');
    expect(await open(link)).toEqual({ email: 'cat@people.example', token: expect.any(String) });
  });

  test('the handover token can be exchanged once and is invalid afterwards', async () => {
    await register('amy@people.example');
    const { token } = await open(await linkTo('amy@people.example'));
    const answers = await Promise.all(Array.from({ length: 6 }, () => exchange(token)));
    const [won, ...others] = answers.toSorted((a, b) => a.statusCode - b.statusCode);
    expect(won?.json()).toMatchObject({ token: expect.any(String), user: { email: 'amy@people.example' } });
    expect(others.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 401, 401]);
    expect(others[0]?.json()).toEqual({ error: 'Invalid confirmation token', code: 'unauthenticated' });
    expect((await userOf(token)).statusCode).toBe(401);
    const { token: fresh } = won?.json() ?? {};
    s.advance(DAY_MS);
    expect((await userOf(fresh)).statusCode).toBe(200);
    // No other token can be exchanged.
    expect((await exchange(fresh)).statusCode).toBe(401);
  });

  test('the handover token expires after 60 seconds', async () => {
    await register('bea@people.example');
    const { token } = await open(await linkTo('bea@people.example'));
    s.advance(59_000);
    expect((await userOf(token)).statusCode).toBe(200);
    s.advance(1000);
    expect((await userOf(token)).statusCode).toBe(401);
    expect((await exchange(token)).statusCode).toBe(401);
  });

  test('400: reports whether a link is missing, forged or older than 24 hours', async () => {
    await register('dan@people.example');
    const link = await linkTo('dan@people.example');
    const wordsFor = async (path: string) => (await open(path)).error;
    expect(await wordsFor('/auth/confirm')).toBe('Confirmation token is required');
    expect(await wordsFor('/auth/confirm?token=co_forged')).toBe('Invalid confirmation token');
    s.advance(DAY_MS);
    expect(await wordsFor(link)).toBe('Confirmation token has expired');
  });

  test('concurrent openings of one link yield one token', async () => {
    await register('eve@people.example');
    const link = await linkTo('eve@people.example');
    const answers = await Promise.all(Array.from({ length: 8 }, () => open(link)));
    expect(answers.filter(({ token }) => token !== undefined)).toHaveLength(1);
    expect(answers.every(({ email }) => email === 'eve@people.example')).toBe(true);
  });

  test('a taken address gets the same response; its owner is notified and the account is unchanged', async () => {
    await register('fay@people.example');
    await open(await linkTo('fay@people.example'));
    const again = await register('FAY@people.example', 'Another-Secret-77!');
    expect([again.statusCode, again.json()]).toEqual([
      200,
      { requiresConfirmation: true, email: 'fay@people.example' },
    ]);
    expect((await emailsTo(s, 'fay@people.example')).map(({ kind }) => kind)).toEqual([
      'confirm',
      'already-registered',
    ]);
    expect((await login('fay@people.example', 'Another-Secret-77!')).statusCode).toBe(401);
    expect((await login('fay@people.example')).statusCode).toBe(200);
  });

  test('ten concurrent sign-ups with one address create one account', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => register('gus@people.example')));
    expect(new Set(answers.map(({ body }) => body))).toEqual(
      new Set([JSON.stringify({ requiresConfirmation: true, email: 'gus@people.example' })]),
    );
    await open(await linkTo('gus@people.example'));
    expect((await login('gus@people.example')).json()).toHaveProperty('token');
  });

  test("a stranger's earlier sign-up grants no access: the password typed with the opened link counts", async () => {
    await register('hal@people.example', 'Strangers-Own-1!');
    await register('hal@people.example', 'Owners-Own-22!');
    const owner = await linkTo('hal@people.example');
    const strangers = (await emailsTo(s, 'hal@people.example'))[0]?.links.find(({ search }) =>
      search.includes('token='),
    );
    expect(await open(owner)).toHaveProperty('token');
    expect((await login('hal@people.example', 'Owners-Own-22!')).json()).toHaveProperty('token');
    expect((await login('hal@people.example', 'Strangers-Own-1!')).statusCode).toBe(401);
    expect((await open((strangers?.pathname ?? '') + (strangers?.search ?? ''))).error).toBe(
      'Invalid confirmation token',
    );
  });

  test('resend: same response for everyone, emails only pending sign-ups, three per hour', async () => {
    await register('ida@people.example');
    const resend = (email: string) => sendRequest(s, 'POST', '/api/auth/resend-confirmation', { email });
    for (const email of ['ida@people.example', 'nobody@people.example', 'not an address']) {
      const answer = await resend(email);
      expect([answer.statusCode, answer.json()]).toEqual([
        200,
        { message: 'Confirmation email resent! Please check your inbox.' },
      ]);
    }
    for (let i = 0; i < 5; i++) await resend('ida@people.example');
    expect(await emailsTo(s, 'ida@people.example')).toHaveLength(4);
    expect(await emailsTo(s, 'nobody@people.example')).toHaveLength(0);
  });
});

describe('sign-up without email confirmation', () => {
  let s: TestProduct;
  beforeAll(async () => {
    s = await start();
  });
  afterAll(() => s.stop());
  const register = (body: unknown) => sendRequest(s, 'POST', '/api/auth/register', body);

  test('200: signs in immediately; the options report that no confirmation is needed', async () => {
    const answer = await register({ email: 'ann@people.example', password: 'x y z' });
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([200, ['token', 'user']]);
    const log = s.product.market.ctx.db.selectFrom('audit_log').select('action').orderBy('id');
    expect((await log.execute()).map(({ action }) => action)).toEqual(['account.create', 'session.start']);
    const options = await s.get('/api/auth/options');
    expect(options.json()).toEqual({ confirmationRequired: false, signUpsOpen: true, demoAccounts: [] });
  });

  test('409: a taken address cannot be concealed without a mailbox', async () => {
    const answer = await register({ email: 'ANN@people.example', password: PASSWORD });
    expect(statusAndMessage(answer)).toEqual([409, 'An account with this email already exists']);
  });

  test.each(['123456', 'password', 'PassWord', 'P@ssw0rd', 'QWERTY'])('400: %s is too common', async (password) => {
    const answer = await register({ email: 'new@people.example', password });
    expect(statusAndMessage(answer)).toEqual([400, 'This password is too common. Please choose another one.']);
  });

  test('200: the list is matched literally, and an easily guessed password is flagged', async () => {
    for (const [i, [password, weakPassword]] of Object.entries([
      ['Password-11', true],
      ['Horse-77?', false],
      ['q', true],
      ['x y z', true],
    ] as const)) {
      const { token } = (await register({ email: `p${i}@people.example`, password })).json<{ token: string }>();
      const account = await sendRequest(s, 'GET', '/api/subscription', undefined, { token });
      expect([password, account.json().weakPassword]).toEqual([password, weakPassword]);
    }
  });

  const INVALID = 'Please enter a valid email address';
  test.each([
    ['no address', { email: undefined }, 'Email is required'],
    ['an empty address', { email: '' }, 'Email is required'],
    ['no address at all', { email: 'ann' }, INVALID],
    ['look-alike letters', { email: 'аnn@people.example' }, INVALID],
    ['two addresses', { email: 'a@x.io,b@x.io' }, INVALID],
    ['a header in the address', { email: 'a@x.io\r\nBcc: b@x.io' }, INVALID],
    ['a very long address', { email: `${'a'.repeat(300)}@x.io` }, INVALID],
    ['no password', { password: undefined }, 'Password is required'],
    ['an empty password', { password: '' }, 'Password is required'],
    ['a very long password', { password: 'x'.repeat(1001) }, 'Passwords can have at most 1000 characters'],
    ['a password that is no text', { password: { $gt: '' } }, 'Password is required'],
    ['an unknown field', { role: 'admin' }, 'Unrecognized key: "role"'],
  ])('400: %s', async (_what, body, error) => {
    const answer = await register({ email: 'new@people.example', password: PASSWORD, ...body });
    expect([answer.statusCode, answer.json().error]).toEqual([400, error]);
  });
});
