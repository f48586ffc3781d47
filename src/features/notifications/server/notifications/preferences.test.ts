import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { accountTopic } from '#features/accounts/contract/auth.ts';
import { type Person, person } from '#tests/support/people.ts';
import { PREFERENCES, prefer, preferencesWith } from '#tests/support/preferences.ts';
import { said } from '#tests/support/replies.ts';
import { type Started, start } from '#tests/support/start.ts';

const PATH = '/api/notifications/preferences';
const { notificationPreferences: MORE } = PREFERENCES;

let s: Started;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  s = await start();
  [ann, ben] = [await person(s, 'ann'), await person(s, 'ben', 'pro')];
});
afterAll(() => s.stop());

const read = async (who: Person) => (await who.get(PATH)).json();

describe('preferences', () => {
  test('of a new account are the defaults, for every plan', async () => {
    expect(await read(ann)).toEqual({ preferences: PREFERENCES });
    expect(await read(ben)).toEqual({ preferences: PREFERENCES });
  });

  test('come back as they were sent, sorted and without doubles, and are nobody else’s', async () => {
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
    const answer = await ann.post(PATH, wanted);
    expect([answer.statusCode, answer.json()]).toEqual([200, { preferences: tidy }]);
    expect(await read(ann)).toEqual({ preferences: tidy });
    expect(await read(ben)).toEqual({ preferences: PREFERENCES });
  });

  test('switches are those of the profile, both ways', async () => {
    await prefer(ben, { emailNotifications: false, pushNotifications: true });
    expect((await ben.get('/api/subscription')).json()).toMatchObject({
      notifications: { email: false, push: true, telegram: false },
    });
    const change = { email: ben.email, notifications: { email: true, push: false, telegram: true } };
    expect((await ben.put('/api/profile', change)).statusCode).toBe(200);
    expect((await read(ben)).preferences).toMatchObject({
      emailNotifications: true,
      pushNotifications: false,
      telegramNotifications: true,
      eventNotificationWindows: [3],
    });
  });

  test('every open page of the account hears of a change, from either side', async () => {
    const frames = async () => {
      const { rows } = await sql<{ body: string }>`select body from live_frames where topic = ${accountTopic.name}
        and user_id = ${ben.id}`.execute(s.product.market.ctx.db);
      return rows.map(({ body }) => JSON.parse(body));
    };
    const before = (await frames()).length;
    await prefer(ben, {});
    await ben.put('/api/profile', { email: ben.email, notifications: { email: true, push: true, telegram: true } });
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
    ['an offset for a zone', preferencesWith({ more: { timeZone: '+02:00' } }), 'This time zone is not known'],
    ['25 o’clock', preferencesWith({ more: { quietHours: { ...quiet, from: '25:00' } } }), /must be a time as 22:00/],
    ['a digest each month', preferencesWith({ more: { digest: { ...digest, every: 'monthly' as never } } }), /every/],
    ['a digest at 24', preferencesWith({ more: { digest: { ...digest, hour: 24 } } }), /hour/],
  ])('400: %s', async (_, body, words) => {
    const before = await read(ann);
    const answer = await ann.post(PATH, body);
    expect(said(answer)).toEqual([400, typeof words === 'string' ? words : expect.stringMatching(words)]);
    expect(await read(ann)).toEqual(before);
  });
});
