import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { actionWords } from '#features/operations/web/admin/audit-labels.ts';
import { post } from '#features/payments/server/billing/service.ts';
import type { Endpoint } from '#shared/contract.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { createUserFactory, registerUser } from '#tests/support/people.ts';
import { recordingChannel } from '#tests/support/recording-channel.ts';

const SRC = join(import.meta.dirname, '../../../..');

const s = fileProduct({ channels: [recordingChannel()] }, 'events.collect');
const admin = member(s, 'admin', 'admin');
let newest = 0;
const someone = createUserFactory('someone', () => s);

const db = () => s.product.market.ctx.db;
const now = () => s.clock.now().toISOString();
const eventId = async () => {
  const { rows } = await sql<{
    id: number;
  }>`select id from events where ignored_at is null order by id limit 1`.execute(db());
  return rows[0]?.id ?? 0;
};

async function failedDelivery(): Promise<number> {
  const who = await registerUser(s, 'reader', 'pro');
  await raise(s, [createDraft('audited', { own: { userId: who.id, ruleId: 1 }, severity: 'high' })]);
  await s.product.notifications.deliver();
  const { rows } = await sql<{
    id: number;
  }>`update notification_deliveries set state = 'failed' where user_id = ${who.id}::bigint
    returning id`.execute(db());
  return rows[0]?.id ?? 0;
}

