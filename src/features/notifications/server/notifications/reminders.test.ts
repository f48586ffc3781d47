import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Event } from '#features/events/contract.ts';
import type { Delivery, Preferences } from '#features/notifications/contract/notifications.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { registerUser, signInAgain, type TestUser } from '#tests/support/people.ts';
import { savePreferences } from '#tests/support/preferences.ts';
import { recordingChannel } from '#tests/support/recording-channel.ts';

const email = recordingChannel();
const push = recordingChannel({ name: 'push' });

const s = fileProduct({ channels: [email, push] });
const admin = member(s, 'admin', 'admin');
const ann = member(s, 'ann', 'pro');
const ben = member(s, 'ben', 'pro');
let fomc: Event;
beforeAll(async () => {
  await s.job('events.collect');
  const found = (await s.get('/api/events')).json<Event[]>().find(({ kind }) => kind === 'fomc');
  if (!found) throw new Error('The world has no meeting');
  fomc = found;
  // A single event; the world's others are deleted.
  await sql`update events set deleted_at = now() where id <> ${fomc.id}`.execute(db());
});
beforeEach(async () => {
  await sql`delete from notification_events`.execute(db());
  await sql`delete from event_windows`.execute(db());
  await sql`update events set at = '2026-12-09T19:00:00Z', ignored_at = null, deleted_at = null, impact = 'high' where id = ${fomc.id}`.execute(
    db(),
  );
  await wish(await asAdmin(), { eventNotifications: false });
  for (const who of [ann, ben]) await wish(who, {});
  for (const channel of [email, push]) {
    channel.received.length = 0;
    channel.respond = (deliveries) => deliveries.map(() => ({ state: 'sent' }));
  }
});

/** An administrator's session ends after 12 hours, before the clock of this test. */
const asAdmin = () => signInAgain(s, admin);

const db = () => s.product.market.ctx.db;
const quiet = { quietHours: { enabled: true, from: '00:00', to: '07:00', letHighThrough: false } };
const wish = (who: TestUser, change: Partial<Omit<Preferences, 'notificationPreferences'>> & { more?: typeof quiet }) =>
  savePreferences(who, change);
const look = async (iso: string) => {
  s.clock.set(new Date(iso));
  await s.job('events.windows');
  await s.product.notifications.deliver();
};
/** Recipients of a channel since the last call. */
const told = (channel = email) => channel.received.splice(0).map(({ userId }) => userId);
const log = async (who: TestUser) =>
  (await who.get('/api/notifications/deliveries')).json<{ deliveries: Delivery[] }>().deliveries;
const move = (at: string) => sql`update events set at = ${at} where id = ${fomc.id}`.execute(db());

describe('event reminders', () => {
  test('are sent once, when the event enters a window the user chose', async () => {
    await wish(ben, { eventNotificationWindows: [1, 5, 7] });
    await look('2026-12-01T09:00:00Z');
    expect(told()).toEqual([]);
    await look('2026-12-02T00:05:00Z');
    expect(told()).toEqual([ben.id]);
    await look('2026-12-03T00:05:00Z');
    await look('2026-12-04T00:05:00Z');
    expect(told()).toEqual([ben.id]);
    await look('2026-12-06T00:05:00Z');
    expect(email.received[0]?.notice).toEqual({
      kind: 'EVENT_REMINDER',
      category: 'events',
      severity: 'high',
      title: `${fomc.title} on 9 December`,
      body: expect.stringMatching(/^It is on Wednesday,? 9 December 2026 at 19:00 UTC\. ./),
      path: '/app/events',
      tag: `event-${fomc.id}`,
      asset: null,
      metric: null,
      value: null,
      at: '2026-12-06T00:05:00.000Z',
      source: expect.any(String),
      eventDate: '2026-12-09T19:00:00.000Z',
      allDay: false,
    });
    expect(told()).toEqual([ann.id]);
    await look('2026-12-06T00:10:00Z');
    await look('2026-12-07T00:10:00Z');
    expect(told()).toEqual([]);
    await look('2026-12-08T00:10:00Z');
    expect(told()).toEqual([ben.id]);
  });

  test('for an event found late are sent once, for the nearest window', async () => {
    await wish(ben, { eventNotificationWindows: [1, 2, 3, 5, 7] });
    await look('2026-12-07T10:00:00Z');
    expect(told().toSorted((a, b) => a - b)).toEqual([ann.id, ben.id]);
    expect(await log(ben)).toHaveLength(1);
  });

  test('use the channels chosen for events, for users who want any', async () => {
    await wish(ann, { pushNotifications: true, eventNotificationChannels: ['push'] });
    await wish(ben, { eventNotifications: false });
    await look('2026-12-06T00:05:00Z');
    expect([told(), told(push)]).toEqual([[], [ann.id]]);
    await wish(ann, { eventNotificationChannels: ['push'] });
    await wish(ben, { eventNotificationChannels: [] });
    await move('2026-12-09T20:00:00Z');
    await look('2026-12-06T01:05:00Z');
    expect([told(), told(push)]).toEqual([[], []]);
  });

  test.each([
    ['high', [true, true, true]],
    ['medium', [true, false, true]],
    ['low', [true, false, false]],
  ])('of an event of %s impact reach all, high, high_medium: %o, and no Free users', async (impact, reached) => {
    await sql`update events set impact = ${impact} where id = ${fomc.id}`.execute(db());
    const people = [ann, ben, await asAdmin()];
    const free = await registerUser(s, `free-${impact}`);
    for (const [i, eventImpactFilter] of (['all', 'high', 'high_medium'] as const).entries())
      await wish(people[i] as TestUser, { eventImpactFilter });
    await look('2026-12-06T00:05:00Z');
    const ids = told();
    expect([...people, free].map(({ id }) => ids.includes(id))).toEqual([...reached, false]);
  });

  test('of three days are listed for the one they have reached', async () => {
    const listed = async (who: TestUser) => (await who.get('/api/notifications/reminders')).json();
    await wish(ann, { pushNotifications: true, eventNotificationWindows: [3, 5] });
    await wish(ben, { eventNotifications: false });
    await look('2026-12-04T00:05:00Z');
    expect(await listed(ann)).toEqual({ on: true, sent: [] });
    await look('2026-12-06T14:03:00Z');
    const sentAt = '2026-12-06T14:03:00.000Z';
    const { on, sent } = await listed(ann);
    expect([
      on,
      sent.toSorted((a: { channel: string }, b: { channel: string }) => a.channel.localeCompare(b.channel)),
    ]).toEqual([true, ['email', 'push'].map((channel) => ({ eventId: fomc.id, channel, sentAt }))]);
    expect(await listed(ben)).toEqual({ on: false, sent: [] });
  });
});

