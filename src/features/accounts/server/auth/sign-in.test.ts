import { describe, expect, test } from 'vitest';

import { openDatabase } from '#kernel/db.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { emailsTo } from '#tests/support/mailbox.ts';
import { PASSWORD, registerUser, sendRequest } from '#tests/support/people.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 20_0 like Mac OS X) AppleWebKit/605.1.15 Version/20.0 Mobile/15E148 Safari/604.1';
const HOUR_MS = 3_600_000;

const s = fileProduct();

type From = { ip?: string; agent?: string };
const login = (email: string, password = PASSWORD, from: From = {}) =>
  sendRequest(s, 'POST', '/api/auth/login', { email, password }, from);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('POST /api/auth/login', () => {
  test('200: returns token and user; the token works for the account, and the address is case-insensitive', async () => {
    const ann = await registerUser(s, 'ann', 'pro');
    const answer = await login('ANN@people.example ');
    expect([answer.statusCode, answer.json().user]).toEqual([
      200,
      { id: ann.id, email: 'ann@people.example', role: 'user', isAdmin: false, plan: 'pro' },
    ]);
    expect((await s.get('/api/auth/user', bearer(answer.json().token))).json()).toEqual(answer.json().user);
  });

  test('401: same response for a wrong password and an unknown address', async () => {
    await registerUser(s, 'ben');
    const wrong = await login('ben@people.example', 'not it');
    const unknown = await login('nobody@people.example', 'not it');
    expect([wrong.statusCode, wrong.body]).toEqual([401, unknown.body]);
    expect(wrong.json()).toEqual({ error: 'Invalid email or password', code: 'unauthenticated' });
  });

  test('429: ten attempts within 15 minutes from one network; another network is not locked out', async () => {
    await registerUser(s, 'cat');
    const near = { ip: '198.51.100.7' };
    for (let i = 0; i < 10; i++) expect((await login('cat@people.example', 'no', near)).statusCode).toBe(401);
    const over = await login('cat@people.example', PASSWORD, near);
    expect([over.statusCode, over.json().error]).toEqual([429, 'Too many attempts. Please try again later.']);
    expect(Number(over.headers['retry-after'])).toBe(900);
    expect((await login('cat@people.example', PASSWORD, { ip: '198.51.101.7' })).statusCode).toBe(200);
    s.advance(900_000);
    expect((await login('cat@people.example', PASSWORD, near)).statusCode).toBe(200);
  });

  test('a correct password resets the failed attempts', async () => {
    await registerUser(s, 'dan');
    for (let i = 0; i < 9; i++) await login('dan@people.example', 'no');
    expect((await login('dan@people.example')).statusCode).toBe(200);
    for (let i = 0; i < 9; i++) expect((await login('dan@people.example', 'no')).statusCode).toBe(401);
    expect((await login('dan@people.example')).statusCode).toBe(200);
  });

  test('distributed guessing is blocked, but the owner can still sign in from known networks', async () => {
    await registerUser(s, 'eve');
    const home = { ip: '192.0.2.10' };
    expect((await login('eve@people.example', PASSWORD, home)).statusCode).toBe(200);
    for (let i = 0; i < 50; i++) await login('eve@people.example', 'no', { ip: `10.7.${i}.1` });
    expect((await login('eve@people.example', 'no', { ip: '10.9.9.1' })).statusCode).toBe(429);
    expect((await login('eve@people.example', PASSWORD, home)).statusCode).toBe(200);
  });

  test('an account with a weak password gets a stricter limit for unknown networks, without revealing it', async () => {
    const email = 'ivy@people.example';
    const home = { ip: '192.0.2.130' };
    await sendRequest(s, 'POST', '/api/auth/register', { email, password: 'x y z' }, home);
    for (let i = 0; i < 5; i++) await login(email, 'no', { ip: `10.8.${i}.1` });
    const guessed = await login(email, 'x y z', { ip: '10.8.99.1' });
    const unknown = await login('nobody@people.example', 'x y z', { ip: '10.8.99.1' });
    expect([guessed.statusCode, guessed.body]).toEqual([401, unknown.body]);
    expect((await login(email, 'x y z', home)).statusCode).toBe(200);
    s.advance(3_600_000);
    expect((await login(email, 'x y z', { ip: '10.8.99.1' })).statusCode).toBe(200);
  });

  test('a previously set password is checked at the next sign-in', async () => {
    const joy = await registerUser(s, 'joy');
    const { db } = s.product.market.ctx;
    const weak = async () =>
      (await db.selectFrom('users').select('password_weak').where('id', '=', joy.id).execute())[0]?.password_weak;
    await db.updateTable('users').set({ password_weak: null }).where('id', '=', joy.id).execute();
    await login(joy.email, PASSWORD);
    await s.product.auth.settled();
    expect(await weak()).toBe(false);
  });

  test('a sign-in from a new device or network triggers an email, a known one does not', async () => {
    await registerUser(s, 'fay');
    const from = { ip: '192.0.2.55', agent: CHROME };
    const kinds = async () => (await emailsTo(s, 'fay@people.example')).map(({ kind }) => kind);
    expect(await kinds()).toEqual([]);
    await login('fay@people.example', PASSWORD, from);
    expect(await kinds()).toEqual(['new-sign-in']);
    const [mail] = await emailsTo(s, 'fay@people.example');
    expect(mail?.text).toContain('Chrome on Windows');
    expect(mail?.text).toContain('192.0.2.0/24');
    await login('fay@people.example', PASSWORD, { ...from, ip: '192.0.2.99' });
    expect(await kinds()).toHaveLength(1);
    await login('fay@people.example', PASSWORD, { ...from, agent: SAFARI });
    expect(await kinds()).toHaveLength(2);
  });

  test('rehashes a password that was hashed with older parameters', async () => {
    const gus = await registerUser(s, 'gus');
    const { db, close } = openDatabase(s.connection, () => undefined, 1);
    const { hash } = await import('@node-rs/argon2');
    const old = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await db.updateTable('users').set({ password_hash: old }).where('id', '=', gus.id).execute();
    expect((await login(gus.email)).statusCode).toBe(200);
    await s.product.auth.settled();
    const { password_hash } = await db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', gus.id)
      .executeTakeFirstOrThrow();
    await close();
    expect(password_hash).toContain('$m=19456,t=2,p=1$');
    expect((await login(gus.email)).statusCode).toBe(200);
  });
});

