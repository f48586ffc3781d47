import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Severity } from '#features/alerts/contract/alerts.ts';
import type { Delivery } from '#features/notifications/contract/notifications.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { PREFERENCES, savePreferences } from '#tests/support/preferences.ts';
import { recordingChannel } from '#tests/support/recording-channel.ts';
import { NOON } from '#tests/support/start.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const email = recordingChannel();
const push = recordingChannel({ name: 'push' });
const DAILY = { every: 'daily', hour: 18, weekday: 1 } as const;

const s = fileProduct({ channels: [email, push] });
const ann = member(s, 'ann', 'pro');
beforeEach(async () => {
  for (const channel of [email, push]) channel.received.length = 0;
  s.clock.set(NOON);
  await sql`delete from notification_events`.execute(db());
});

const db = () => s.product.market.ctx.db;
const at = (iso: string) => s.clock.set(new Date(iso));
const deliver = () => s.product.notifications.deliver();
const deliveries = async () =>
  (await ann.get('/api/notifications/deliveries')).json<{ deliveries: Delivery[] }>().deliveries;
const quietIn = (timeZone: string, from: string, to: string, letHighThrough = true) =>
  savePreferences(ann, { more: { timeZone, quietHours: { enabled: true, from, to, letHighThrough } } });

/** Local time as `HH:MM`, by another library than the database's. */
const clockIn = (zone: string) => {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (time: number) => format.format(time);
};
const isQuiet = (clock: string, from: string, to: string) =>
  from <= to ? clock >= from && clock < to : clock >= from || clock < to;

async function endOf(now: number, zone: string, from: string, to: string): Promise<string | undefined> {
  const { rows } = await sql<{ ends: string }>`select quiet_end(${new Date(now).toISOString()}::timestamptz, ${zone},
    ${from}::time, ${to}::time) as ends`.execute(db());
  return rows[0]?.ends;
}

