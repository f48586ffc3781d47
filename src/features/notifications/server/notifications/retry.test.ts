import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AdminDelivery, Delivery } from '#features/notifications/contract/notifications.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { registerUser, signInAgain, type TestUser } from '#tests/support/people.ts';
import { recordingChannel } from '#tests/support/recording-channel.ts';
import { statusAndMessage } from '#tests/support/rows.ts';
import { NOON } from '#tests/support/start.ts';
import { retryDelayMs } from './service/deliver.ts';

const MINUTE_MS = 60_000;
const email = recordingChannel({ batch: 10 });
const push = recordingChannel({ name: 'push', reach: sql`select id as user_id from users where false` });

const s = fileProduct({ channels: [email, push] });
const ann = member(s, 'ann', 'pro');
let ada: TestUser;
beforeAll(async () => {
  ada = await registerUser(s, 'ada', 'admin');
});
beforeEach(async () => {
  email.respond = (deliveries) => deliveries.map(() => ({ state: 'sent' }));
  email.received.length = 0;
  s.clock.set(NOON);
  await sql`delete from notification_events`.execute(db());
});

const db = () => s.product.market.ctx.db;
const deliver = () => s.product.notifications.deliver();
let count = 0;
const tellAnn = () => raise(s, [createDraft(`own-${++count}`, { own: { userId: ann.id, ruleId: 1 } })]);
const newest = async () =>
  (await ann.get('/api/notifications/deliveries?limit=1')).json<{ deliveries: Delivery[] }>().deliveries[0];
const failed = async (query = '') =>
  (await ada.get(`/api/admin/deliveries${query}`)).json<{ deliveries: AdminDelivery[]; total: number }>();
const one = async (id = 0) => (await ada.get(`/api/admin/deliveries/${id}`)).json<AdminDelivery>();
/** Advances to the next attempt and runs it. */
async function again(): Promise<number> {
  s.clock.set(new Date((await newest())?.dueAt ?? NOON));
  return deliver();
}

