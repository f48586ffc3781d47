import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { PERSONAL_DATA } from '#app/server/compose.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { emailsTo } from '#tests/support/mailbox.ts';
import { rule, rulesApi } from '#tests/support/own-rules.ts';
import { PASSWORD, registerUser, type TestUser } from '#tests/support/people.ts';

const PATH = '/api/profile/data';

const s = fileProduct({ env: { EMAIL_CONFIRMATION: 'off', WEBHOOK_ALLOW_LOOPBACK: '1' } });
const ann = member(s, 'ann', 'premium');
const ben = member(s, 'ben', 'premium');
beforeAll(async () => {
  for (const who of [ann, ben]) {
    expect((await rulesApi(s, who).save([rule({ name: `A rule of ${who.email}` })])).statusCode).toBe(200);
    expect((await who.post('/api/keys', { name: `A key of ${who.email}` })).statusCode).toBe(200);
    const hook = { name: `A hook of ${who.email}`, url: 'http://127.0.0.1:9/', format: 'generic' };
    expect((await who.post('/api/webhooks', hook)).statusCode).toBe(200);
  }
});

type Table = { name: string; columns: string[] };
/** Every table that refers to accounts, with all its columns. */
async function tablesOfPeople(): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select t.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class t join pg_namespace n on n.oid = t.relnamespace and n.nspname = 'public'
    join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    where t.relkind in ('r', 'p') and not t.relispartition
    group by t.oid, t.relname
    having bool_or(a.attname in ('user_id', 'subject_id')) or t.relname = 'users' or exists (
      select from pg_constraint k where k.conrelid = t.oid and k.contype = 'f' and k.confrelid = 'users'::regclass)
    order by 1`.execute(s.product.auth.ctx.db);
  return rows;
}
const fileOf = async (who: TestUser) => (await who.get(PATH)).json<Record<string, Record<string, unknown>[]>>();

describe('GET /api/profile/data', () => {
  test('every table that references an account is exported or excluded with a reason, and so is each column', async () => {
    const tables = await tablesOfPeople();
    expect(tables.length).toBeGreaterThan(35);
    const known = new Map(PERSONAL_DATA.tables.map((each) => [each.table, each]));
    expect(
      tables.filter(({ name }) => !known.has(name) && !PERSONAL_DATA.leftOut[name]).map(({ name }) => name),
    ).toEqual([]);
    const all = new Map((await columnsOfAll()).map(({ name, columns }) => [name, columns]));
    for (const { table, shown, hidden = {} } of PERSONAL_DATA.tables) {
      const said = [...shown.split(' '), ...Object.keys(hidden)];
      expect(said.toSorted(), table).toEqual((all.get(table) ?? []).toSorted());
    }
  });

  test('200: contains everything the user created, nothing from anyone else and no secrets', async () => {
    const answer = await ann.get(PATH);
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="meridian-my-data-2026-11-20\.json"$/);
    expect(answer.headers['cache-control']).toBe('no-store');
    const file = answer.json();
    expect(file).toMatchObject({ version: 1, product: 'Meridian', createdAt: s.clock.now().toISOString() });
    expect(file.users).toEqual([expect.objectContaining({ id: ann.id, email: ann.email, role: 'user' })]);
    expect(file.alert_rules).toEqual([expect.objectContaining({ name: `A rule of ${ann.email}` })]);
    expect(file.api_keys).toEqual([expect.objectContaining({ name: `A key of ${ann.email}` })]);
    expect(file.webhooks).toEqual([expect.objectContaining({ url: 'http://127.0.0.1:9/' })]);
    expect(file.sessions.length).toBeGreaterThan(0);
    expect(Object.keys(file)).toEqual(expect.arrayContaining(PERSONAL_DATA.tables.map(({ table }) => table)));
    expect(file.leftOut['users.password_hash']).toBe('the hash of a secret');
    expect(answer.body).not.toContain(ben.email);
    const { rows } = await sql<Record<string, Buffer | string>>`
      select u.password_hash, encode(k.hash, 'hex') as key, encode(t.token_hash, 'hex') as token, w.secret
      from users u join api_keys k on k.user_id = u.id join sessions t on t.user_id = u.id join webhooks w on w.user_id = u.id
      where u.id = ${ann.id}`.execute(s.product.auth.ctx.db);
    for (const secret of Object.values(rows[0] ?? {})) expect(answer.body).not.toContain(String(secret));
  });

  test('is recorded in the log, which the next file shows', async () => {
    expect((await fileOf(ann))['audit_log']).toContainEqual(expect.objectContaining({ action: 'account.data' }));
  });

  test('403 without a fresh proof, 429 for the sixth per day', async () => {
    const cat = await registerUser(s, 'cat');
    s.advance(16 * 60_000);
    expect((await cat.get(PATH)).json().code).toBe('reauthentication_required');
    await cat.post('/api/auth/reauthenticate', { password: PASSWORD });
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => cat.get(PATH)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 200, 429,
    ]);
  });
});

async function columnsOfAll(): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select t.relname as name, array_agg(a.attname::text order by a.attnum) as columns from pg_class t
    join pg_namespace n on n.oid = t.relnamespace and n.nspname = 'public'
    join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    where t.relkind in ('r', 'p') and not t.relispartition group by t.oid, t.relname`.execute(s.product.auth.ctx.db);
  return rows;
}

