import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';

import { type AuditEntry, MOST_USERS } from '#features/operations/contract/admin.ts';
import { audit, findAuditFault } from '#kernel/audit.ts';
import { openDatabase } from '#kernel/db.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { emailsTo } from '#tests/support/mailbox.ts';
import { PASSWORD, registerUser, sendRequest, signInAgain, type TestUser } from '#tests/support/people.ts';

const DAY_MS = 86_400_000;

const s = fileProduct();
let admin: TestUser;
beforeAll(async () => {
  admin = await registerUser(s, 'admin', 'admin');
});

const set = (id: number, body: unknown) => admin.put(`/api/admin/users/${id}/plan`, body);

describe('GET /api/admin/users', () => {
  test('200: newest first, with plan and status; q searches the address literally', async () => {
    const ann = await registerUser(s, 'ann_b', 'pro');
    await registerUser(s, 'annxb');
    const all = (await admin.get('/api/admin/users')).json<{ email: string }[]>();
    expect(all.map(({ email }) => email)).toEqual([
      'annxb@people.example',
      'ann_b@people.example',
      'admin@people.example',
    ]);
    expect((await admin.get('/api/admin/users?q=ANN_B')).json()).toEqual([
      {
        id: ann.id,
        email: 'ann_b@people.example',
        emailVerified: false,
        isAdmin: false,
        isDisabled: false,
        plan: 'pro',
        subscriptionStatus: 'active',
        createdAt: s.clock.now().toISOString(),
      },
    ]);
  });

  test('200: the total is counted for the same search, even beyond what a list holds', async () => {
    const { db } = s.product.market.ctx;
    const many = Array.from({ length: MOST_USERS + 1 }, (_, i) => ({
      email: `crowd-${i}@many.example`,
      password_hash: '-',
      created_at: s.clock.now().toISOString(),
      email_verified_at: null,
    }));
    await db.insertInto('users').values(many).execute();
    expect((await admin.get('/api/admin/users?q=@many.example')).json()).toHaveLength(MOST_USERS);
    expect((await admin.get('/api/admin/users/count?q=@MANY.example')).json()).toEqual({ total: MOST_USERS + 1 });
    expect((await admin.get('/api/admin/users/count?q=crowd_1')).json()).toEqual({ total: 0 });
    const { total } = (await admin.get('/api/admin/users/count')).json();
    expect(total).toBeGreaterThan(MOST_USERS + 1);
    await db.deleteFrom('users').where('email', 'like', '%@many.example').execute();
    expect((await admin.get('/api/admin/users/count')).json()).toEqual({ total: total - MOST_USERS - 1 });
  });
});

