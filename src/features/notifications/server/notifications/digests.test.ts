import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Severity } from '#features/alerts/contract/alerts.ts';
import type { Delivery } from '#features/notifications/contract/notifications.ts';
import { draftOf, raise } from '#tests/support/alerts.ts';
import { type Person, person } from '#tests/support/people.ts';
import { PREFERENCES, prefer } from '#tests/support/preferences.ts';
import { recording } from '#tests/support/recording-channel.ts';
import { NOON, type Started, start } from '#tests/support/start.ts';

const email = recording();
const push = recording({ name: 'push' });
const DAILY = { every: 'daily', hour: 18, weekday: 1 } as const;

let s: Started;
let ann: Person;
beforeAll(async () => {
  s = await start({ channels: [email, push] });
  ann = await person(s, 'ann', 'pro');
});
beforeEach(async () => {
  for (const channel of [email, push]) channel.got.length = 0;
  s.clock.set(NOON);
  await sql`delete from alerts`.execute(db());
  await prefer(ann, { pushNotifications: true, more: { digest: DAILY } });
});
afterAll(() => s.stop());

const db = () => s.product.market.ctx.db;
const at = (iso: string) => s.clock.set(new Date(iso));
const tell = async (once: string, severity: Severity = 'low') => {
  await raise(s, [draftOf(once, { severity })]);
  await s.product.notifications.deliver();
};
const due = () => s.product.notifications.digestDue(db(), s.clock.now());
const take = () =>
  db()
    .transaction()
    .execute((tx) => s.product.notifications.takeDigest(tx, ann.id));
const log = async () =>
  (await ann.get('/api/notifications/deliveries'))
    .json<{ deliveries: Delivery[] }>()
    .deliveries.filter(({ channel }) => channel === 'email');

describe('a digest', () => {
  test('gathers what is low or medium for the mail; what is high and every other channel go at once', async () => {
    await tell('first');
    await tell('second', 'medium');
    await tell('urgent', 'high');
    expect(email.got.map(({ notice }) => notice.body)).toEqual(['This is urgent']);
    expect(push.got).toHaveLength(3);
    expect(await log()).toMatchObject([
      { state: 'sent' },
      { state: 'waiting', dueAt: '2026-11-20T18:00:00.000Z', note: 'Waits for your digest' },
      { state: 'waiting', dueAt: '2026-11-20T18:00:00.000Z', note: 'Waits for your digest' },
    ]);
    at('2026-11-20T17:59:59Z');
    expect([await due(), await take()]).toEqual([[], []]);
    at('2026-11-20T18:00:00Z');
    expect(await due()).toEqual([ann.id]);
  });

  test('is taken in the order of time, once, and is handed over with the transaction', async () => {
    await tell('first');
    s.advance(60_000);
    await tell('second');
    at('2026-11-20T18:00:00Z');
    const { takeDigest } = s.product.notifications;
    const failing = db()
      .transaction()
      .execute(async (tx) => {
        expect(await takeDigest(tx, ann.id)).toHaveLength(2);
        throw new Error('the mail was not posted');
      });
    await expect(failing).rejects.toThrow('the mail was not posted');
    const taken = await take();
    expect(taken.map(({ notice, queuedAt }) => [notice.body, queuedAt])).toEqual([
      ['This is first', '2026-11-20T12:00:00.000Z'],
      ['This is second', '2026-11-20T12:01:00.000Z'],
    ]);
    expect([await due(), await take()]).toEqual([[], []]);
    expect(await log()).toMatchObject([{ state: 'handed' }, { state: 'handed' }]);
    await s.product.notifications.settle(db(), taken[0]?.id ?? 0, { state: 'sent' });
    expect((await log()).map(({ state }) => state)).toEqual(['handed', 'sent']);
  });

  test('is taken whole while another process holds a part of it', async () => {
    await tell('first');
    await tell('second');
    at('2026-11-20T18:00:00Z');
    const waiting = sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and application_name = 'meridian'`;
    let taking: ReturnType<typeof take> | undefined;
    await db()
      .transaction()
      .execute(async (tx) => {
        await sql`select from notification_deliveries where state = 'digest' order by id limit 1 for update`.execute(
          tx,
        );
        taking = take();
        await expect.poll(async () => (await waiting.execute(db())).rows.length, { timeout: 20_000 }).toBe(1);
      });
    expect(await taking).toHaveLength(2);
  });

  const { categories } = PREFERENCES.notificationPreferences;
  test.each([
    ['whose category', { more: { digest: DAILY, categories: { ...categories, market: ['push' as const] } } }],
    ['whose channel', { emailNotifications: false, more: { digest: DAILY } }],
  ])('leaves out an alert %s is no longer wished for', async (_what, change) => {
    await tell('first');
    await prefer(ann, change);
    at('2026-11-20T18:00:00Z');
    expect(await take()).toEqual([]);
    expect(await log()).toMatchObject([{ state: 'dropped', note: 'You had switched this off' }]);
  });

  test('waits for the end of quiet hours as well', async () => {
    await prefer(ann, {
      more: { digest: DAILY, quietHours: { enabled: true, from: '17:00', to: '19:30', letHighThrough: true } },
    });
    await tell('first');
    expect(await log()).toMatchObject([{ dueAt: '2026-11-20T19:30:00.000Z' }]);
  });

  test.each([
    ['hourly', 'Asia/Kathmandu', '2026-11-20T12:15:00.000Z'],
    ['daily', 'Europe/Berlin', '2026-11-20T17:00:00.000Z'],
    ['weekly', 'America/New_York', '2026-11-23T23:00:00.000Z'],
  ] as const)('%s in %s: at %s', async (every, timeZone, expected) => {
    await prefer(ann, { more: { digest: { ...DAILY, every }, timeZone } });
    await tell('first');
    expect(await log()).toMatchObject([{ dueAt: expected }]);
  });
});