async function message(): Promise<number> {
  const row = {
    name: 'Ann',
    email: 'ann@example.com',
    subject: 'Help',
    message: 'Please',
    status: 'new',
    created_at: now(),
  } as const;
  const { id } = await db().insertInto('contact_messages').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** A deposit on a chain without an owner. */
async function unowned(): Promise<void> {
  await sql`insert into usdc_deposits (network, tx, idx, block, block_hash, at, token, sender, units, state, is_credited, seen_at)
    values ('solana', 'tx-audited', 1, 10, 'h', ${now()}, 'usdc', 'sender', 5000000, 'final', true, ${now()})`.execute(
    db(),
  );
  const lines = [
    ['chain:solana', 5_000_000n],
    ['suspense', -5_000_000n],
  ] as [string, bigint][];
  await db()
    .transaction()
    .execute((tx) =>
      post(tx, { key: 'dep:solana:tx-audited:1:0', at: s.clock.now(), about: '', createdBy: null, lines }),
    );
}

type Call = () => Promise<{ statusCode: number; body: string }>;
const user =
  (call: string, body?: unknown): Call =>
  async () =>
    admin.post(`/api/admin/users/${(await someone()).id}${call}`, body);
const NOTE = 'For the log';
const INCIDENT = { title: 'Slow', impact: 'minor', components: ['website'], message: 'We look' };
const incident = async () => (await admin.post('/api/admin/incidents', INCIDENT)).json<{ id: number }>().id;

/** For each call with side effects: a request that succeeds, and its audit record. */
const CALLS: Record<string, readonly [action: string, call: Call]> = {
  'PUT /api/admin/users/:id/plan': [
    'plan.set',
    async () => admin.put(`/api/admin/users/${(await someone()).id}/plan`, { plan: 'pro', until: null, note: NOTE }),
  ],
  'DELETE /api/admin/users/:id': [
    'account.delete',
    async () => admin.remove(`/api/admin/users/${(await someone()).id}`),
  ],
  'POST /api/admin/users/:id/disable': ['account.disable', user('/disable', { reason: NOTE })],
  'POST /api/admin/users/:id/enable': [
    'account.enable',
    async () => {
      const { id } = await someone();
      await admin.post(`/api/admin/users/${id}/disable`, { reason: NOTE });
      return admin.post(`/api/admin/users/${id}/enable`);
    },
  ],
  'POST /api/admin/users/:id/resend-confirmation': ['email.resend', user('/resend-confirmation')],
  'POST /api/admin/users/:id/sessions/end': ['session.end', user('/sessions/end', { session: null })],
  'POST /api/admin/deliveries/:id/retry': [
    'delivery.retry',
    async () => admin.post(`/api/admin/deliveries/${await failedDelivery()}/retry`),
  ],
  'POST /api/admin/events/:id/ignore': [
    'event.ignore',
    async () => admin.post(`/api/admin/events/${await eventId()}/ignore`),
  ],
  'POST /api/admin/events/:id/unignore': [
    'event.unignore',
    async () => {
      const id = await eventId();
      await admin.post(`/api/admin/events/${id}/ignore`);
      return admin.post(`/api/admin/events/${id}/unignore`);
    },
  ],
  'DELETE /api/admin/events/:id': ['event.delete', async () => admin.remove(`/api/admin/events/${await eventId()}`)],
  'PUT /api/admin/contact/:id': [
    'contact.status',
    async () => admin.put(`/api/admin/contact/${await message()}`, { status: 'open' }),
  ],
  'POST /api/admin/suspense': [
    'suspense.assign',
    async () => {
      await unowned();
      const { email } = await someone();
      return admin.post('/api/admin/suspense', { network: 'solana', tx: 'tx-audited', idx: 1, email, note: NOTE });
    },
  ],
  'POST /api/admin/credits': [
    'credit.add',
    async () => admin.post('/api/admin/credits', { email: (await someone()).email, amount: '5', note: NOTE }),
  ],
  'POST /api/ai-analysis': ['collection.start', () => admin.post('/api/ai-analysis')],
  'POST /api/collect-data': ['collection.start', () => admin.post('/api/collect-data')],
  'POST /api/collect-advanced-data': ['collection.start', () => admin.post('/api/collect-advanced-data')],
  'POST /api/admin/sources/:id/collect': ['source.collect', () => admin.post('/api/admin/sources/cftc/collect')],
  'POST /api/admin/jobs/:name/run': ['job.run', () => admin.post('/api/admin/jobs/auth.retention/run')],
  'PUT /api/admin/settings/:key': [
    'setting.change',
    () => admin.put('/api/admin/settings/EXPORTS_PER_DAY', { value: '9', was: '20', note: NOTE }),
  ],
  'POST /api/admin/incidents': ['incident.create', async () => admin.post('/api/admin/incidents', INCIDENT)],
  'POST /api/admin/incidents/:id/updates': [
    'incident.update',
    async () =>
      admin.post(`/api/admin/incidents/${await incident()}/updates`, { stage: 'identified', message: 'Found' }),
  ],
  'POST /api/admin/incidents/:id/retract': [
    'incident.retract',
    async () => admin.post(`/api/admin/incidents/${await incident()}/retract`),
  ],
};

/** Calls that need a world of their own are covered by their feature's test. */
const ELSEWHERE: Record<string, readonly [action: string, file: string]> = {
  'POST /api/admin/jobs/failed/:id/retry': ['job.retry', 'operations/server/jobs/jobs.test.ts'],
  'POST /api/errors/:id/resolve': ['error.resolve', 'operations/server/error-logs/error-logs.test.ts'],
  'POST /api/admin/telegram/webhook': ['telegram.webhook', 'notifications/server/telegram/admin.test.ts'],
  'POST /api/admin/telegram/broadcasts': ['telegram.broadcast', 'notifications/server/telegram/broadcast.test.ts'],
  'POST /api/admin/telegram/broadcasts/:id/cancel': [
    'telegram.broadcast_cancel',
    'notifications/server/telegram/broadcast.test.ts',
  ],
};
/** Without lasting effect: a message to the caller's own chat. */
const NOT_KEPT = ['POST /api/admin/telegram/test'];

const isWrite = (given: unknown): given is Endpoint => {
  const { access, method } = (given ?? {}) as Partial<Endpoint>;
  return access === 'admin' && method !== undefined && method !== 'GET';
};
const WRITES: string[] = [];
for (const file of globSync('features/*/contract{.ts,/*.ts}', { cwd: SRC }))
  for (const each of Object.values((await import(join(SRC, file))) as Record<string, unknown>))
    if (isWrite(each)) WRITES.push(`${each.method} ${each.path}`);

test('every call by which an administrator changes anything is listed here', () => {
  expect(WRITES.length).toBeGreaterThan(10);
  expect(WRITES.toSorted()).toEqual([...Object.keys(CALLS), ...Object.keys(ELSEWHERE), ...NOT_KEPT].toSorted());
});

test.each(Object.entries(CALLS))('%s is audited with its actor', async (_call, [action, act]) => {
  const answer = await act();
  expect(answer.statusCode, answer.body).toBe(200);
  const row = await db()
    .selectFrom('audit_log')
    .select(['id', 'action', 'actor_id'])
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  expect(row).toMatchObject({ action, actor_id: admin.id });
  expect(row?.id).toBeGreaterThan(newest);
  newest = row?.id ?? 0;
});

test.each(Object.entries(ELSEWHERE))('%s is covered by its own feature', (_call, [action, file]) => {
  const text = readFileSync(join(SRC, 'features', file), 'utf8');
  expect(text).toContain('audit_log');
  expect(text).toContain(`'${action}'`);
});

/** As written in the code; two features name theirs by a table or a template. */
const NAMED = /action: ['`](?<action>[a-z][\w-]*\.[a-z_]+)['`]/g;

test('every audited action has its label on the page', () => {
  const actions = globSync('features/*/server/**/*.ts', { cwd: SRC })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) =>
      [...readFileSync(join(SRC, file), 'utf8').matchAll(NAMED)].map(({ groups }) => groups?.['action'] ?? ''),
    );
  const more = [
    'two_factor.enable',
    'two_factor.disable',
    'two_factor.renew',
    'api-key.add',
    'api-key.renew',
    'api-key.remove',
  ];
  expect(actions.length).toBeGreaterThan(25);
  expect([...actions, ...more].filter((action) => actionWords(action) === action)).toEqual([]);
});