describe('quiet hours', () => {
  test.each([
    ['Europe/Berlin', '22:00', '07:00', '2026-11-20T21:30:00Z', '2026-11-21T06:00:00.000Z'],
    ['UTC', '12:30', '14:00', '2026-11-20T13:00:00Z', '2026-11-20T14:00:00.000Z'],
  ])('%s, %s to %s, at %s: sent at %s', async (zone, from, to, now, end) => {
    await quietIn(zone, from, to);
    at(now);
    await raise(s, [createDraft(`quiet:${zone}:${now}`)]);
    expect(await deliver()).toBe(0);
    expect(await deliveries()).toMatchObject([
      { state: 'waiting', dueAt: end, note: 'Held until your quiet hours end' },
    ]);
    at(end);
    expect(await deliver()).toBe(1);
    expect(await deliveries()).toMatchObject([{ state: 'sent', dueAt: null, sentAt: end, note: null }]);
  });

  test('high severity passes, unless the user opts out', async () => {
    await quietIn('UTC', '11:00', '13:00');
    await raise(s, [createDraft('high-1', { severity: 'high' }), createDraft('medium-1', { severity: 'medium' })]);
    expect(await deliver()).toBe(1);
    expect(email.received.map(({ notice }) => notice.body)).toEqual(['This is high-1']);
    await quietIn('UTC', '11:00', '13:00', false);
    await raise(s, [createDraft('high-2', { severity: 'high' })]);
    expect(await deliver()).toBe(0);
  });

  test('a delayed item is current for its usual time after the end', async () => {
    await quietIn('UTC', '11:00', '20:00');
    await raise(s, [createDraft('kept'), createDraft('kept-2')]);
    await deliver();
    at('2026-11-20T20:59:00Z');
    expect(await deliver()).toBe(2);
    expect(email.received).toHaveLength(2);
    await raise(s, [createDraft('stale')]);
    await quietIn('UTC', '11:00', '20:00');
    at('2026-11-20T22:00:00Z');
    expect(await deliver()).toBe(0);
  });

  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'America/St_Johns',
    'Pacific/Apia',
  ];
  /** Days with clock changes, and any other time. */
  const CHANGES = ['2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01'];
  const moment = fc.oneof(
    fc
      .tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -18 * 60, max: 30 * 60 }))
      .map(([day, minutes]) => Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE_MS),
    fc.integer({ min: 0, max: 525_600 }).map((minutes) => Date.parse('2026-01-01T00:00:00Z') + minutes * MINUTE_MS),
  );
  const clock = fc
    .integer({ min: 0, max: 1439 })
    .map((n) => `${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`);

  test.each([
    // The clock is put forward from 02:00 to 03:00: the end is skipped.
    ['America/New_York', '22:00', '02:30', '2026-03-08T06:30:00Z', '2026-03-08T07:00:00.000Z'],
    // The clock is put back at 02:00 and shows 01:30 twice: the first one is the end, until quiet hours resume.
    ['America/New_York', '22:00', '01:30', '2026-11-01T05:10:00Z', '2026-11-01T05:30:00.000Z'],
    ['America/New_York', '22:00', '01:30', '2026-11-01T06:10:00Z', '2026-11-01T06:30:00.000Z'],
    ['America/New_York', '22:00', '01:37', '2026-11-01T05:10:00Z', '2026-11-01T05:37:00.000Z'],
    ['Australia/Lord_Howe', '22:00', '02:15', '2026-10-03T15:20:00Z', '2026-10-03T15:30:00.000Z'],
    // The clock is put back at 02:00 to 01:30, a minute before quiet hours start.
    ['Australia/Lord_Howe', '01:31', '00:00', '2026-04-04T14:59:00Z', '2026-04-04T15:00:00.000Z'],
  ])('%s, %s to %s, at %s: over at %s', async (zone, from, to, now, end) => {
    expect(await endOf(Date.parse(now), zone, from, to)).toBe(end);
  });

  test('end at the first minute whose local time is not quiet, whatever the clock does meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...zones), clock, clock, moment, async (zone, from, to, now) => {
        const wall = clockIn(zone);
        let expected = now;
        while (isQuiet(wall(expected), from, to)) expected += MINUTE_MS;
        expect(await endOf(now, zone, from, to)).toBe(new Date(expected).toISOString());
      }),
      { numRuns: 400 },
    );
  });

  test('a digest is sent at its next set hour, never immediately and never later than its span', async () => {
    const every = fc.constantFrom('hourly', 'daily', 'weekly');
    const hours = fc.integer({ min: 0, max: 23 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...zones),
        every,
        hours,
        fc.integer({ min: 1, max: 7 }),
        moment,
        async (zone, each, hour, weekday, now) => {
          const { rows } = await sql<{
            next: string;
          }>`select next_digest(${new Date(now).toISOString()}::timestamptz, ${zone}, ${each},
          ${hour}, ${weekday}) as next`.execute(db());
          const next = Date.parse(rows[0]?.next ?? '');
          const longest = { hourly: 1, daily: 25, weekly: 7 * 24 + 1 }[each] ?? 0;
          expect(next).toBeGreaterThan(now);
          expect(next - now).toBeLessThanOrEqual(longest * HOUR_MS);
          const wall = clockIn(zone)(next);
          // A skipped hour exists in no local time.
          const isJumped =
            each !== 'hourly' && clockIn(zone)(next - HOUR_MS) === `${String((hour + 23) % 24).padStart(2, '0')}:00`;
          // A clock set back by half an hour shows half past.
          if (each === 'hourly') expect(wall.endsWith(':00') || wall.endsWith(':30')).toBe(true);
          else expect(wall === `${String(hour).padStart(2, '0')}:00` || isJumped || wall.endsWith(':30')).toBe(true);
          const day = new Intl.DateTimeFormat('en-GB', { timeZone: zone, weekday: 'short' }).format(next);
          if (each === 'weekly')
            expect(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(day) + 1).toBe(weekday);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a digest', () => {
  beforeEach(async () => {
    await sql`delete from alerts`.execute(db());
    await savePreferences(ann, { pushNotifications: true, more: { digest: DAILY } });
  });
  const tell = async (once: string, severity: Severity = 'low') => {
    await raise(s, [createDraft(once, { severity })]);
    await deliver();
  };
  const due = () => s.product.notifications.digestDue(db(), s.clock.now());
  const take = () =>
    db()
      .transaction()
      .execute((tx) => s.product.notifications.takeDigest(tx, ann.id));
  const log = async () => (await deliveries()).filter(({ channel }) => channel === 'email');

  test('collects low and medium alerts for email; high ones and every other channel are sent immediately', async () => {
    await tell('first');
    await tell('second', 'medium');
    await tell('urgent', 'high');
    expect(email.received.map(({ notice }) => notice.body)).toEqual(['This is urgent']);
    expect(push.received).toHaveLength(3);
    expect(await log()).toMatchObject([
      { state: 'sent' },
      { state: 'waiting', dueAt: '2026-11-20T18:00:00.000Z', note: 'Held for your digest' },
      { state: 'waiting', dueAt: '2026-11-20T18:00:00.000Z', note: 'Held for your digest' },
    ]);
    at('2026-11-20T17:59:59Z');
    expect([await due(), await take()]).toEqual([[], []]);
    at('2026-11-20T18:00:00Z');
    expect(await due()).toEqual([ann.id]);
  });

  test('is claimed in time order, once, and is handed over with the transaction', async () => {
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

  test('is claimed whole while another process holds a part of it', async () => {
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
  ])('omits an alert %s is no longer wanted for', async (_what, change) => {
    await tell('first');
    await savePreferences(ann, change);
    at('2026-11-20T18:00:00Z');
    expect(await take()).toEqual([]);
    expect(await log()).toMatchObject([{ state: 'dropped', note: 'Turned off in your settings' }]);
  });

  test('also waits for the end of quiet hours', async () => {
    await savePreferences(ann, {
      more: { digest: DAILY, quietHours: { enabled: true, from: '17:00', to: '19:30', letHighThrough: true } },
    });
    await tell('first');
    expect(await log()).toMatchObject([{ dueAt: '2026-11-20T19:30:00.000Z' }]);
  });
});
