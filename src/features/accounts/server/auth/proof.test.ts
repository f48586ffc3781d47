import { describe, expect, test } from 'vitest';

import { openDatabase } from '#kernel/db.ts';
import { fileProduct } from '#tests/support/file-product.ts';
import { mailsTo } from '#tests/support/mailbox.ts';
import { ask, PASSWORD, person } from '#tests/support/people.ts';

const NEXT = 'Other-Rivers-30!';
const AGAIN = {
  error: 'Please confirm that it is you to go on.',
  code: 'reauthentication_required',
};

const s = fileProduct();

const login = (email: string, password: string) => ask(s, 'POST', '/api/auth/login', { email, password });

describe('POST /api/auth/change-password', () => {
  test('200: other sessions end, this one stays, a mail tells it', async () => {
    const ann = await person(s, 'ann');
    const other = (await login(ann.email, PASSWORD)).json<{ token: string }>().token;
    const answer = await ann.post('/api/auth/change-password', { currentPassword: PASSWORD, newPassword: NEXT });
    expect(answer.json()).toEqual({ success: true });
    await expect
      .poll(async () => (await ask(s, 'GET', '/api/auth/user', undefined, { token: other })).statusCode, {
        timeout: 20_000,
      })
      .toBe(401);
    expect((await ann.get('/api/auth/user')).statusCode).toBe(200);
    expect((await login(ann.email, PASSWORD)).statusCode).toBe(401);
    expect((await login(ann.email, NEXT)).statusCode).toBe(200);
    expect((await mailsTo(s, ann.email)).map(({ kind }) => kind)).toEqual(['password-changed']);
  });

  test('403, 400, 401 and 429: wrong current password, weak or common new one, nobody, too many tries', async () => {
    const ben = await person(s, 'ben');
    const change = (currentPassword: string, newPassword: string) =>
      ben.post('/api/auth/change-password', { currentPassword, newPassword });
    expect((await change('no', NEXT)).json()).toEqual({ error: 'The password is not correct', code: 'forbidden' });
    expect((await change(PASSWORD, 'weak')).json().error).toBe('Password does not meet requirements');
    expect((await change(PASSWORD, 'P@ssw0rd')).json().error).toContain('too common');
    expect((await ask(s, 'POST', '/api/auth/change-password', {})).statusCode).toBe(401);
    for (let i = 0; i < 9; i++) await change('no', NEXT);
    expect((await change(PASSWORD, NEXT)).statusCode).toBe(429);
  });
});

describe('acts that need a fresh proof', () => {
  test('403 past 15 minutes; after POST /api/auth/reauthenticate they work again', async () => {
    const cat = await person(s, 'cat');
    s.advance(15 * 60_000);
    const refused = await cat.remove('/api/auth/delete-account');
    expect([refused.statusCode, refused.json()]).toEqual([403, AGAIN]);
    expect((await cat.post('/api/auth/reauthenticate', { password: 'no' })).statusCode).toBe(403);
    const proved = await cat.post('/api/auth/reauthenticate', { password: PASSWORD });
    expect(proved.json()).toEqual({ until: new Date(s.clock.now().getTime() + 15 * 60_000).toISOString() });
    expect((await cat.remove('/api/auth/delete-account')).statusCode).toBe(200);
  });
});

describe('DELETE /api/auth/delete-account', () => {
  test('200: account, sessions and links are gone, the token is nobody, a mail and the audit log tell it', async () => {
    const dan = await person(s, 'dan', 'pro');
    await login(dan.email, PASSWORD);
    const answer = await dan.remove('/api/auth/delete-account');
    expect(answer.json()).toEqual({ message: 'Account deleted successfully. A confirmation email has been sent.' });
    await expect.poll(async () => (await dan.get('/api/auth/user')).statusCode, { timeout: 20_000 }).toBe(401);
    expect((await login(dan.email, PASSWORD)).statusCode).toBe(401);
    expect((await mailsTo(s, dan.email)).at(-1)?.kind).toBe('account-deleted');
    const { db, close } = openDatabase(s.connection, () => undefined, 1);
    const left = await Promise.all(
      (['sessions', 'one_time_tokens', 'known_devices', 'entitlements'] as const).map((table) =>
        db.selectFrom(table).select('user_id').where('user_id', '=', dan.id).execute(),
      ),
    );
    const told = await db.selectFrom('audit_log').select('action').where('subject_id', '=', dan.id).execute();
    await close();
    expect(left.flat()).toEqual([]);
    expect(told.map(({ action }) => action)).toContain('account.delete');
    expect((await person(s, 'dan')).id).not.toBe(dan.id);
  });

  test('409: the only administrator cannot leave', async () => {
    const eve = await person(s, 'eve', 'admin');
    expect((await eve.remove('/api/auth/delete-account')).json()).toEqual({
      error: 'The only administrator cannot delete this account',
      code: 'conflict',
    });
  });
});
