import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';

import { ACCOUNT_DISABLED } from '#features/accounts/contract/auth.ts';
import { openReader } from '#kernel/live/fixtures/reader.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { emailsTo } from '#tests/support/mailbox.ts';
import {
  createUserFactory,
  PASSWORD,
  registerUser,
  sendRequest,
  signInAgain,
  type TestUser,
} from '#tests/support/people.ts';
import { savePreferences } from '#tests/support/preferences.ts';
import { recordingChannel } from '#tests/support/recording-channel.ts';
import { readAudit } from '#tests/support/rows.ts';
import { createSchedule, readScheduledExports, runAt } from '#tests/support/schedules.ts';

const SOON = { timeout: 20_000 };
const REASON = { reason: 'Chargebacks' };

const s = fileProduct({ channels: [recordingChannel()] });
const other = member(s, 'other', 'admin');
let admin: TestUser;
beforeAll(async () => {
  admin = await registerUser(s, 'admin', 'admin');
});

const at = (who: { id: number }, call = '') => `/api/admin/users/${who.id}${call}`;
const disable = (who: TestUser) => admin.post(at(who, '/disable'), REASON);
const signIn = (email: string, password = PASSWORD) => sendRequest(s, 'POST', '/api/auth/login', { email, password });
const db = () => s.product.market.ctx.db;
const sessionsOf = async (id: number) =>
  (await sql`select 1 from sessions where user_id = ${id}::bigint`.execute(db())).rows.length;

describe('DELETE /api/admin/users/:id', () => {
  test('200: account and sessions are deleted, recorded by email and audit log, the log without its address', async () => {
    const ann = await registerUser(s, 'ann', 'pro');
    const answer = await admin.remove(at(ann));
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: `User ${ann.email} deleted successfully` }]);
    await expect.poll(async () => (await ann.get('/api/auth/user')).statusCode, SOON).toBe(401);
    expect((await signIn(ann.email)).json().error).toBe('Invalid email or password');
    const mail = (await emailsTo(s, ann.email)).at(-1);
    expect([mail?.kind, mail?.text]).toEqual([
      'account-deleted',
      expect.stringContaining('An administrator deleted your account.'),
    ]);
    const log = await admin.get(`/api/admin/audit?subject=${ann.id}&action=account.delete`);
    expect(log.json().entries).toEqual([
      expect.objectContaining({
        action: 'account.delete',
        actor: { id: admin.id, email: admin.email },
        subject: { id: ann.id, email: null },
        network: '127.0.0.0/24',
      }),
    ]);
    expect(log.body).not.toContain(ann.email);
  });

  test('rejected: an administrator, oneself, an unknown id, without a fresh sign-in, without permission', async () => {
    const ben = await registerUser(s, 'ben', 'premium');
    const words = { error: 'Cannot delete admin users', code: 'conflict' };
    expect((await admin.remove(at(other))).json()).toEqual(words);
    expect((await admin.remove(at(admin))).json()).toEqual(words);
    expect((await admin.remove('/api/admin/users/999999')).statusCode).toBe(404);
    expect((await admin.remove('/api/admin/users/x')).statusCode).toBe(400);
    expect((await ben.remove(at(ben))).statusCode).toBe(403);
    expect((await sendRequest(s, 'DELETE', at(ben))).statusCode).toBe(401);
    const late = await registerUser(s, 'late', 'admin');
    s.advance(16 * 60_000);
    expect((await late.remove(at(ben))).json().code).toBe('reauthentication_required');
    for (const who of [admin, other]) await who.post('/api/auth/reauthenticate', { password: PASSWORD });
    expect((await ben.get('/api/auth/user')).statusCode).toBe(200);
  });

  test('of two administrators deleting concurrently one succeeds, and one email is sent', async () => {
    const cat = await registerUser(s, 'cat');
    const answers = await Promise.all([admin, other, admin].map((who) => who.remove(at(cat))));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 404, 404]);
    const mails = (await emailsTo(s, cat.email)).filter(({ kind }) => kind === 'account-deleted');
    expect([mails.length, (await readAudit(s, cat.id, 'account')).length]).toEqual([1, 2]);
  });

  test.each([
    ['deleted', (who: TestUser) => admin.remove(at(who)), 401],
    ['disabled', (who: TestUser) => disable(who), 403],
  ] as const)('%s while the user signs in: no session remains, and nothing breaks', async (act, end, refused) => {
    for (const name of ['dan', 'dana', 'danae']) {
      const who = await registerUser(s, `${name}-${act}`);
      const [ended, ...entered] = await Promise.all([end(who), ...Array.from({ length: 4 }, () => signIn(who.email))]);
      expect(ended.statusCode).toBe(200);
      for (const { statusCode } of entered) expect([200, refused]).toContain(statusCode);
      expect(await sessionsOf(who.id)).toBe(0);
    }
  });
});

