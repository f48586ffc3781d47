import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { accountTopic } from '#features/accounts/contract/auth.ts';
import { raiseAlerts } from '#features/alerts/server/alerts/raise.ts';
import type { ChannelLatency } from '#features/notifications/contract/notifications.ts';
import { openReader, type Reader } from '#kernel/live/fixtures/reader.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { PREFERENCES, preferencesWith, savePreferences } from '#tests/support/preferences.ts';
import { statusAndMessage } from '#tests/support/rows.ts';
import { NOON } from '#tests/support/start.ts';
import { followAlerts } from '#tests/support/streams.ts';

const SOON = { timeout: 20_000 };
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const s = fileProduct();
const ann = member(s, 'ann', 'pro');
const ben = member(s, 'ben', 'premium');
let url: string;
let readers: Reader[] = [];
beforeAll(async () => {
  url = `http://127.0.0.1:${(await s.product.listen()).port}`;
});
beforeEach(async () => {
  s.clock.set(NOON);
  await db().deleteFrom('in_app_handings').execute();
});
afterEach(() => {
  for (const reader of readers) reader.close();
  readers = [];
});

const db = () => s.product.market.ctx.db;
let count = 0;
const draft = (own?: TestUser) => createDraft(`in-app-${++count}`, own ? { own: { userId: own.id, ruleId: 1 } } : {});

const follow = async (who: TestUser) => void readers.push(await followAlerts(s, url, who));
/** Raised now, on the streams `ms` later: the frame is sent at commit. */
async function raiseAndHand(ms: number, ...drafts: ReturnType<typeof draft>[]): Promise<void> {
  const { db: all, live, now } = s.product.alerts.ctx;
  await all.transaction().execute(async (tx) => {
    await raiseAlerts({ live, now }, tx, drafts);
    s.advance(ms);
  });
}
const stored = async () =>
  (await db().selectFrom('in_app_handings').select(['ms', 'streams']).orderBy('ms').execute()).flatMap(
    ({ ms, streams }) => Array.from({ length: streams }, () => ms),
  );
/** Long enough after the last request: latency is computed at most once per minute. */
async function measured(): Promise<ChannelLatency | undefined> {
  s.advance(MINUTE_MS);
  const { channels } = (await s.get('/api/notifications/latency')).json<{ channels: ChannelLatency[] }>();
  return channels.find(({ channel }) => channel === 'in-app');
}

test('measures from writing an alert to its delivery to open pages, counting each page', async () => {
  await follow(ann);
  await follow(ann);
  await follow(ben);
  await raiseAndHand(40, draft());
  await expect.poll(stored, SOON).toEqual([40, 40, 40]);
  await raiseAndHand(700, draft(ben));
  await expect.poll(stored, SOON).toEqual([40, 40, 40, 700]);
  expect(await measured()).toEqual({ channel: 'in-app', n: 4, p50Ms: 40, p95Ms: 700, p99Ms: 700 });
});

test('with no page open, or only those of others, nothing is measured', async () => {
  await follow(ben);
  await raise(s, [draft(ann)]);
  await raiseAndHand(25, draft());
  await expect.poll(stored, SOON).toEqual([25]);
  expect(await measured()).toMatchObject({ n: 1 });
});

test('an alert missed by a page and read on return is not counted', async () => {
  await raiseAndHand(30, draft(ann));
  const { ticket } = (await ann.post('/api/stream/ticket')).json<{ ticket: string }>();
  const reader = await openReader(`${url}/api/stream?topics=alerts&ticket=${ticket}&lastEventId=1`);
  readers.push(reader);
  await expect.poll(reader.text, SOON).toContain('event: ');
  await raiseAndHand(60, draft());
  await expect.poll(stored, SOON).toEqual([60]);
});

test('a backdated alert is not measured and affects nothing', async () => {
  await follow(ann);
  await raiseAndHand(31 * DAY_MS, draft());
  await raiseAndHand(45, draft());
  await expect.poll(stored, SOON).toEqual([45]);
});

test('covers 30 days, then is deleted', async () => {
  await follow(ann);
  await raiseAndHand(50, draft());
  await expect.poll(stored, SOON).toEqual([50]);
  s.advance(29 * DAY_MS);
  await s.job('notifications.retention');
  expect(await measured()).toMatchObject({ n: 1 });
  s.advance(2 * DAY_MS);
  expect(await measured()).toEqual({ channel: 'in-app', n: 0, p50Ms: null, p95Ms: null, p99Ms: null });
  await s.job('notifications.retention');
  expect(await stored()).toEqual([]);
});

test('a stopping process keeps its measurements', async () => {
  await follow(ann);
  await raiseAndHand(10, draft());
  await expect.poll(stored, SOON).toEqual([10]);
  await raiseAndHand(20, draft());
  await expect.poll(() => readers[0]?.text(), SOON).toContain(`in-app-${count}`);
  await s.product.notifications.close();
  expect(await stored()).toEqual([10, 20]);
});

