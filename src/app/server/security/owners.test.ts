import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { contractRows } from '#tests/support/access.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { makeKey } from '#tests/support/api-fixture.ts';
import { addRule, rule, rulesApi } from '#tests/support/own-rules.ts';
import { type Paying, PRO, startPaying } from '#tests/support/paying.ts';
import { PASSWORD, registerUser, sendRequest, type TestUser } from '#tests/support/people.ts';
import { createBrowser, toSubscription } from '#tests/support/push.ts';
import { createSchedule } from '#tests/support/schedules.ts';
import { start, type TestProduct } from '#tests/support/start.ts';
import { storeHistory } from '#tests/support/stored-past.ts';
import { createWebhook } from '#tests/support/webhook-receiver.ts';

type Ask = readonly [url: string, body?: object];
type Ids = Awaited<ReturnType<typeof belongings>>;

/** Each call that references a resource of an account, made with a resource of another account. */
const CALLS: Record<string, (ids: Ids) => Ask> = {
  'POST /api/alerts/:id/acknowledge': ({ alert }) => [`/api/alerts/${alert}/acknowledge`],
  'PUT /api/alerts/thresholds/rules/:id': (ids) => [`/api/alerts/thresholds/rules/${ids.rule}`, rule({ name: 'Mine' })],
  'DELETE /api/alerts/thresholds/rules/:id': (ids) => [`/api/alerts/thresholds/rules/${ids.rule}`],
  'POST /api/alerts/thresholds/rules/:id/rearm': (ids) => [`/api/alerts/thresholds/rules/${ids.rule}/rearm`],
  'POST /api/alerts/thresholds': (ids) => ['/api/alerts/thresholds', { thresholds: [{ ...rule(), id: ids.rule }] }],
  'DELETE /api/auth/passkeys/:id': ({ passkey }) => [`/api/auth/passkeys/${passkey}`],
  'DELETE /api/auth/sessions/:id': ({ session }) => [`/api/auth/sessions/${session}`],
  'GET /api/billing/receipts/:id': ({ payment }) => [`/api/billing/receipts/${payment}`],
  'GET /api/exports/:id': (ids) => [`/api/exports/${ids.export}`],
  'GET /api/exports/:id/file': (ids) => [`/api/exports/${ids.export}/file`],
  'GET /api/exports/:id/manifest': (ids) => [`/api/exports/${ids.export}/manifest`],
  'DELETE /api/exports/:id': (ids) => [`/api/exports/${ids.export}`],
  'DELETE /api/exports/scheduled/:id': ({ schedule }) => [`/api/exports/scheduled/${schedule}`],
  'PUT /api/keys/:id/regenerate': ({ key }) => [`/api/keys/${key}/regenerate`, {}],
  'DELETE /api/keys/:id': ({ key }) => [`/api/keys/${key}`],
  'GET /api/subscribe/payments/:id': ({ payment }) => [`/api/subscribe/payments/${payment}`],
  'PUT /api/webhooks/:id': ({ hook }) => [
    `/api/webhooks/${hook}`,
    { name: 'Mine', url: 'https://example.com/x', format: 'generic', enabled: false },
  ],
  'DELETE /api/webhooks/:id': ({ hook }) => [`/api/webhooks/${hook}`],
  'POST /api/webhooks/:id/secret': ({ hook }) => [`/api/webhooks/${hook}/secret`],
  'POST /api/webhooks/:id/test': ({ hook }) => [`/api/webhooks/${hook}/test`],
  'GET /api/webhooks/:id/attempts': ({ hook }) => [`/api/webhooks/${hook}/attempts`],
};
/** Their parameter references no resource of an account. */
const NOBODYS = ['GET /api/history/:type/file'];
/** Only in demo mode: tested below. */
const DEMO = ['GET /api/demo/mails/:id'];

let paying: Paying;
let s: TestProduct;
let ann: TestUser;
let ids: Ids;
let others: [string, TestUser][];

