import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { mailsTo, newestLink } from '#tests/support/mailbox.ts';
import { ask, PASSWORD, person } from '#tests/support/people.ts';
import { type Started, start } from '#tests/support/start.ts';

const ON = { email: true, push: false, telegram: false };

let s: Started;
beforeAll(async () => {
  s = await start({ env: { EMAIL_CONFIRMATION: 'off' } });
});
afterAll(() => s.stop());

describe('GET /api/subscription', () => {
  test('200: every field the pages ask for', async () => {
    const ann = await person(s, 'ann', 'premium');
    expect((await ann.get('/api/subscription')).json()).toEqual({
      id: ann.id,
      email: 'ann@people.example',
      pendingEmail: null,
      emailVerified: false,
      plan: 'premium',
      planName: 'Premium+',
      status: 'active',
      role: 'user',
      isAdmin: false,
      currentPeriodEnd: null,
      needsRenewal: false,
      expiredAt: null,
      daysUntilExpiry: null,
      notifications: ON,
      createdAt: s.clock.now().toISOString(),
    });
  });

  test('200: an administrator is on the plan admin', async () => {
    const ben = await person(s, 'ben', 'admin');
    expect((await ben.get('/api/subscription')).json()).toMatchObject({
      plan: 'admin',
      planName: 'Admin',
      role: 'admin',
      isAdmin: true,
      status: 'active',
    });
  });

  test('401: nobody', async () => {
    expect((await s.get('/api/subscription')).json()).toEqual({
      error: 'Authentication required',
      code: 'unauthenticated',
    });
  });
});

describe('PUT /api/profile', () => {
  test('200: notifications are stored; the answer is the updated profile', async () => {
    const cat = await person(s, 'cat');
    const notifications = { email: false, push: true, telegram: true };
    const answer = await cat.put('/api/profile', { email: cat.email, notifications });
    expect([answer.statusCode, answer.json().notifications]).toEqual([200, notifications]);
    expect((await cat.get('/api/subscription')).json().notifications).toEqual(notifications);
  });

  test.each([
    ['no address', { email: 'x', notifications: ON }, 'Please enter a valid email address'],
    ['a channel missing', { email: 'a@x.io', notifications: { email: true, push: true } }, 'notifications.telegram'],
    ['an unknown field', { email: 'a@x.io', notifications: ON, plan: 'premium' }, 'Unrecognized key: "plan"'],
  ])('400: %s', async (_what, body, error) => {
    const dan = await person(s, `dan${Math.random()}`.replace('.', ''));
    const answer = await dan.put('/api/profile', body);
    expect([answer.statusCode, answer.json().error]).toEqual([400, expect.stringContaining(error)]);
  });

  test('200 and 409 where no mail can be confirmed: the address changes at once, a taken one is refused', async () => {
    const eve = await person(s, 'eve');
    const answer = await eve.put('/api/profile', { email: 'Eve.New@people.example', notifications: ON });
    expect(answer.json()).toMatchObject({ email: 'eve.new@people.example', pendingEmail: null });
    const taken = await eve.put('/api/profile', { email: 'ann@people.example', notifications: ON });
    expect(taken.json()).toEqual({ error: 'An account with this email already exists', code: 'conflict' });
    const half = { email: 'ann@people.example', notifications: { email: false, push: true, telegram: true } };
    expect((await eve.put('/api/profile', half)).statusCode).toBe(409);
    expect((await eve.get('/api/subscription')).json().notifications).toEqual(ON);
    expect((await mailsTo(s, 'eve@people.example')).map(({ kind }) => kind)).toEqual(['email-change-notice']);
  });
});

describe('a new address that has to be confirmed', () => {
  let strict: Started;
  beforeAll(async () => {
    strict = await start({ env: { EMAIL_CONFIRMATION: 'on' } });
  });
  afterAll(() => strict.stop());

  async function member(name: string) {
    const email = `${name}@people.example`;
    await ask(strict, 'POST', '/api/auth/register', { email, password: PASSWORD });
    const next = (await strict.get(await newestLink(strict, email, 'confirm'))).headers.location ?? '';
    const token = new URL(next, 'http://x').searchParams.get('token') ?? '';
    return {
      email,
      put: (body: unknown) => ask(strict, 'PUT', '/api/profile', body, { token }),
      account: async () => (await ask(strict, 'GET', '/api/subscription', undefined, { token })).json(),
    };
  }

  test('waits: the old one stays in force and is told, the link moves the account, once', async () => {
    const ann = await member('ann');
    const answer = await ann.put({ email: 'ann2@people.example', notifications: ON });
    expect(answer.json()).toMatchObject({ email: 'ann@people.example', pendingEmail: 'ann2@people.example' });
    expect((await mailsTo(strict, 'ann@people.example')).at(-1)?.kind).toBe('email-change-notice');
    const link = await newestLink(strict, 'ann2@people.example', 'email-change-confirm');
    expect((await strict.get(link)).headers.location).toBe('/app/profile?email=confirmed');
    expect(await ann.account()).toMatchObject({
      email: 'ann2@people.example',
      pendingEmail: null,
      emailVerified: true,
    });
    expect((await strict.get(link)).headers.location).toBe('/auth/confirm-error?error=Invalid%20confirmation%20token');
  });

  test('a taken address looks the same, and its owner is told', async () => {
    const ben = await member('ben');
    await member('owner');
    const answer = await ben.put({ email: 'owner@people.example', notifications: ON });
    expect(answer.json()).toMatchObject({ email: 'ben@people.example', pendingEmail: 'owner@people.example' });
    expect((await mailsTo(strict, 'owner@people.example')).at(-1)?.kind).toBe('already-registered');
  });

  test('403: past 15 minutes it needs the password, and the right one', async () => {
    const cat = await member('cat');
    strict.advance(16 * 60_000);
    const wanted = { email: 'cat2@people.example', notifications: ON };
    expect((await cat.put(wanted)).json().code).toBe('reauthentication_required');
    expect((await cat.put({ ...wanted, currentPassword: 'no' })).json().error).toBe('The password is not correct');
    expect((await cat.put({ ...wanted, currentPassword: PASSWORD })).json().pendingEmail).toBe('cat2@people.example');
  });
});