describe('PUT /api/admin/users/:id/plan', () => {
  test('200: the plan applies immediately to tokens in use, is emailed, and is in ledger and audit log', async () => {
    const cat = await registerUser(s, 'cat');
    expect((await cat.get('/api/correlation?days=90')).statusCode).toBe(403);
    const until = new Date(s.clock.now().getTime() + 10 * 86_400_000).toISOString();
    const answer = await set(cat.id, { plan: 'premium', until, note: 'A gift' });
    expect(answer.json()).toMatchObject({ id: cat.id, plan: 'premium', subscriptionStatus: 'active' });
    await expect
      .poll(async () => (await cat.get('/api/correlation?days=90')).statusCode, { timeout: 20_000 })
      .toBe(200);
    expect((await cat.get('/api/subscription')).json()).toMatchObject({
      plan: 'premium',
      planName: 'Premium+',
      currentPeriodEnd: until,
      daysUntilExpiry: 10,
    });
    expect((await emailsTo(s, cat.email)).at(-1)?.kind).toBe('plan-changed');
    const { db, close } = openDatabase(s.connection, () => undefined, 1);
    const fact = await db
      .selectFrom('entitlements')
      .select(['source', 'plan', 'created_by', 'note'])
      .where('user_id', '=', cat.id)
      .executeTakeFirstOrThrow();
    const told = await db
      .selectFrom('audit_log')
      .select(['actor_id', 'action'])
      .where('subject_id', '=', cat.id)
      .where('action', '=', 'plan.set')
      .execute();
    await expect(db.updateTable('entitlements').set({ plan: 'free' }).execute()).rejects.toThrow('append-only');
    await close();
    expect(fact).toEqual({ source: 'admin', plan: 'premium', created_by: admin.id, note: 'A gift' });
    expect(told).toEqual([{ actor_id: admin.id, action: 'plan.set' }]);
  });

  test('the plan ends at its expiry, even for a token in use', async () => {
    const dan = await registerUser(s, 'dan');
    const until = new Date(s.clock.now().getTime() + 20_000).toISOString();
    await set(dan.id, { plan: 'premium', until, note: '' });
    await expect
      .poll(async () => (await dan.get('/api/correlation?days=90')).statusCode, { timeout: 20_000 })
      .toBe(200);
    s.advance(20_000);
    expect((await dan.get('/api/correlation?days=90')).statusCode).toBe(403);
    expect((await dan.get('/api/subscription')).json()).toMatchObject({
      plan: 'free',
      status: 'expired',
      expiredAt: until,
    });
  });

  test.each([
    ['a plan that is none', { plan: 'admin', until: null, note: '' }, 'plan'],
    ['a past end', { plan: 'pro', until: '2020-01-01T00:00:00Z', note: '' }, 'The end date must be in the future'],
    ['an end that is no time', { plan: 'pro', until: 'tomorrow', note: '' }, 'until'],
    ['no note', { plan: 'pro', until: null }, 'note'],
  ])('400: %s', async (_what, body, error) => {
    const eve = await registerUser(s, `eve${Math.random()}`.replace('.', ''));
    const answer = await set(eve.id, body);
    expect([answer.statusCode, answer.json().error]).toEqual([400, expect.stringContaining(error)]);
  });

  test('404 and 409: unknown user, and an administrator', async () => {
    const body = { plan: 'pro', until: null, note: '' };
    expect((await set(999_999, body)).json()).toEqual({ error: 'User not found', code: 'not_found' });
    expect((await set(admin.id, body)).statusCode).toBe(409);
    expect((await sendRequest(s, 'PUT', '/api/admin/users/x/plan', body, { token: admin.token })).statusCode).toBe(400);
  });

  test('a plan is worth money: an open session cannot grant one until its owner reauthenticates', async () => {
    const fay = await registerUser(s, 'fay');
    const late = await registerUser(s, 'late', 'admin');
    const give = () => late.put(`/api/admin/users/${fay.id}/plan`, { plan: 'pro', until: null, note: '' });
    s.advance(16 * 60_000);
    expect((await give()).json().code).toBe('reauthentication_required');
    expect((await fay.get('/api/subscription')).json()).toMatchObject({ plan: 'free' });
    await late.post('/api/auth/reauthenticate', { password: PASSWORD });
    expect((await give()).json()).toMatchObject({ plan: 'pro' });
  });
});

