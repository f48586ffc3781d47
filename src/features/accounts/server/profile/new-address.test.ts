import { describe, expect, test } from 'vitest';
import { fileProduct } from '#tests/support/for-file.ts';
import { emailsTo, newestLink, openConfirmation } from '#tests/support/mailbox.ts';
import { PASSWORD, sendRequest } from '#tests/support/people.ts';

const ON = { email: true, push: false, telegram: false };
const MINUTE_MS = 60_000;
const refused = (error: string) => ({ error, code: 'bad_request' });
const INVALID = refused('Invalid confirmation token');
const confirmed = (email: string) => ({ email });

const s = fileProduct({ env: { EMAIL_CONFIRMATION: 'on' } });

async function member(name: string) {
  const email = `${name}@people.example`;
  await sendRequest(s, 'POST', '/api/auth/register', { email, password: PASSWORD });
  const { token: handed } = await open(await newestLink(s, email, 'confirm'));
  const { token } = (await sendRequest(s, 'POST', '/api/auth/exchange', { token: handed })).json<{ token: string }>();
  return {
    email,
    token,
    want: (wanted: string, more: object = {}) =>
      sendRequest(s, 'PUT', '/api/profile', { email: wanted, notifications: ON, ...more }, { token }),
    cancel: () => sendRequest(s, 'DELETE', '/api/profile/pending-email', undefined, { token }),
    account: async () => (await sendRequest(s, 'GET', '/api/subscription', undefined, { token })).json(),
  };
}
const linkSentTo = (email: string) => newestLink(s, email, 'email-change-confirm');
const open = async (link: string) => (await openConfirmation(s, link)).json();

describe('a new address that requires confirmation', () => {
  test('is pending: the old one stays active and is notified, the link switches the account, once', async () => {
    const ann = await member('ann');
    const answer = await ann.want('ann2@people.example');
    expect(answer.json()).toMatchObject({ email: ann.email, pendingEmail: 'ann2@people.example' });
    expect((await emailsTo(s, ann.email)).at(-1)?.kind).toBe('email-change-notice');
    const link = await linkSentTo('ann2@people.example');
    expect(await open(link)).toEqual(confirmed('ann2@people.example'));
    const moved = { email: 'ann2@people.example', pendingEmail: null, emailVerified: true };
    expect(await ann.account()).toMatchObject(moved);
    // Mail scanners open a link before its owner does.
    s.advance(9 * MINUTE_MS);
    expect(await open(link)).toEqual(confirmed('ann2@people.example'));
    s.advance(2 * MINUTE_MS);
    expect(await open(link)).toEqual(INVALID);
    expect(await ann.account()).toMatchObject(moved);
  });

  test('concurrent openings of one link get the same response, and it counts once', async () => {
    const gil = await member('gil');
    await gil.want('gil2@people.example');
    const link = await linkSentTo('gil2@people.example');
    const all = await Promise.all(Array.from({ length: 6 }, () => open(link)));
    expect(all).toEqual(all.map(() => confirmed('gil2@people.example')));
    const { id } = await gil.account();
    const changes = await s.product.market.ctx.db
      .selectFrom('audit_log')
      .select('id')
      .where('subject_id', '=', id)
      .where('action', '=', 'email.change')
      .execute();
    expect(changes).toHaveLength(1);
  });

  test('a link older than 24 hours changes nothing, and the address can be requested again', async () => {
    const hal = await member('hal');
    await hal.want('hal2@people.example');
    const old = await linkSentTo('hal2@people.example');
    s.advance(24 * 60 * MINUTE_MS);
    expect(await open(old)).toEqual(refused('Confirmation token has expired'));
    expect((await hal.want('hal2@people.example', { currentPassword: PASSWORD })).statusCode).toBe(200);
    expect(await open(old)).toEqual(INVALID);
    expect(await open(await linkSentTo('hal2@people.example'))).toEqual(confirmed('hal2@people.example'));
  });

  test('a taken address gets the same response, and its owner is notified', async () => {
    const ben = await member('ben');
    await member('owner');
    const answer = await ben.want('owner@people.example');
    expect(answer.json()).toMatchObject({ email: ben.email, pendingEmail: 'owner@people.example' });
    expect((await emailsTo(s, 'owner@people.example')).at(-1)?.kind).toBe('already-registered');
  });

  test('an address taken by another account in the meantime is not applied and is no longer pending', async () => {
    const ida = await member('ida');
    await ida.want('late@people.example');
    const link = await linkSentTo('late@people.example');
    await member('late');
    expect(await open(link)).toEqual(INVALID);
    expect(await ida.account()).toMatchObject({ email: ida.email, pendingEmail: null });
  });

  test('403: after 15 minutes it requires the correct password', async () => {
    const cat = await member('cat');
    s.advance(16 * MINUTE_MS);
    const to = 'cat2@people.example';
    expect((await cat.want(to)).json().code).toBe('reauthentication_required');
    expect((await cat.want(to, { currentPassword: 'no' })).json().error).toBe('Incorrect password');
    expect((await cat.want(to, { currentPassword: PASSWORD })).json().pendingEmail).toBe(to);
  });

  test('429: three per hour, with the time to wait', async () => {
    const dan = await member('dan');
    for (const n of [1, 2, 3]) expect((await dan.want(`dan-${n}@people.example`)).statusCode).toBe(200);
    const answer = await dan.want('dan-4@people.example');
    expect([answer.statusCode, answer.json().error, Number(answer.headers['retry-after'])]).toEqual([
      429,
      'Too many attempts. Please try again later.',
      3600,
    ]);
    expect((await dan.account()).pendingEmail).toBe('dan-3@people.example');
  });
});