describe('a channel that cannot send', () => {
  test('is tried six times with growing delays, then is in the admin’s list, where one retry starts over', async () => {
    email.respond = (deliveries) => deliveries.map(() => ({ state: 'later', note: 'The server is busy' }));
    await tellAnn();
    await deliver();
    const waits: number[] = [];
    for (let tries = 1; tries < 6; tries++) {
      const row = await newest();
      expect(row).toMatchObject({ state: 'waiting', tries, note: 'The server is busy', sentAt: null });
      waits.push(Date.parse(row?.dueAt ?? '') - s.clock.now().getTime());
      expect(await deliver()).toBe(0);
      expect(await again()).toBe(1);
    }
    for (const [i, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(5000 * 3 ** i * 0.5);
      expect(wait).toBeLessThanOrEqual(5000 * 3 ** i * 1.5);
    }
    expect(await newest()).toMatchObject({ state: 'failed', tries: 6, dueAt: null });
    expect(new Set(email.received.map(({ id }) => id)).size).toBe(1);
    expect(email.received.map(({ tries }) => tries)).toEqual([1, 2, 3, 4, 5, 6]);
    s.advance(24 * 60 * MINUTE_MS);
    expect(await deliver()).toBe(0);

    ada = await signInAgain(s, ada);
    const list = await failed();
    expect(list).toMatchObject({
      total: 1,
      deliveries: [{ userId: ann.id, email: ann.email, state: 'failed', note: 'The server is busy' }],
    });
    expect(await failed('?channel=push')).toEqual({ deliveries: [], total: 0 });
    const id = list.deliveries[0]?.id;
    email.respond = (deliveries) => deliveries.map(() => ({ state: 'sent', note: 'to one mailbox' }));
    const answer = await ada.post(`/api/admin/deliveries/${id}/retry`);
    expect([answer.statusCode, answer.json()]).toEqual([200, { id, state: 'waiting' }]);
    expect(await newest()).toMatchObject({ state: 'waiting', tries: 0, note: null });
    expect(await one(id)).toMatchObject({ id, state: 'waiting', tries: 0, note: null, sentAt: null });
    await deliver();
    expect(await newest()).toMatchObject({ id, state: 'sent', tries: 1, note: 'to one mailbox' });
    expect(await one(id)).toEqual({ ...(await newest()), userId: ann.id, email: ann.email });
    expect((await failed()).total).toBe(0);
    expect(statusAndMessage(await ada.post(`/api/admin/deliveries/${id}/retry`))).toEqual([
      409,
      'This delivery has not failed',
    ]);
    const { rows } = await sql`select actor_id, details from audit_log where action = 'delivery.retry'`.execute(db());
    expect(rows).toEqual([{ actor_id: ada.id, details: { delivery: id } }]);
  });

  test('delays grow to an hour, and are never shorter than the channel requests', () => {
    expect(retryDelayMs(1, undefined, 0)).toBe(2500);
    expect(retryDelayMs(3, undefined, 1)).toBe(67_500);
    expect(retryDelayMs(20, undefined, 0.5)).toBe(3_600_000);
    expect(retryDelayMs(1, 90_000, 0.5)).toBe(90_000);
    expect(retryDelayMs(4, 1000, 0.5)).toBe(135_000);
  });

  test('one that crashes is reported, and the whole batch is retried', async () => {
    email.respond = () => Promise.reject(new Error('no socket'));
    await tellAnn();
    await deliver();
    expect(await newest()).toMatchObject({ state: 'waiting', tries: 1, note: 'The channel failed: no socket' });
    email.respond = () => [];
    await again();
    expect(await newest()).toMatchObject({ state: 'waiting', tries: 2 });
    const reported = async () => {
      const { rows } = await sql<{
        message: string;
      }>`select message from error_logs where source = 'notifications'`.execute(db());
      return rows.map(({ message }) => message);
    };
    await expect.poll(reported).toContain('The channel email failed');
  });

  test('one batch can have every outcome', async () => {
    for (let i = 0; i < 4; i++) await tellAnn();
    email.respond = () => [
      { state: 'sent', note: 'to 2 browsers' },
      { state: 'failed', note: 'No such address' },
      { state: 'dropped', note: 'The chat was blocked' },
      { state: 'handed' },
    ];
    await deliver();
    const rows = (await ann.get('/api/notifications/deliveries')).json<{ deliveries: Delivery[] }>().deliveries;
    expect(rows.map(({ state, note }) => [state, note]).toReversed()).toEqual([
      ['sent', 'to 2 browsers'],
      ['failed', 'No such address'],
      ['dropped', 'The chat was blocked'],
      ['handed', null],
    ]);
    const { settle } = s.product.notifications;
    const id = rows[0]?.id ?? 0;
    s.advance(MINUTE_MS);
    await db()
      .transaction()
      .execute((tx) => settle(tx, id, { state: 'sent' }));
    expect(await newest()).toMatchObject({
      id,
      state: 'sent',
      sentAt: '2026-11-20T12:01:00.000Z',
      latencyMs: MINUTE_MS,
    });
    // Settled once: later outcomes change nothing.
    await settle(db(), id, { state: 'failed', note: 'bounced' });
    expect(await newest()).toMatchObject({ id, state: 'sent', note: null });
    await settle(db(), 999_999, { state: 'sent' });
  });

  test('a postponed item that was handed over is retried', async () => {
    email.respond = (deliveries) => deliveries.map(() => ({ state: 'handed' }));
    await tellAnn();
    await deliver();
    const { id = 0 } = (await newest()) ?? {};
    await s.product.notifications.settle(db(), id, { state: 'later', note: 'greylisted' });
    expect(await newest()).toMatchObject({ state: 'waiting', note: 'greylisted' });
    expect(await again()).toBe(1);
  });
});

describe('expired items', () => {
  test('a market alert not sent within an hour is dropped', async () => {
    email.respond = (deliveries) => deliveries.map(() => ({ state: 'later', note: 'busy', afterMs: 59 * MINUTE_MS }));
    await tellAnn();
    await deliver();
    s.advance(60 * MINUTE_MS);
    email.received.length = 0;
    expect(await deliver()).toBe(1);
    expect(email.received).toEqual([]);
    expect(await newest()).toMatchObject({ state: 'expired', note: 'Expired before it could be sent', sentAt: null });
  });
});

describe('the admin’s list', () => {
  test('returns 404 for an unknown id and rejects an invalid one', async () => {
    expect(statusAndMessage(await ada.post('/api/admin/deliveries/999999/retry'))).toEqual([404, 'Delivery not found']);
    expect(statusAndMessage(await ada.get('/api/admin/deliveries/999999'))).toEqual([404, 'Delivery not found']);
    for (const id of ['0', 'x', '1.5']) {
      expect((await ada.post(`/api/admin/deliveries/${id}/retry`)).statusCode).toBe(400);
      expect((await ada.get(`/api/admin/deliveries/${id}`)).statusCode).toBe(400);
    }
    expect((await ada.get('/api/admin/deliveries?channel=fax')).statusCode).toBe(400);
  });
});