describe('sessions', () => {
  test('are listed with device, network and times; the current one is marked', async () => {
    const hal = await registerUser(s, 'hal');
    await login(hal.email, PASSWORD, { ip: '2001:db8:1:2::7', agent: SAFARI });
    const { sessions } = (await hal.get('/api/auth/sessions')).json<{ sessions: Record<string, unknown>[] }>();
    expect(sessions.map(({ device, network, current }) => ({ device, network, current }))).toEqual(
      expect.arrayContaining([
        { device: 'Safari on iPhone', network: '2001:db8:1::/48', current: false },
        { device: 'Unknown device', network: '127.0.0.0/24', current: true },
      ]),
    );
  });

  test('one, all others or all can be ended; an ended token is invalid immediately', async () => {
    const ida = await registerUser(s, 'ida');
    const tokens = await Promise.all(
      [1, 2, 3].map(async () => (await login(ida.email)).json<{ token: string }>().token),
    );
    const works = async (token: string) => (await s.get('/api/auth/user', bearer(token))).statusCode === 200;
    expect(await Promise.all(tokens.map(works))).toEqual([true, true, true]);
    const { sessions } = (await ida.get('/api/auth/sessions')).json<{ sessions: { id: string; current: boolean }[] }>();
    const other = sessions.find(({ current }) => !current)?.id ?? '';
    expect((await ida.remove(`/api/auth/sessions/${other}`)).json()).toEqual({ success: true });
    expect((await ida.remove(`/api/auth/sessions/${other}`)).json()).toEqual({
      error: 'This session has already ended',
      code: 'not_found',
    });
    expect((await ida.post('/api/auth/sessions/end', { keepCurrent: true })).json()).toEqual({ ended: 2 });
    await expect
      .poll(() => Promise.all([...tokens, ida.token].map(works)), { timeout: 20_000 })
      .toEqual([false, false, false, true]);
    expect((await ida.post('/api/auth/sessions/end', { keepCurrent: false })).json()).toEqual({ ended: 1 });
    await expect.poll(() => works(ida.token), { timeout: 20_000 }).toBe(false);
  });

  test('log-out ends the session everywhere: other processes drop the token too', async () => {
    const lea = await registerUser(s, 'lea');
    const second = await s.another();
    const there = () => second.app.inject({ url: '/api/auth/user', headers: bearer(lea.token) });
    expect((await there()).statusCode).toBe(200);
    expect((await lea.post('/api/auth/logout')).json()).toEqual({ success: true });
    expect((await lea.get('/api/auth/user')).json()).toEqual({
      error: 'Authentication required',
      code: 'unauthenticated',
    });
    await expect.poll(async () => (await there()).statusCode, { timeout: 20_000 }).toBe(401);
  });

  test('a session expires 30 days after its last use', async () => {
    const max = await registerUser(s, 'max');
    s.advance(29 * 24 * HOUR_MS);
    expect((await max.get('/api/auth/user')).statusCode).toBe(200);
    await s.product.auth.settled();
    s.advance(29 * 24 * HOUR_MS);
    expect((await max.get('/api/auth/user')).statusCode).toBe(200);
    await s.product.auth.settled();
    s.advance(31 * 24 * HOUR_MS);
    expect((await max.get('/api/auth/user')).statusCode).toBe(401);
    await s.job('auth.retention');
  });

  test('a session always expires after 90 days, an administrator session after 12 hours', async () => {
    const kit = await registerUser(s, 'kit');
    for (let day = 0; day < 89; day += 29) {
      expect([day, (await kit.get('/api/auth/user')).statusCode]).toEqual([day, 200]);
      await s.product.auth.settled();
      s.advance(29 * 24 * HOUR_MS);
    }
    expect((await kit.get('/api/auth/user')).statusCode).toBe(401);
    const admin = await registerUser(s, 'kits-admin', 'admin');
    const idle = await registerUser(s, 'idle-admin', 'admin');
    const signedIn = await login(admin.email, PASSWORD);
    s.advance(11 * HOUR_MS);
    expect((await admin.get('/api/auth/user')).statusCode).toBe(200);
    await s.product.auth.settled();
    s.advance(HOUR_MS);
    for (const token of [admin.token, idle.token, signedIn.json<{ token: string }>().token])
      expect((await sendRequest(s, 'GET', '/api/auth/user', undefined, { token })).statusCode).toBe(401);
  });

  test('a forged, truncated or non-bearer token is ignored: open routes respond as to a visitor', async () => {
    for (const authorization of ['Bearer s_forged', 'Bearer ', 'Basic YTpi', 'Bearer', `Bearer ${'x'.repeat(5000)}`]) {
      expect((await s.get('/api/auth/user', { authorization })).statusCode).toBe(401);
      expect((await s.get('/api/auth/options', { authorization })).statusCode).toBe(200);
    }
  });
});