describe('DELETE /api/profile/pending-email', () => {
  test('200: cancels the pending address, invalidates its link and logs it; a repeat changes nothing', async () => {
    const eve = await member('eve');
    await eve.want('eve2@people.example');
    const link = await linkSentTo('eve2@people.example');
    expect((await eve.cancel()).json()).toMatchObject({ email: eve.email, pendingEmail: null });
    expect(await open(link)).toEqual(INVALID);
    const again = await eve.cancel();
    expect([again.statusCode, again.json().email]).toEqual([200, eve.email]);
    const logged = await s.product.market.ctx.db
      .selectFrom('audit_log')
      .select('actor_id')
      .where('action', '=', 'email.cancel')
      .execute();
    expect(logged).toEqual([{ actor_id: (await eve.account()).id }]);
  });
});

describe('an address requested by a stranger', () => {
  const elsewhere = { ip: '203.0.113.77' };

  test('is canceled by a password reset', async () => {
    const fay = await member('fay');
    await fay.want('stranger@people.example');
    const link = await linkSentTo('stranger@people.example');
    await sendRequest(s, 'POST', '/api/auth/forgot-password', { email: fay.email }, elsewhere);
    await expect.poll(async () => (await emailsTo(s, fay.email)).at(-1)?.kind).toBe('reset');
    const token = new URL(await newestLink(s, fay.email, 'reset'), 'http://x').searchParams.get('token');
    const reset = { token, newPassword: 'A-new-one-7!' };
    expect((await sendRequest(s, 'POST', '/api/auth/reset-password', reset, elsewhere)).statusCode).toBe(200);
    expect(await open(link)).toEqual(INVALID);
  });

  test('is canceled by a password change', async () => {
    const jo = await member('jo');
    await jo.want('stranger2@people.example');
    const link = await linkSentTo('stranger2@people.example');
    const change = { currentPassword: PASSWORD, newPassword: 'A-new-one-7!' };
    expect((await sendRequest(s, 'POST', '/api/auth/change-password', change, { token: jo.token })).statusCode).toBe(
      200,
    );
    expect(await open(link)).toEqual(INVALID);
    expect((await jo.account()).pendingEmail).toBeNull();
  });

  test('a reset link sent to the old mailbox stops working after the address changes', async () => {
    const kim = await member('kim');
    await sendRequest(s, 'POST', '/api/auth/forgot-password', { email: kim.email }, elsewhere);
    await expect.poll(async () => (await emailsTo(s, kim.email)).at(-1)?.kind).toBe('reset');
    const token = new URL(await newestLink(s, kim.email, 'reset'), 'http://x').searchParams.get('token');
    await kim.want('kim2@people.example');
    await open(await linkSentTo('kim2@people.example'));
    const answer = await sendRequest(
      s,
      'POST',
      '/api/auth/reset-password',
      { token, newPassword: 'A-new-one-7!' },
      elsewhere,
    );
    expect(answer.json().error).toBe('This password reset link is invalid or has expired. Please request a new one.');
  });
});