describe('POST /api/admin/users/:id/disable', () => {
  test('200: sign-in is blocked, and only with the right password is the reason shown', async () => {
    const eve = await registerUser(s, 'eve', 'pro');
    expect((await disable(eve)).json()).toMatchObject({ id: eve.id, isDisabled: true });
    await expect.poll(async () => (await eve.get('/api/auth/user')).statusCode, SOON).toBe(401);
    const right = await signIn(eve.email);
    expect([right.statusCode, right.json()]).toEqual([403, { error: ACCOUNT_DISABLED, code: 'forbidden' }]);
    expect((await signIn(eve.email, 'wrong')).json()).toEqual((await signIn('no@body.example', 'wrong')).json());
    const mail = (await emailsTo(s, eve.email)).at(-1);
    expect(mail?.kind).toBe('account-disabled');
    expect(mail?.text).not.toContain(REASON.reason);
    expect((await readAudit(s, eve.id, 'account')).at(-1)).toEqual({
      action: 'account.disable',
      details: REASON,
      network: '127.0.0.0/24',
    });
    expect((await admin.get(at(eve))).json().disabled).toEqual({
      at: s.clock.now().toISOString(),
      by: { id: admin.id, email: admin.email },
      reason: REASON.reason,
    });
  });

  test('streams, sessions and API keys end immediately in every process', async () => {
    const fay = await registerUser(s, 'fay', 'pro');
    const { api_key: key } = (await fay.post('/api/keys', { name: 'desk' })).json();
    const second = await s.another();
    const url = `http://127.0.0.1:${(await second.listen()).port}`;
    const { ticket } = (await fay.post('/api/stream/ticket')).json();
    const stream = await openReader(`${url}/api/stream?topics=account&ticket=${ticket}`);
    await expect.poll(stream.text, SOON).toContain('retry: 3000');
    const there = (path: string, token: string) =>
      second.app.inject({ url: path, headers: { authorization: `Bearer ${token}` } });
    expect((await there('/api/auth/user', fay.token)).statusCode).toBe(200);
    expect((await there('/api/v1/events', key)).statusCode).toBe(200);
    const { ticket: unused } = (await fay.post('/api/stream/ticket')).json();
    await disable(fay);
    await expect.poll(stream.ended, SOON).toBe(true);
    await expect.poll(async () => (await there('/api/auth/user', fay.token)).statusCode, SOON).toBe(401);
    await expect.poll(async () => (await there('/api/v1/events', key)).statusCode, SOON).toBe(401);
    const late = await openReader(`${url}/api/stream?topics=account&ticket=${unused}`);
    expect(late.response.statusCode).toBe(401);
    await admin.post(at(fay, '/enable'));
    s.advance(61_000);
    expect((await there('/api/v1/events', key)).statusCode).toBe(200);
  });

  test('rejected: an administrator, oneself, an unknown id, without a reason, twice, without a fresh sign-in', async () => {
    const hal = await registerUser(s, 'hal');
    expect((await disable(other)).json()).toEqual({ error: 'Cannot disable admin users', code: 'conflict' });
    expect((await disable(admin)).statusCode).toBe(409);
    expect((await admin.post('/api/admin/users/999999/disable', REASON)).statusCode).toBe(404);
    expect((await admin.post(at(hal, '/disable'), { reason: ' ' })).json().error).toBe('Enter a short reason');
    expect((await admin.post(at(hal, '/enable'))).json().error).toBe('This account is not disabled');
    expect((await disable(hal)).statusCode).toBe(200);
    expect((await disable(hal)).json().error).toBe('This account is already disabled');
    expect((await hal.post(at(hal, '/enable'))).statusCode).toBe(401);
  });
});

