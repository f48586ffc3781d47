import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserDetail } from '#features/operations/contract/admin.ts';
import { emailsTo, newestLink, openConfirmation } from '#tests/support/mailbox.ts';
import { PASSWORD, registerUser, sendRequest, type TestUser } from '#tests/support/people.ts';
import { readAudit } from '#tests/support/rows.ts';
import { openShop, queryRows, type Shop } from '#tests/support/shop.ts';

let shop: Shop;
let s: Shop['s'];
let admin: TestUser;
beforeAll(async () => {
  shop = await openShop();
  s = shop.s;
  admin = await registerUser(s, 'admin', 'admin');
});
afterAll(() => s.stop());

const at = ({ id }: { id: number }, call = '') => `/api/admin/users/${id}${call}`;
const detailOf = async (who: { id: number }) => (await admin.get(at(who))).json<UserDetail>();

describe('GET /api/admin/users/:id', () => {
  test('200: plan with its details, sessions, payments, keys, second factor and log, no secret', async () => {
    const ann = await registerUser(s, 'ann');
    await shop.buyAndDeliver(ann, 'pro');
    const until = new Date(s.clock.now().getTime() + 10 * 86_400_000).toISOString();
    await admin.put(at(ann, '/plan'), { plan: 'premium', until, note: 'A gift' });
    const { api_key: key } = (await ann.post('/api/keys', { name: 'desk' })).json();
    const answer = await admin.get(at(ann));
    const detail = answer.json<UserDetail>();
    expect(detail.user).toMatchObject({ id: ann.id, email: ann.email, plan: 'premium', isDisabled: false });
    expect(detail.facts[0]).toEqual({
      id: expect.any(Number),
      source: 'admin',
      plan: 'premium',
      from: s.clock.now().toISOString(),
      until,
      at: s.clock.now().toISOString(),
      by: { id: admin.id, email: admin.email },
      note: 'A gift',
      inForce: true,
    });
    expect(
      detail.facts.some(({ source, plan, inForce }) => source.startsWith('grant:') && plan === 'pro' && inForce),
    ).toBe(true);
    expect(detail.sessions).toEqual([expect.objectContaining({ network: '127.0.0.0/24' })]);
    expect(detail.billing.card).toMatchObject({ plan: 'pro', cancelled: false });
    expect(detail.keys).toEqual([
      {
        id: expect.any(Number),
        name: 'desk',
        scopes: expect.any(Array),
        createdAt: expect.any(String),
        lastUsed: null,
      },
    ]);
    expect([detail.twoFactor, detail.passkeys, detail.disabled]).toEqual([false, 0, null]);
    expect(detail.audit.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['account.create', 'session.start', 'plan.set', 'api-key.add']),
    );
    expect(answer.body).not.toContain(key);
    expect(answer.body).not.toMatch(/hash|token|secret|mk_live/i);
  });

  test('a receipt is identical to the user’s, and reading it is audited', async () => {
    const bob = await registerUser(s, 'bob');
    await shop.buyAndDeliver(bob, 'pro');
    const receipt = (await detailOf(bob)).billing.entries.find(({ state }) => state === 'paid')?.receipt ?? '';
    expect(receipt).toMatch(new RegExp(`^/api/admin/users/${bob.id}/receipts/`));
    const file = await admin.get(receipt);
    expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(file.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await readAudit(s, bob.id, 'receipt')).map(({ action }) => action)).toEqual(['receipt.read']);
    expect(
      (await admin.get(at(await registerUser(s, 'bill'), `/receipts/${receipt.split('/').at(-1)}`))).statusCode,
    ).toBe(404);
    expect((await bob.get(receipt)).statusCode).toBe(403);
  });

  test('404 and 400: unknown user, invalid id', async () => {
    expect((await admin.get('/api/admin/users/999999')).json().error).toBe('User not found');
    expect((await admin.get('/api/admin/users/x')).statusCode).toBe(400);
  });
});