/** Records retained by law or for tracing misuse, by number and without an address. */
const STAYS = new Set(['audit_log', 'billing_notices', 'card_customers', 'card_subscriptions', 'card_checkouts']);
for (const table of ['card_invoices', 'plan_grants', 'trials', 'usdc_payments', 'usdc_claims', 'live_frames'])
  STAYS.add(table);

describe('erasure', () => {
  test('leaves only ledger and log rows of a deleted account in any table, and the address in no text', async () => {
    await ben.post('/api/auth/reauthenticate', { password: PASSWORD });
    expect((await ben.remove('/api/auth/delete-account')).statusCode).toBe(200);
    const { db } = s.product.auth.ctx;
    const rest: string[] = [];
    for (const { name, columns } of await tablesOfPeople()) {
      if (STAYS.has(name)) continue;
      const mine = columns.includes('user_id') ? 'user_id' : name === 'users' ? 'id' : undefined;
      if (!mine) continue;
      const { rows } = await sql`select from ${sql.table(name)} where ${sql.ref(mine)} = ${ben.id}`.execute(db);
      if (rows.length > 0) rest.push(name);
    }
    expect(rest).toEqual([]);
    const holding: string[] = [];
    for (const { name } of await columnsOfAll()) {
      const { rows } = await sql`select from ${sql.table(name)} t where t::text like ${`%${ben.email}%`}`.execute(db);
      if (rows.length > 0) holding.push(name);
    }
    // The farewell email, which is deleted with every email after 30 days.
    expect(holding).toEqual(['mail_outbox']);
    expect((await emailsTo(s, ben.email)).map(({ kind }) => kind)).toContain('account-deleted');
  });
});

const ON = { email: true, push: false, telegram: false };

describe('GET /api/subscription', () => {
  test('200: returns every field the pages need', async () => {
    const ada = await registerUser(s, 'ada', 'premium');
    expect((await ada.get('/api/subscription')).json()).toEqual({
      id: ada.id,
      email: 'ada@people.example',
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
    const bob = await registerUser(s, 'bob', 'admin');
    const admin = { plan: 'admin', planName: 'Admin', role: 'admin', isAdmin: true, status: 'active' };
    expect((await bob.get('/api/subscription')).json()).toMatchObject(admin);
  });
});

describe('PUT /api/profile', () => {
  test('200: stores notification settings and returns the updated profile', async () => {
    const cid = await registerUser(s, 'cid');
    const notifications = { email: false, push: true, telegram: true };
    const answer = await cid.put('/api/profile', { email: cid.email, notifications });
    expect([answer.statusCode, answer.json().notifications]).toEqual([200, notifications]);
    expect((await cid.get('/api/subscription')).json().notifications).toEqual(notifications);
  });

  test.each([
    ['no address', { email: 'x', notifications: ON }, 'Please enter a valid email address'],
    ['a channel missing', { email: 'a@x.io', notifications: { email: true, push: true } }, 'notifications.telegram'],
    ['an unknown field', { email: 'a@x.io', notifications: ON, plan: 'premium' }, 'Unrecognized key: "plan"'],
  ])('400: %s', async (_what, body, error) => {
    const don = await registerUser(s, `don${Math.random()}`.replace('.', ''));
    const answer = await don.put('/api/profile', body);
    expect([answer.statusCode, answer.json().error]).toEqual([400, expect.stringContaining(error)]);
  });

  test('200 and 409 without email confirmation: the address changes immediately, a taken one is rejected', async () => {
    const evi = await registerUser(s, 'evi');
    const answer = await evi.put('/api/profile', { email: 'Evi.New@people.example', notifications: ON });
    expect(answer.json()).toMatchObject({ email: 'evi.new@people.example', pendingEmail: null });
    const taken = await evi.put('/api/profile', { email: 'ada@people.example', notifications: ON });
    expect(taken.json()).toEqual({ error: 'An account with this email already exists', code: 'conflict' });
    const half = { email: 'ada@people.example', notifications: { email: false, push: true, telegram: true } };
    expect((await evi.put('/api/profile', half)).statusCode).toBe(409);
    expect((await evi.get('/api/subscription')).json().notifications).toEqual(ON);
    expect((await emailsTo(s, 'evi@people.example')).map(({ kind }) => kind)).toEqual(['email-change-notice']);
  });
});