describe('preferences', () => {
  const PATH = '/api/notifications/preferences';
  const { notificationPreferences: MORE } = PREFERENCES;
  let cat: TestUser;
  let dan: TestUser;
  beforeAll(async () => {
    [cat, dan] = [await registerUser(s, 'cat'), await registerUser(s, 'dan', 'pro')];
  });
  const read = async (who: TestUser) => (await who.get(PATH)).json();

  test('of a new account are the defaults, for every plan', async () => {
    expect(await read(cat)).toEqual({ preferences: PREFERENCES });
    expect(await read(dan)).toEqual({ preferences: PREFERENCES });
  });

  test('are returned as sent, sorted and without duplicates, and belong to one user', async () => {
    const wanted = preferencesWith({
      emailNotifications: false,
      pushNotifications: true,
      telegramNotifications: true,
      eventNotifications: false,
      eventNotificationWindows: [7, 1, 3, 1],
      eventNotificationChannels: ['telegram', 'email', 'telegram'],
      eventImpactFilter: 'high_medium',
      more: {
        timeZone: 'Europe/Berlin',
        categories: {
          rules: ['webhook', 'push', 'push'],
          market: [],
          ai: ['telegram'],
          inflation: ['email'],
          product: [],
        },
        quietHours: { enabled: true, from: '23:15', to: '06:45', letHighThrough: false },
        digest: { every: 'weekly', hour: 17, weekday: 5 },
      },
    });
    const tidy = {
      ...wanted,
      eventNotificationWindows: [1, 3, 7],
      eventNotificationChannels: ['email', 'telegram'],
      notificationPreferences: {
        ...wanted.notificationPreferences,
        categories: { ...wanted.notificationPreferences.categories, rules: ['push', 'webhook'] },
      },
    };
    const answer = await cat.post(PATH, wanted);
    expect([answer.statusCode, answer.json()]).toEqual([200, { preferences: tidy }]);
    expect(await read(cat)).toEqual({ preferences: tidy });
    expect(await read(dan)).toEqual({ preferences: PREFERENCES });
  });

  test('switches match the profile, both ways', async () => {
    await savePreferences(dan, { emailNotifications: false, pushNotifications: true });
    expect((await dan.get('/api/subscription')).json()).toMatchObject({
      notifications: { email: false, push: true, telegram: false },
    });
    const change = { email: dan.email, notifications: { email: true, push: false, telegram: true } };
    expect((await dan.put('/api/profile', change)).statusCode).toBe(200);
    expect((await read(dan)).preferences).toMatchObject({
      emailNotifications: true,
      pushNotifications: false,
      telegramNotifications: true,
      eventNotificationWindows: [3],
    });
  });

  test('every open page of the account receives a change from either side', async () => {
    const frames = async () => {
      const { rows } = await sql<{ body: string }>`select body from live_frames where topic = ${accountTopic.name}
        and user_id = ${dan.id}`.execute(s.product.market.ctx.db);
      return rows.map(({ body }) => JSON.parse(body));
    };
    const before = (await frames()).length;
    await savePreferences(dan, {});
    await dan.put('/api/profile', { email: dan.email, notifications: { email: true, push: true, telegram: true } });
    const heard = { changed: ['subscription', 'notifications'] };
    expect((await frames()).slice(before)).toEqual([heard, heard]);
  });

  const quiet = MORE.quietHours;
  const { digest } = MORE;
  test.each<[string, unknown, string | RegExp]>([
    ['a part of it', { emailNotifications: true }, /pushNotifications/],
    ['a field that is not known', { ...PREFERENCES, sms: true }, /sms/],
    ['4 days before', { ...PREFERENCES, eventNotificationWindows: [3, 4] }, /eventNotificationWindows/],
    ['events by webhook', { ...PREFERENCES, eventNotificationChannels: ['webhook'] }, /eventNotificationChannels/],
    ['an impact that is not offered', { ...PREFERENCES, eventImpactFilter: 'low' }, /^eventImpactFilter/],
    [
      'no such category',
      preferencesWith({ more: { categories: { ...MORE.categories, gossip: [] } as never } }),
      /gossip/,
    ],
    ['no such channel', preferencesWith({ more: { categories: { ...MORE.categories, ai: ['fax'] as never } } }), /ai/],
    ['an offset for a zone', preferencesWith({ more: { timeZone: '+02:00' } }), 'Unknown time zone'],
    ['25 o’clock', preferencesWith({ more: { quietHours: { ...quiet, from: '25:00' } } }), /must be a time as 22:00/],
    ['a digest each month', preferencesWith({ more: { digest: { ...digest, every: 'monthly' as never } } }), /every/],
    ['a digest at 24', preferencesWith({ more: { digest: { ...digest, hour: 24 } } }), /hour/],
  ])('400: %s', async (_, body, words) => {
    const before = await read(cat);
    const answer = await cat.post(PATH, body);
    expect(statusAndMessage(answer)).toEqual([400, typeof words === 'string' ? words : expect.stringMatching(words)]);
    expect(await read(cat)).toEqual(before);
  });
});