test('POST /api/admin/users/:id/enable: the same password works again, by notice and audit entry', async () => {
  const ida = await registerUser(s, 'ida');
  await disable(ida);
  expect((await admin.post(at(ida, '/enable'))).json()).toMatchObject({ isDisabled: false });
  expect((await signIn(ida.email)).statusCode).toBe(200);
  expect((await emailsTo(s, ida.email)).at(-1)?.kind).toBe('account-enabled');
  expect((await readAudit(s, ida.id, 'account')).map(({ action }) => action)).toEqual([
    'account.create',
    'account.disable',
    'account.enable',
  ]);
  expect((await admin.get(at(ida))).json().disabled).toBeNull();
});

describe('pending items of a disabled account', () => {
  const someone = createUserFactory('reader', () => s);
  const premium = async () => {
    const who = await someone();
    await admin.put(`/api/admin/users/${who.id}/plan`, { plan: 'premium', until: null, note: '' });
    return who;
  };
  let count = 0;
  const tell = (...who: TestUser[]) => {
    count += 1;
    return raise(
      s,
      who.map(({ id }) => createDraft(`disabled-${count}-${id}`, { own: { userId: id, ruleId: 1 }, severity: 'high' })),
    );
  };
  const statesOf = async (who: TestUser) => {
    const { rows } = await sql<{ state: string; note: string | null }>`select state, note from notification_deliveries
      where user_id = ${who.id}::bigint order by id`.execute(db());
    return rows.map(({ state, note }) => [state, note]);
  };
  const DROPPED = ['dropped', 'The account was disabled'];

  test('pending items are dropped, later ones are not created, and other users get theirs', async () => {
    const [ann, ben] = [await premium(), await premium()];
    await savePreferences(ann, { emailNotifications: true });
    await tell(ann, ben);
    // Fanned out and not yet sent.
    await sql`update notification_deliveries set due_at = due_at + interval '1 hour'`.execute(db());
    await s.product.notifications.deliver();
    await sql`update notification_deliveries set state = 'due', sent_at = null, due_at = ${s.clock.now().toISOString()}
      where user_id = ${ann.id}::bigint`.execute(db());
    await disable(ann);
    expect(await statesOf(ann)).toEqual([DROPPED]);
    await tell(ann, ben);
    await s.product.notifications.deliver();
    expect(await statesOf(ann)).toEqual([DROPPED]);
    expect((await statesOf(ben)).map(([state]) => state)).toEqual(['sent', 'sent']);
  });

  test('a delivery created at the same moment is rejected when it is due', async () => {
    const cat = await premium();
    await tell(cat);
    await s.product.notifications.deliver();
    await disable(cat);
    await sql`update notification_deliveries set state = 'due', sent_at = null, tries = 0, due_at = ${s.clock.now().toISOString()}
      where user_id = ${cat.id}::bigint`.execute(db());
    await s.product.notifications.deliver();
    expect(await statesOf(cat)).toEqual([DROPPED]);
  });

  test('an email waiting for the address is not sent, the notice about disabling is', async () => {
    const dan = await premium();
    await sql`update mail_outbox set state = 'waiting', next_at = ${s.clock.now().toISOString()}
      where address = ${dan.email}`.execute(db());
    await disable(dan);
    const { rows } = await sql<{
      kind: string;
      state: string;
      note: string | null;
    }>`select kind, state, note from mail_outbox
      where address = ${dan.email} order by id`.execute(db());
    expect(rows).toEqual([
      { kind: 'plan-changed', state: 'failed', note: 'The account was disabled' },
      { kind: 'account-disabled', state: 'kept', note: null },
    ]);
  });

  test('schedules pause while the account is disabled, and resume with the latest moment after it', async () => {
    const eve = await premium();
    await createSchedule(eve);
    await disable(eve);
    await runAt(s, '2026-11-23T08:00:00Z');
    expect(await readScheduledExports(s, eve)).toEqual([]);
    admin = await signInAgain(s, admin);
    expect((await admin.post(at(eve, '/enable'))).statusCode).toBe(200);
    await runAt(s, '2026-11-23T08:01:00Z');
    expect((await readScheduledExports(s, eve)).map((each) => each.scheduled_for)).toEqual([
      '2026-11-23T08:00:00.000Z',
    ]);
  });
});
