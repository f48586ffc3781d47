import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';

import type { EmailStatus } from '#features/notifications/contract/email.ts';
import { useProductWithMail } from '#tests/support/for-file.ts';
import { emailAlert, readDeliveries } from '#tests/support/mailed.ts';
import { registerUser, sendRequest, type TestUser } from '#tests/support/people.ts';

const TRIES_SECONDS = [30, 120, 600, 3600];
const DAY_MS = 86_400_000;

const { s, sink } = useProductWithMail();

const db = () => s.product.market.ctx.db;
const statusOf = async (who: TestUser) => (await who.get('/api/email/status')).json<EmailStatus>();
const forgot = async ({ email }: TestUser) => {
  await sendRequest(s, 'POST', '/api/auth/forgot-password', { email });
  await s.product.auth.settled();
  await s.product.mail.deliver();
};

/** An alert whose email is temporarily refused in each attempt. */
async function giveUp(who: TestUser, once: string): Promise<void> {
  await emailAlert(s, who, once);
  for (const seconds of TRIES_SECONDS) {
    s.advance(seconds * 1000);
    await s.product.mail.deliver();
  }
}

describe('a permanently refused address', () => {
  let ann: TestUser;
  beforeAll(async () => {
    ann = await registerUser(s, 'ann', 'pro');
    sink.judge(() => [550, '5.1.1 no such user']);
    await emailAlert(s, ann, 'refused');
  });

  test('the user’s log states the reason, and so does the call for it', async () => {
    expect(await readDeliveries(s, ann)).toMatchObject([
      { state: 'failed', note: expect.stringMatching(/550 5\.1\.1 no such user.*is suspended/) },
    ]);
    expect(await statusOf(ann)).toEqual({
      address: ann.email,
      suppressed: {
        reason: 'refused',
        until: null,
        at: s.clock.now().toISOString(),
        note: expect.stringMatching(/^Your mail server rejects email to your address: .*no such user/),
      },
    });
  });

  test('receives no more notification emails', async () => {
    await emailAlert(s, ann, 'not mailed');
    expect(sink.emails).toEqual([]);
    expect(await readDeliveries(s, ann)).toHaveLength(1);
  });

  test('an email in progress when the address was refused logs the reason', async () => {
    const zoe = await registerUser(s, 'zoe');
    await sql`update mail_suppressions set user_id = ${zoe.id}`.execute(db());
    await emailAlert(s, ann, 'on its way');
    expect(sink.emails).toEqual([]);
    expect((await readDeliveries(s, ann)).at(-1)).toMatchObject({
      state: 'dropped',
      note: expect.stringMatching(/^Your mail server rejects email/),
    });
  });

  test('is stored as a keyed hash, never in plain text', async () => {
    const { rows } = await sql<{
      text: string;
    }>`select s::text || encode(address_hash, 'escape') as text from mail_suppressions s`.execute(db());
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).not.toContain('ann@');
  });

  test('409: cannot be resumed on request', async () => {
    expect((await ann.post('/api/email/resume')).statusCode).toBe(409);
    expect((await statusOf(ann)).suppressed).not.toBeNull();
  });

  test('account emails are still sent, and a delivered one lifts the pause', async () => {
    await forgot(ann);
    expect(sink.emails.map(({ subject }) => subject)).toEqual(['Reset your password']);
    expect((await statusOf(ann)).suppressed).toBeNull();
    await emailAlert(s, ann, 'mailed again');
    expect(sink.emails).toHaveLength(2);
  });

  test('is cleared when the user confirms an address', async () => {
    sink.judge(() => [550, '5.1.1 no such user']);
    await emailAlert(s, ann, 'refused again');
    expect((await statusOf(ann)).suppressed).not.toBeNull();
    sink.judge(() => null);
    s.advance(1000);
    await ann.put('/api/profile', {
      email: 'ann.new@people.example',
      notifications: { email: true, push: false, telegram: false },
      currentPassword: 'Three-Rivers-29!',
    });
    expect(await statusOf(ann)).toEqual({ address: 'ann.new@people.example', suppressed: null });
    sink.emails.length = 0;
    await emailAlert(s, ann, 'to the new one');
    expect(sink.emails.map(({ rcptTo }) => rcptTo)).toContainEqual(['ann.new@people.example']);
  });
});