/** One of each resource an account may have, all owned by Ann. */
async function belongings() {
  const owned = await addRule(rulesApi(s, ann));
  const [alert] = await raise(s, [createDraft('of-ann', { own: { userId: ann.id, ruleId: owned.id } })]);
  const { rows: passkeys } = await sql<{ id: number }>`insert into passkeys
    (user_id, credential_id, public_key, counter, transports, name, created_at)
    values (${ann.id}, 'of-ann', ''::bytea, 0, '{}', 'Phone', now()) returning id`.execute(paying.db);
  await sendRequest(s, 'POST', '/api/auth/login', { email: ann.email, password: PASSWORD });
  const { sessions } = (await ann.get('/api/auth/sessions')).json<{ sessions: { id: string; current: boolean }[] }>();
  const payment = await paying.open(ann);
  await paying.settle(payment, PRO);
  const made = await ann.post('/api/exports/create', { dataType: 'crypto_prices', dateRange: '7d', format: 'csv' });
  const browser = await createBrowser(s);
  await ann.post('/api/push/subscribe', toSubscription(browser));
  return {
    rule: owned.id,
    alert: alert?.id,
    passkey: passkeys[0]?.id,
    session: sessions.find(({ current }) => !current)?.id,
    payment: payment.paymentId,
    export: String(made.headers['x-export-id']),
    schedule: (await createSchedule(ann)).id,
    key: (await makeKey(ann)).id,
    hook: (await createWebhook(ann, { url: 'https://hooks.example.com/x' })).id,
    browser: toSubscription(browser),
  };
}

/** All stored rows of an account, by table. */
async function storedOf(userId: number): Promise<Record<string, string | null>> {
  const { rows: tables } = await sql<{ name: string }>`select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'user_id' and table_name <> 'api_days' order by 1`.execute(
    paying.db,
  );
  const stored: Record<string, string | null> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ all: string | null }>`select string_agg(t::text, E'\n' order by t::text) as all
      from ${sql.table(name)} t where user_id = ${userId}`.execute(paying.db);
    stored[name] = rows[0]?.all ?? null;
  }
  return stored;
}

beforeAll(async () => {
  paying = await startPaying({ EMAIL_CONFIRMATION: 'off' });
  ({ s } = paying);
  await storeHistory(s);
  ann = await registerUser(s, 'ann', 'premium');
  others = [
    ['another Premium+', await registerUser(s, 'ben', 'premium')],
    ['an administrator', await registerUser(s, 'eve', 'admin')],
  ];
  ids = await belongings();
}, 120_000);
afterAll(() => paying.stop());

describe('resources of another account', () => {
  test('covers every call that names an account resource', async () => {
    const named = (await contractRows())
      .filter(({ path, endpoint: { access } }) => path.includes(':') && access !== 'public' && access !== 'admin')
      .map(({ method, path }) => `${method} ${path}`);
    const shown = new Set([...Object.keys(CALLS), ...NOBODYS, ...DEMO]);
    expect(named.filter((call) => !shown.has(call))).toEqual([]);
    expect(Object.values(ids).filter((id) => id === undefined)).toEqual([]);
  });

  test.each(Object.entries(CALLS))('%s is not found, and nothing in it changes', async (call, make) => {
    const [url, body] = make(ids);
    const [method = ''] = call.split(' ');
    const before = await storedOf(ann.id);
    expect(Object.values(before).filter((rows) => rows !== null).length).toBeGreaterThan(8);
    for (const [who, { token }] of others) {
      const answer = await sendRequest(s, method as 'GET', url, body, { token });
      expect([who, answer.statusCode, answer.json<{ code: string }>().code]).toEqual([who, 404, 'not_found']);
    }
    expect(await storedOf(ann.id)).toEqual(before);
  });

  test('the owner gets a response', async () => {
    for (const call of ['GET /api/exports/:id', 'GET /api/subscribe/payments/:id', 'GET /api/webhooks/:id/attempts']) {
      const [url] = CALLS[call]?.(ids) ?? [''];
      expect([call, (await ann.get(url)).statusCode]).toEqual([call, 200]);
    }
  });

  test('cannot unsubscribe another user’s browser', async () => {
    const before = await storedOf(ann.id);
    for (const [, other] of others) await other.post('/api/push/unsubscribe', { endpoint: ids.browser.endpoint });
    expect(await storedOf(ann.id)).toEqual(before);
  });

  test('a demo email is visible only to its recipient', async () => {
    const demo = await start({ mode: 'demo', env: { EMAIL_CONFIRMATION: 'off' } });
    const [reader, other] = [await registerUser(demo, 'reader'), await registerUser(demo, 'other')];
    await sendRequest(demo, 'POST', '/api/auth/forgot-password', { email: reader.email });
    const { mails } = (await reader.get('/api/demo/mails')).json<{ mails: { id: number }[] }>();
    const url = `/api/demo/mails/${mails[0]?.id}`;
    expect([(await reader.get(url)).statusCode, (await other.get(url)).statusCode]).toEqual([200, 404]);
    await demo.stop();
  });
});
