import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileProduct } from '#tests/support/for-file.ts';
import { newestLink, openConfirmation } from '#tests/support/mailbox.ts';
import { PASSWORD, registerUser, sendRequest } from '#tests/support/people.ts';
import { statusAndMessage } from '#tests/support/rows.ts';
import { start, type TestProduct } from '#tests/support/start.ts';

const loginAt = (s: TestProduct) => (email: string, password: string) =>
  sendRequest(s, 'POST', '/api/auth/login', { email, password });

describe('demo accounts', () => {
  const s = fileProduct({ mode: 'demo' });
  const login = (email: string, password: string) => loginAt(s)(email, password);

  test('one per plan can sign in, is offered in the options and survives a restart', async () => {
    await s.another();
    const options = (await s.get('/api/auth/options')).json<{
      demoAccounts: { email: string; password: string; plan: string; planName: string }[];
    }>();
    expect(options.demoAccounts.map(({ plan, planName, email }) => [plan, planName, email])).toEqual([
      ['free', 'Free', 'free@meridian.example'],
      ['pro', 'Pro', 'pro@meridian.example'],
      ['premium', 'Premium+', 'premium@meridian.example'],
      ['admin', 'Admin', 'admin@meridian.example'],
    ]);
    for (const { email, password, plan } of options.demoAccounts)
      expect((await login(email, password)).json().user).toMatchObject({ email, plan });
  });

  test('in demo mode every request for an email yields one, for known and unknown addresses alike', async () => {
    for (const email of ['free@meridian.example', 'nobody@people.example']) {
      const answer = await sendRequest(s, 'POST', '/api/auth/forgot-password', { email });
      const { demoMail } = answer.json<{ demoMail: string }>();
      const page = await s.get(demoMail);
      expect([page.statusCode, page.body.includes(email)]).toEqual([200, true]);
    }
    const none = await sendRequest(s, 'POST', '/api/auth/forgot-password', { email: 'no address, really' });
    expect([none.statusCode, Object.keys(none.json())]).toEqual([200, ['message']]);
  });

  test('in demo mode the response to a new address shows its email, for free and taken addresses alike', async () => {
    const { token } = (await login('free@meridian.example', 'Meridian-demo-1')).json();
    const notifications = { email: true, push: false, telegram: false };
    for (const email of ['new@people.example', 'pro@meridian.example']) {
      const answer = (await sendRequest(s, 'PUT', '/api/profile', { email, notifications }, { token })).json();
      expect([answer.email, answer.pendingEmail]).toEqual(['free@meridian.example', email]);
      const page = await s.get(answer.demoMail);
      expect([page.statusCode, page.body.includes(email)]).toEqual([200, true]);
    }
  });
});

describe('live installation accounts', () => {
  const ADMIN_PASSWORD = 'Root-Rivers-29!';
  const env = (name: string) => ({ ADMIN_EMAIL: `${name}@People.example`, ADMIN_PASSWORD });
  let s: TestProduct;
  beforeAll(async () => {
    s = await start();
  });
  afterAll(() => s.stop());
  const login = (email: string, password: string) => loginAt(s)(email, password);

  test('a live installation has no demo accounts', async () => {
    expect((await login('pro@meridian.example', 'Meridian-demo-1')).statusCode).toBe(401);
  });

  /** Of two processes starting at once, one appoints the administrator and the other finds one. */
  async function startTwo(given: Record<string, string>): Promise<void> {
    await Promise.all([s.another(given), s.another(given)]);
    const { db } = s.product.market.ctx;
    const { rows } = await sql`select from audit_log a join users u on u.id = a.subject_id
      where a.action = 'admin.appoint' and u.email = ${given['ADMIN_EMAIL']?.toLowerCase()}`.execute(db);
    expect(rows).toHaveLength(1);
  }

  test('the administrator is created at startup, also by two processes, and keeps the existing password', async () => {
    await startTwo(env('Root'));
    const answer = await login('root@people.example', ADMIN_PASSWORD);
    expect(answer.json().user).toMatchObject({ isAdmin: true, plan: 'admin' });
    await s.another({ ...env('Root'), ADMIN_PASSWORD: 'Something-Else-1!' });
    expect((await login('root@people.example', ADMIN_PASSWORD)).statusCode).toBe(200);
    expect((await login('root@people.example', 'Something-Else-1!')).statusCode).toBe(401);
  });

  test('the administrator password must be hard to guess, at startup and when changed', async () => {
    await expect(s.another({ ...env('hard'), ADMIN_PASSWORD: 'Root-77?' })).rejects.toThrow(
      'ADMIN_PASSWORD is too easy to guess: use several words, or at least 12 random characters.',
    );
    await s.another(env('hard'));
    const { token } = (await login('hard@people.example', ADMIN_PASSWORD)).json<{ token: string }>();
    const change = (newPassword: string) => {
      const body = { currentPassword: ADMIN_PASSWORD, newPassword };
      return sendRequest(s, 'POST', '/api/auth/change-password', body, { token });
    };
    const refused = await change('Horse-77?');
    expect(statusAndMessage(refused)).toEqual([
      400,
      'This password is too easy to guess for an administrator. Use several words.',
    ]);
    expect((await change('Other-Rivers-30!')).statusCode).toBe(200);
  });

  test("an unconfirmed account may be a stranger's: it gets the configured password and is signed out", async () => {
    const stranger = await registerUser(s, 'stranger');
    await startTwo(env('stranger'));
    await expect.poll(async () => (await stranger.get('/api/auth/user')).statusCode, { timeout: 20_000 }).toBe(401);
    expect((await login(stranger.email, PASSWORD)).statusCode).toBe(401);
    expect((await login(stranger.email, ADMIN_PASSWORD)).json().user).toMatchObject({ id: stranger.id, isAdmin: true });
  });

  test('a confirmed account becomes administrator, keeping its password', async () => {
    const strict = { ...s, product: await s.another({ EMAIL_CONFIRMATION: 'on' }) };
    const email = 'owner@people.example';
    await sendRequest(strict, 'POST', '/api/auth/register', { email, password: PASSWORD });
    await openConfirmation(strict, await newestLink(strict, email, 'confirm'));
    await s.another(env('owner'));
    expect((await login(email, PASSWORD)).json().user).toMatchObject({ isAdmin: true });
  });
});