describe('a changed event', () => {
  /** Announced to both at night; only ben is notified immediately. */
  async function waiting(): Promise<void> {
    await wish(ann, { more: quiet });
    await look('2026-12-06T00:05:00Z');
    expect(told()).toEqual([ben.id]);
    expect(await log(ann)).toMatchObject([{ state: 'waiting', dueAt: '2026-12-06T07:00:00.000Z' }]);
  }
  const morning = () => look('2026-12-06T07:00:00Z');

  test('moved away: unsent reminders are withdrawn and sent in its new window', async () => {
    await waiting();
    await move('2026-12-12T19:00:00Z');
    await look('2026-12-06T00:10:00Z');
    await morning();
    expect(told()).toEqual([]);
    expect(await log(ann)).toMatchObject([{ state: 'dropped', note: 'Withdrawn before it was sent' }]);
    await look('2026-12-09T08:00:00Z');
    expect(told().toSorted((a, b) => a - b)).toEqual([ann.id, ben.id]);
  });

  test('moved within its window: everyone is notified of the new time, the old reminder is withdrawn', async () => {
    await waiting();
    await move('2026-12-09T15:00:00Z');
    await look('2026-12-06T00:10:00Z');
    expect(email.received.map(({ notice }) => notice.eventDate)).toEqual(['2026-12-09T15:00:00.000Z']);
    expect(told()).toEqual([ben.id]);
    await morning();
    expect(email.received.map(({ notice }) => notice.eventDate)).toEqual(['2026-12-09T15:00:00.000Z']);
    expect(told()).toEqual([ann.id]);
  });

  test('ignored by an admin: withdrawn immediately; restored: only those not yet notified are', async () => {
    await waiting();
    await (await asAdmin()).post(`/api/admin/events/${fomc.id}/ignore`, {});
    await morning();
    expect(told()).toEqual([]);
    expect(await log(ann)).toMatchObject([{ state: 'dropped', note: 'Withdrawn before it was sent' }]);
    await (await asAdmin()).post(`/api/admin/events/${fomc.id}/unignore`, {});
    await look('2026-12-06T08:00:00Z');
    expect(told()).toEqual([ann.id]);
  });

  test('deleted: withdrawn permanently', async () => {
    await waiting();
    expect((await (await asAdmin()).remove(`/api/admin/events/${fomc.id}`)).statusCode).toBeLessThan(300);
    await morning();
    await look('2026-12-07T08:00:00Z');
    expect(told()).toEqual([]);
  });

  test('ignored while its reminder is in progress: what is delivered stays, what fails is not retried', async () => {
    email.respond = async (deliveries) => {
      await (await asAdmin()).post(`/api/admin/events/${fomc.id}/ignore`, {});
      return deliveries.map(({ userId }) => (userId === ann.id ? { state: 'sent' } : { state: 'later', note: 'busy' }));
    };
    await look('2026-12-06T00:05:00Z');
    expect(told()).toHaveLength(2);
    expect(await log(ann)).toMatchObject([{ state: 'sent' }]);
    expect(await log(ben)).toMatchObject([{ state: 'waiting', note: 'busy' }]);
    await morning();
    expect(told()).toEqual([]);
    expect(await log(ben)).toMatchObject([{ state: 'dropped', note: 'Withdrawn before it was sent' }]);
  });

  test('started before the reminder could be sent: it expires', async () => {
    await wish(ann, { eventNotificationWindows: [1] });
    email.respond = (deliveries) => deliveries.map(() => ({ state: 'later', note: 'busy', afterMs: 40 * 3_600_000 }));
    await look('2026-12-08T09:00:00Z');
    s.clock.set(new Date('2026-12-10T02:00:00Z'));
    email.received.length = 0;
    await s.product.notifications.deliver();
    expect(told()).toEqual([]);
    expect(await log(ann)).toMatchObject([{ state: 'expired' }]);
  });
});