test('an address confirmed again has a clean history', async () => {
  const who = await registerUser(s, 'back', 'pro');
  sink.judge(() => [550, '5.1.1 no such user']);
  await emailAlert(s, who, 'before it came back');
  expect((await statusOf(who)).suppressed).not.toBeNull();
  const notifications = { email: true, push: false, telegram: false };
  for (const email of ['away@people.example', who.email]) {
    s.advance(1000);
    const answer = await who.put('/api/profile', { email, notifications, currentPassword: 'Three-Rivers-29!' });
    expect(answer.statusCode).toBe(200);
  }
  expect(await statusOf(who)).toEqual({ address: who.email, suppressed: null });
});

describe('failures unrelated to the address', () => {
  test.each([
    ['a refusal of us (5.7.1)', 550, '5.7.1 you are not welcome'],
    ['a refusal for now (4.2.1)', 451, '4.2.1 try later'],
  ])('%s pauses nothing', async (what, code, words) => {
    const who = await registerUser(s, `w${code}`, 'pro');
    sink.judge(() => [code, words]);
    await emailAlert(s, who, what);
    expect((await statusOf(who)).suppressed).toBeNull();
  });

  test('451: it is retried and delivered', async () => {
    const who = await registerUser(s, 'later', 'pro');
    sink.judge(() => [451, '4.2.1 try later']);
    await emailAlert(s, who, 'later');
    expect(await readDeliveries(s, who)).toMatchObject([{ state: 'handed' }]);
    sink.judge(() => null);
    s.advance(30_000);
    await s.product.mail.deliver();
    expect(await readDeliveries(s, who)).toMatchObject([{ state: 'sent', sent_at: s.clock.now().toISOString() }]);
  });
});

describe('an unreachable address', () => {
  test('three failures in seven days pause it for seven days', async () => {
    const who = await registerUser(s, 'full', 'pro');
    sink.judge(() => [452, '4.2.2 mailbox full']);
    await giveUp(who, 'one');
    await giveUp(who, 'two');
    expect((await statusOf(who)).suppressed).toBeNull();
    await giveUp(who, 'three');
    const { suppressed } = await statusOf(who);
    const until = new Date(s.clock.now().getTime() + 7 * DAY_MS).toISOString();
    expect(suppressed).toMatchObject({ reason: 'unreachable', until, note: expect.stringContaining('mailbox full') });
    sink.judge(() => null);
    s.advance(7 * DAY_MS - 1000);
    await emailAlert(s, who, 'four');
    expect(sink.emails).toEqual([]);
    s.advance(1000);
    await emailAlert(s, who, 'five');
    expect(sink.emails).toHaveLength(1);
  });

  test('200: is retried when the user requests it, with the count reset', async () => {
    const who = await registerUser(s, 'cleared', 'pro');
    sink.judge(() => [452, '4.2.2 mailbox full']);
    for (const once of ['a', 'b', 'c']) await giveUp(who, `cleared ${once}`);
    expect((await statusOf(who)).suppressed).not.toBeNull();
    const answer = await who.post('/api/email/resume');
    expect([answer.statusCode, answer.json()]).toEqual([200, { address: who.email, suppressed: null }]);
    expect((await who.post('/api/email/resume')).statusCode).toBe(200);
    await giveUp(who, 'cleared d');
    expect((await statusOf(who)).suppressed).toBeNull();
  });

  test('three failures in more than seven days do not pause it', async () => {
    const who = await registerUser(s, 'seldom', 'pro');
    sink.judge(() => [452, '4.2.2 mailbox full']);
    for (const once of ['a', 'b', 'c']) {
      await giveUp(who, `seldom ${once}`);
      s.advance(4 * DAY_MS);
    }
    expect((await statusOf(who)).suppressed).toBeNull();
  });
});

test('refusals are deleted with the account', async () => {
  const who = await registerUser(s, 'leaves', 'pro');
  sink.judge(() => [550, '5.1.1 no such user']);
  await emailAlert(s, who, 'leaves');
  const rows = async () =>
    (await sql`select from mail_suppressions where user_id = ${who.id}`.execute(db())).rows.length;
  expect(await rows()).toBe(1);
  await who.remove('/api/auth/delete-account');
  await s.product.mail.deliver();
  expect(await rows()).toBe(0);
});

test('expired pauses are deleted, refusals after a year', async () => {
  s.advance(30 * DAY_MS);
  await s.job('email.reconcile');
  const { rows } = await sql`select from mail_suppressions where until is not null`.execute(db());
  expect(rows).toEqual([]);
  s.advance(365 * DAY_MS);
  await s.job('email.reconcile');
  expect((await sql`select from mail_suppressions`.execute(db())).rows).toEqual([]);
});
