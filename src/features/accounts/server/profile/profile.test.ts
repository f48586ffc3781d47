import { describe, expect, test } from 'vitest';
import { fileProduct } from '#tests/support/file-product.ts';
import { mailsTo } from '#tests/support/mailbox.ts';
import { person } from '#tests/support/people.ts';

const ON = { email: true, push: false, telegram: false };

const s = fileProduct({ env: { EMAIL_CONFIRMATION: 'off' } });

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
      weakPassword: false,
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