describe('the audit log', () => {
  let ann: TestUser;
  beforeAll(async () => {
    ann = await registerUser(s, 'ann_a', 'pro');
    admin = await signInAgain(s, admin);
  });

  const read = async (query = '') => {
    const answer = await admin.get(`/api/admin/audit${query}`);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<{ entries: AuditEntry[]; more: boolean }>();
  };
  const entry = (action: string, change: object = {}) =>
    audit(s.product.market.ctx.db, { at: s.clock.now(), actorId: ann.id, subjectId: ann.id, action, ...change });

  describe('storage', () => {
    const run = (text: string) => sql.raw(text).execute(s.product.market.ctx.db);

    test('is append-only, as is its chain', async () => {
      await entry('receipt.read');
      for (const table of ['audit_log', 'audit_chain'])
        for (const act of [`update ${table} set `, `delete from ${table}`, `truncate ${table} cascade`])
          await expect(
            run(act.endsWith('set ') ? `${act}${table === 'audit_log' ? 'network' : 'hash'} = null` : act),
          ).rejects.toThrow('the audit log is append-only');
    });

    test('is one chain, even with many concurrent transactions; changes that bypass the triggers are detected', async () => {
      await Promise.all(Array.from({ length: 20 }, (_, i) => entry('receipt.read', { details: { i } })));
      const { db } = s.product.market.ctx;
      expect(await findAuditFault(db)).toBeNull();
      const unguarded = (text: string) =>
        db.transaction().execute(async (tx) => {
          await sql`set local session_replication_role = replica`.execute(tx);
          await sql.raw(text).execute(tx);
        });
      const [{ place, audit_id: id } = { place: 0, audit_id: 0 }] = (
        await sql<{ place: number; audit_id: number }>`select place, audit_id from audit_chain order by place desc
        offset 5 limit 1`.execute(db)
      ).rows;
      await unguarded(`update audit_log set action = 'receipt.red' where id = ${id}`);
      expect(await findAuditFault(db)).toBe(place);
      await unguarded(`update audit_log set action = 'receipt.read' where id = ${id}`);
      expect(await findAuditFault(db)).toBeNull();
      await unguarded(`insert into audit_log (at, action) values (now(), 'receipt.read')`);
      expect(await findAuditFault(db)).toBe(0);
      await unguarded('delete from audit_log where id = (select max(id) from audit_log)');
      expect(await findAuditFault(db)).toBeNull();
    });
  });

  describe('GET /api/admin/audit', () => {
    test('200: newest first, actor by address, target and origin', async () => {
      await entry('plan.set', {
        actorId: admin.id,
        details: { note: '<script>alert(1)</script>' },
        network: '203.0.113.0/24',
      });
      const [first] = (await read()).entries;
      expect(first).toEqual({
        id: expect.any(Number),
        at: s.clock.now().toISOString(),
        action: 'plan.set',
        actor: { id: admin.id, email: admin.email },
        subject: { id: ann.id, email: ann.email },
        details: { note: '<script>alert(1)</script>' },
        network: '203.0.113.0/24',
      });
    });

    test('filters: an action or its noun, actor and target by id or part of the address', async () => {
      await entry('passkey.add');
      await entry('passkey.remove');
      await entry('passkeys_other.add');
      const acts = async (query: string) => (await read(query)).entries.map(({ action }) => action);
      expect(await acts('?action=passkey')).toEqual(['passkey.remove', 'passkey.add']);
      expect(await acts('?action=passkey.add')).toEqual(['passkey.add']);
      expect(await acts(`?action=plan.set&actor=${admin.id}&subject=ANN_A`)).toEqual(['plan.set']);
      expect(await acts('?action=plan.set&subject=annxa')).toEqual([]);
      expect(await acts('?action=plan&actor=ann_a')).toEqual([]);
      expect(await acts('?actor=99999999')).toEqual([]);
    });

    test('filters: whole UTC days, inclusive', async () => {
      const day = () => s.clock.now().toISOString().slice(0, 10);
      s.advance(DAY_MS);
      await entry('webhook.add');
      const first = day();
      s.advance(DAY_MS);
      await entry('webhook.remove');
      const second = day();
      admin = await signInAgain(s, admin);
      const acts = async (query: string) => (await read(`?action=webhook${query}`)).entries.map(({ action }) => action);
      expect(await acts(`&from=${first}`)).toEqual(['webhook.remove', 'webhook.add']);
      expect(await acts(`&from=${first}&to=${first}`)).toEqual(['webhook.add']);
      expect(await acts(`&from=${second}`)).toEqual(['webhook.remove']);
      expect(await acts(`&to=${first}`)).toEqual(['webhook.add']);
    });

    test('fifty per page, paging below the last without gaps or duplicates, despite concurrent writes', async () => {
      for (let n = 0; n < 120; n += 1) await entry('event.ignore', { details: { n } });
      const seen: unknown[] = [];
      let page = await read('?action=event.ignore');
      for (;;) {
        seen.push(...page.entries.map(({ details }) => details['n']));
        if (!page.more) break;
        await entry('event.ignore', { details: { n: 'later' } });
        page = await read(`?action=event.ignore&before=${page.entries.at(-1)?.id}`);
      }
      expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => 119 - n));
    });

    test('a deleted account is named by its id only', async () => {
      const ben = await registerUser(s, 'ben');
      await ben.remove('/api/auth/delete-account');
      const [last] = (await read(`?subject=${ben.id}`)).entries;
      expect(last).toMatchObject({ action: 'account.delete', actor: { id: ben.id, email: null } });
    });

    test.each(['?action=Drop%20table', '?from=yesterday', '?before=x', `?actor=${'a'.repeat(255)}`])(
      '400: %s',
      async (query) => expect((await admin.get(`/api/admin/audit${query}`)).statusCode).toBe(400),
    );
  });
});
