import { afterEach, describe, expect, test } from 'vitest';

import { newestLink, openConfirmation } from '#tests/support/mailbox.ts';
import { ask, PASSWORD, person } from '#tests/support/people.ts';
import { type Started, start } from '#tests/support/start.ts';

let s: Started;
afterEach(() => s.stop());

const login = (email: string, password: string) => ask(s, 'POST', '/api/auth/login', { email, password });

describe('demo accounts', () => {
  test('one per plan signs in, is offered by the options, and outlives another start', async () => {
    s = await start({ mode: 'demo' });
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

  test('in demo mode every wait for a mail ends in one, for known and unknown addresses alike', async () => {
    s = await start({ mode: 'demo' });
    for (const email of ['free@meridian.example', 'nobody@people.example']) {
      const answer = await ask(s, 'POST', '/api/auth/forgot-password', { email });
      const { demoMail } = answer.json<{ demoMail: string }>();
      const page = await s.get(demoMail);
      expect([page.statusCode, page.body.includes(email)]).toEqual([200, true]);
    }
    const none = await ask(s, 'POST', '/api/auth/forgot-password', { email: 'no address, really' });
    expect([none.statusCode, Object.keys(none.json())]).toEqual([200, ['message']]);
  });

  test('in demo mode the answer to a new address shows its mail, for free and taken ones alike', async () => {
    s = await start({ mode: 'demo' });
    const { token } = (await login('free@meridian.example', 'Meridian-demo-1')).json();
    const notifications = { email: true, push: false, telegram: false };
    for (const email of ['new@people.example', 'pro@meridian.example']) {
      const answer = (await ask(s, 'PUT', '/api/profile', { email, notifications }, { token })).json();
      expect([answer.email, answer.pendingEmail]).toEqual(['free@meridian.example', email]);
      const page = await s.get(answer.demoMail);
      expect([page.statusCode, page.body.includes(email)]).toEqual([200, true]);
    }
  });

  test('a live installation has none', async () => {
    s = await start();
    expect((await login('pro@meridian.example', 'Meridian-demo-1')).statusCode).toBe(401);
  });
});

describe('the first administrator', () => {
  const env = { ADMIN_EMAIL: 'Root@People.example', ADMIN_PASSWORD: 'Root-Rivers-29!' };

  test('is made at start, also when two processes start, and keeps a password of their own', async () => {
    s = await start({ env });
    await s.another(env);
    const answer = await login('root@people.example', env.ADMIN_PASSWORD);
    expect(answer.json().user).toMatchObject({ isAdmin: true, plan: 'admin' });
    await s.another({ ...env, ADMIN_PASSWORD: 'Something-Else-1!' });
    expect((await login('root@people.example', env.ADMIN_PASSWORD)).statusCode).toBe(200);
    expect((await login('root@people.example', 'Something-Else-1!')).statusCode).toBe(401);
  });

  test('its password must be hard to guess, at start and when it is changed', async () => {
    await expect(start({ env: { ...env, ADMIN_PASSWORD: 'Root-77?' } })).rejects.toThrow(
      'ADMIN_PASSWORD is too easy to guess: use several words, or 12 random characters and more.',
    );
    s = await start({ env });
    const { token } = (await login('root@people.example', env.ADMIN_PASSWORD)).json<{ token: string }>();
    const change = (newPassword: string) => {
      const body = { currentPassword: env.ADMIN_PASSWORD, newPassword };
      return ask(s, 'POST', '/api/auth/change-password', body, { token });
    };
    const refused = await change('Horse-77?');
    expect([refused.statusCode, refused.json().error]).toEqual([
      400,
      'This password is too easy to guess for an administrator. Use several words.',
    ]);
    expect((await change('Other-Rivers-30!')).statusCode).toBe(200);
  });

  test("an account that nobody has confirmed may be a stranger's: it takes the configured password and is signed out", async () => {
    s = await start();
    const root = await person(s, 'root');
    await s.another(env);
    await expect.poll(async () => (await root.get('/api/auth/user')).statusCode, { timeout: 20_000 }).toBe(401);
    expect((await login(root.email, PASSWORD)).statusCode).toBe(401);
    expect((await login(root.email, env.ADMIN_PASSWORD)).json().user).toMatchObject({ id: root.id, isAdmin: true });
  });

  test('a confirmed account becomes one and keeps its password', async () => {
    s = await start({ env: { EMAIL_CONFIRMATION: 'on' } });
    await ask(s, 'POST', '/api/auth/register', { email: 'root@people.example', password: PASSWORD });
    await openConfirmation(s, await newestLink(s, 'root@people.example', 'confirm'));
    await s.another(env);
    expect((await login('root@people.example', PASSWORD)).json().user).toMatchObject({ isAdmin: true });
  });
});
