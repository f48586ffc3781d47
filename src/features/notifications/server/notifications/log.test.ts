import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';

import type { Alert } from '#features/alerts/contract/alerts.ts';
import type { ChannelLatency, Delivery } from '#features/notifications/contract/notifications.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { type TestUser } from '#tests/support/people.ts';
import { savePreferences } from '#tests/support/preferences.ts';
import { recordingChannel } from '#tests/support/recording-channel.ts';
import { NOON } from '#tests/support/start.ts';
import { selectDeliveries } from './store/log.ts';

const DAY_MS = 86_400_000;
const email = recordingChannel();
const push = recordingChannel({ name: 'push' });

const s = fileProduct({ channels: [email, push] });
const ann = member(s, 'ann', 'pro');
const ben = member(s, 'ben', 'pro');
beforeEach(async () => {
  s.clock.set(NOON);
  await sql`delete from notification_events`.execute(db());
});

const db = () => s.product.market.ctx.db;
const deliver = () => s.product.notifications.deliver();
const log = async (who: TestUser, query = '') =>
  (await who.get(`/api/notifications/deliveries${query}`)).json<{ deliveries: Delivery[] }>().deliveries;
let count = 0;
const tell = (...who: TestUser[]) =>
  raise(
    s,
    who.map(({ id }) => createDraft(`log-${++count}`, { own: { userId: id, ruleId: 1 }, severity: 'medium' })),
  );

describe('the delivery log', () => {
  test('shows what was sent when, and how long it took; others’ entries are hidden', async () => {
    await savePreferences(ann, { pushNotifications: true });
    await tell(ann, ben);
    s.advance(1250);
    await deliver();
    const rows = await log(ann);
    expect(rows).toHaveLength(2);
    expect(rows.find(({ channel }) => channel === 'push')).toEqual({
      id: expect.any(Number),
      channel: 'push',
      title: 'This is log-1',
      severity: 'medium',
      state: 'sent',
      queuedAt: '2026-11-20T12:00:00.000Z',
      dueAt: null,
      sentAt: '2026-11-20T12:00:01.250Z',
      latencyMs: 1250,
      tries: 1,
      note: null,
    });
    expect((await log(ben)).map(({ title }) => title)).toEqual(['This is log-2']);
    await savePreferences(ann, {});
  });

  test('is returned newest first, in pages, from its index', async () => {
    for (let i = 0; i < 25; i++) await tell(ann);
    await deliver();
    const first = await log(ann);
    expect(first).toHaveLength(20);
    const ids = first.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(await log(ann, `?before=${ids[19]}`)).toHaveLength(5);
    expect((await log(ann, '?limit=3')).map(({ id }) => id)).toEqual(ids.slice(0, 3));
    await sql`insert into users (email, password_hash, created_at) select 'crowd' || n || '@people.example', '', now()
      from generate_series(1, 3000) n`.execute(db());
    await sql`insert into notification_deliveries (event_id, user_id, channel, lane, state, due_at, queued_at, created_at)
      select (select max(id) from notification_events), id, 'email', 1, 'sent', now(), now(), now() from users
      where email like 'crowd%'`.execute(db());
    await sql`analyze notification_deliveries`.execute(db());
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${selectDeliveries(ann.id, 20)}`.execute(db());
    const plan = rows.map((row) => row['QUERY PLAN']).join(' ');
    expect(plan).toContain('notification_deliveries_user');
    expect(plan).not.toContain('Seq Scan on notification_deliveries');
    await sql`delete from users where email like 'crowd%'`.execute(db());
  });

  test.each(['limit=0', 'limit=101', 'limit=x', 'before=0', 'before=1.5'])('400: %s', async (query) => {
    expect((await ann.get(`/api/notifications/deliveries?${query}`)).statusCode).toBe(400);
  });

  test('is stored for 30 days', async () => {
    await tell(ann);
    await deliver();
    s.advance(29 * DAY_MS);
    await s.job('notifications.retention');
    expect((await sql`select 1 from notification_deliveries`.execute(db())).rows).toHaveLength(1);
    s.advance(2 * DAY_MS);
    await s.job('notifications.retention');
    for (const table of ['notification_deliveries', 'notification_events'])
      expect((await sql`select 1 from ${sql.table(table)}`.execute(db())).rows).toEqual([]);
  });
});

describe('the receipt of an alert', () => {
  test('names the channels that had accepted it for the caller, with times', async () => {
    const [raised] = await raise(s, [createDraft('receipt')]);
    expect(raised?.receipt).not.toHaveProperty('deliveries');
    const receiptOf = async (who: TestUser) =>
      (await who.get('/api/alerts?limit=1')).json<{ alerts: Alert[] }>().alerts[0]?.receipt.deliveries;
    expect(await receiptOf(ann)).toEqual([]);
    await savePreferences(ann, { pushNotifications: true });
    push.respond = (deliveries) => deliveries.map(() => ({ state: 'later', note: 'busy', afterMs: 60_000 }));
    await deliver();
    const sent = { channel: 'email', sentAt: '2026-11-20T12:00:00.000Z' };
    expect(await receiptOf(ann)).toEqual([sent]);
    push.respond = (deliveries) => deliveries.map(() => ({ state: 'sent' }));
    s.advance(60_000);
    await deliver();
    expect(await receiptOf(ann)).toEqual([sent, { channel: 'push', sentAt: '2026-11-20T12:01:00.000Z' }]);
    expect(await receiptOf(ben)).toEqual([sent]);
    await savePreferences(ann, {});
  });
});

describe('latency', () => {
  type Measured = { from: string; to: string; channels: ChannelLatency[] };
  const measured = async () => (await s.get('/api/notifications/latency')).json<Measured>();

  test('is public: 30 days, by channel, excluding requested delays; computed at most once per minute', async () => {
    const none = { n: 0, p50Ms: null, p95Ms: null, p99Ms: null };
    expect(await measured()).toEqual({
      from: '2026-10-21T12:00:00.000Z',
      to: '2026-11-20T12:00:00.000Z',
      channels: ['in-app', 'email', 'push', 'telegram', 'webhook'].map((channel) => ({ channel, ...none })),
    });
    await savePreferences(ben, {
      more: { quietHours: { enabled: true, from: '11:00', to: '13:00', letHighThrough: true } },
    });
    for (let i = 1; i <= 20; i++) {
      await tell(ann);
      s.advance(10 * i);
      await deliver();
    }
    await tell(ben);
    await deliver();
    s.clock.set(new Date('2026-11-20T13:00:00Z'));
    await deliver();
    expect((await log(ben, '?limit=1'))[0]).toMatchObject({ state: 'sent' });
    const { channels } = await measured();
    expect(channels[1]).toEqual({ channel: 'email', n: 20, p50Ms: 105, p95Ms: 190.5, p99Ms: 198.1 });
    expect(channels[2]).toEqual({ channel: 'push', ...none });
    await tell(ann);
    await deliver();
    s.advance(59_999);
    expect((await measured()).channels[1]?.n).toBe(20);
    s.advance(1);
    expect((await measured()).channels[1]?.n).toBe(21);
    s.advance(31 * DAY_MS);
    expect((await measured()).channels[1]?.n).toBe(0);
  });
});