describe('POST /api/admin/users/:id/sessions/end', () => {
  test('200: one, then all, each recorded with who ended it', async () => {
    const dan = await registerUser(s, 'dan');
    await sendRequest(s, 'POST', '/api/auth/login', { email: dan.email, password: PASSWORD });
    const [first, second] = (await detailOf(dan)).sessions;
    const end = (session: string | null) => admin.post(at(dan, '/sessions/end'), { session });
    expect((await end(first?.id ?? '')).json()).toEqual({ ended: 1 });
    expect((await end(first?.id ?? '')).json().error).toBe('This session has already ended');
    expect((await detailOf(dan)).sessions.map(({ id }) => id)).toEqual([second?.id]);
    expect((await end(null)).json()).toEqual({ ended: 1 });
    await expect.poll(async () => (await dan.get('/api/auth/user')).statusCode, { timeout: 20_000 }).toBe(401);
    const { audit } = await detailOf(dan);
    expect(audit[0]).toMatchObject({ action: 'session.end', actor: { id: admin.id, email: admin.email } });
  });

  test('a session of another user, an unknown one, and without permission', async () => {
    const [eve, fay] = [await registerUser(s, 'eve'), await registerUser(s, 'fay')];
    const [own] = (await detailOf(fay)).sessions;
    expect((await admin.post(at(eve, '/sessions/end'), { session: own?.id })).statusCode).toBe(404);
    expect((await fay.get('/api/auth/user')).statusCode).toBe(200);
    expect((await admin.post('/api/admin/users/999999/sessions/end', { session: null })).statusCode).toBe(404);
    expect((await eve.post(at(fay, '/sessions/end'), { session: null })).statusCode).toBe(403);
  });
});

describe('POST /api/admin/users/:id/resend-confirmation', () => {
  test('200: the emailed link confirms the address, then there is nothing to send', async () => {
    const gus = await registerUser(s, 'gus');
    const resend = () => admin.post(at(gus, '/resend-confirmation'));
    expect((await resend()).json()).toEqual({ message: `Confirmation email sent to ${gus.email}` });
    expect((await openConfirmation(s, await newestLink(s, gus.email, 'confirm'))).statusCode).toBe(200);
    expect((await detailOf(gus)).user.emailVerified).toBe(true);
    expect((await resend()).json()).toEqual({ error: 'This address is already confirmed', code: 'conflict' });
    expect((await readAudit(s, gus.id, 'email')).map(({ action }) => action)).toEqual([
      'email.resend',
      'email.confirm',
    ]);
  });

  test('429: three per hour, including the user’s own, 409 while disabled, 404 and 403', async () => {
    const hal = await registerUser(s, 'hal');
    const resend = () => admin.post(at(hal, '/resend-confirmation'));
    await sendRequest(s, 'POST', '/api/auth/resend-confirmation', { email: hal.email });
    await s.product.auth.settled();
    const answers = [await resend(), await resend(), await resend()];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
    expect((await emailsTo(s, hal.email)).filter(({ kind }) => kind === 'confirm')).toHaveLength(3);
    await admin.post(at(hal, '/disable'), { reason: 'Spam' });
    expect((await resend()).json().error).toBe('This account is disabled');
    expect((await admin.post('/api/admin/users/999999/resend-confirmation')).statusCode).toBe(404);
    const ida = await registerUser(s, 'ida');
    expect((await ida.post(at(ida, '/resend-confirmation'))).statusCode).toBe(403);
  });
});

test('a card is not charged again after the account is disabled or deleted', async () => {
  const [jan, kim] = [await registerUser(s, 'jan'), await registerUser(s, 'kim')];
  for (const who of [jan, kim]) await shop.buy(who, 'pro');
  await shop.deliverPending();
  await admin.post(at(jan, '/disable'), { reason: 'Chargebacks' });
  await admin.remove(at(kim));
  await s.product.auth.settled();
  expect((await detailOf(jan)).billing.card).toMatchObject({ cancelled: true });
  const stateOf = (who: TestUser) =>
    queryRows(s, 'select status, cancel_at_period_end as ends from card_subscriptions where user_id = $1', [who.id]);
  expect(await stateOf(jan)).toEqual([{ status: 'active', ends: true }]);
  expect(await stateOf(kim)).toEqual([{ status: 'canceled', ends: false }]);
});
