import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Delivery } from '#features/notifications/contract/notifications.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { grantPlan, registerUser } from '#tests/support/people.ts';
import { PREFERENCES, savePreferences } from '#tests/support/preferences.ts';
import { recordingChannel } from '#tests/support/recording-channel.ts';
import { NOON } from '#tests/support/start.ts';
import { fanOut } from './service/run.ts';

const MINUTE_MS = 60_000;
const BATCH = 10;
const email = recordingChannel({ batch: BATCH });
const telegram = recordingChannel({ name: 'telegram', perSecond: 28, batch: 100 });

const s = fileProduct({ channels: [email, telegram] });
const ann = member(s, 'ann', 'pro');
beforeEach(async () => {
  for (const channel of [email, telegram]) {
    channel.respond = (deliveries) => deliveries.map(() => ({ state: 'sent' }));
    channel.received.length = 0;
  }
  s.clock.set(NOON);
  await sql`delete from notification_events`.execute(db());
  await sql`delete from users where id <> ${ann.id}`.execute(db());
  await sql`delete from channel_paces where channel <> 'telegram'`.execute(db());
  await sql`update channel_paces set tokens = 28, refilled_at = ${NOON.toISOString()}::timestamptz`.execute(db());
  await savePreferences(ann, {});
});

const db = () => s.product.market.ctx.db;
const deliver = () => s.product.notifications.deliver();
const fan = () => fanOut(s.product.notifications.ctx, new AbortController().signal);
let count = 0;
const tell = (more: object = {}) => raise(s, [createDraft(`queue-${++count}`, more)]);
const newest = async (who = ann) =>
  (await who.get('/api/notifications/deliveries?limit=1')).json<{ deliveries: Delivery[] }>().deliveries[0];

/** Paid accounts with only Telegram or only email; the first `premium` of them have Premium+. */
async function crowd(size: number, way: 'email' | 'telegram', premium = 0): Promise<void> {
  await sql`with people as (insert into users (email, password_hash, created_at, notify_email, notify_telegram)
      select 'crowd' || n || '@people.example', '', now(), ${way === 'email'}, ${way === 'telegram'}
      from generate_series(1, ${size}) n returning id)
    insert into entitlements (user_id, source, plan, starts_at, created_at)
    select id, 'test', case when row_number() over (order by id desc) <= ${premium} then 'premium' else 'pro' end,
      ${NOON.toISOString()}::timestamptz, now() from people`.execute(db());
}

describe('changes during the wait take effect', () => {
  const { categories } = PREFERENCES.notificationPreferences;

  test.each([
    ['a channel that was switched off', { emailNotifications: false }],
    ['a category that is no longer chosen', { more: { categories: { ...categories, market: ['push' as const] } } }],
  ])('%s', async (_what, change) => {
    await tell();
    await fan();
    await savePreferences(ann, change);
    expect(await deliver()).toBe(1);
    expect(email.received).toEqual([]);
    expect(await newest()).toMatchObject({ state: 'dropped', note: 'Turned off in your settings', sentAt: null });
  });

  test('an expired plan', async () => {
    const ben = await registerUser(s, 'ben');
    await grantPlan(s, ben.id, 'pro', { endsAt: new Date(NOON.getTime() + MINUTE_MS) });
    await tell();
    await fan();
    s.advance(MINUTE_MS);
    await deliver();
    expect(email.received.map(({ userId }) => userId)).toEqual([ann.id]);
    expect(await newest(ben)).toMatchObject({ state: 'dropped', note: 'Not included in your plan' });
  });

  test('a deleted account deletes its deliveries; an acknowledged alert is still sent', async () => {
    const cat = await registerUser(s, 'cat', 'pro');
    const [alert] = await tell();
    await fan();
    expect((await cat.remove('/api/auth/delete-account')).statusCode).toBe(200);
    await ann.post(`/api/alerts/${alert?.id}/acknowledge`);
    await deliver();
    expect(email.received.map(({ userId }) => userId)).toEqual([ann.id]);
    const { rows } = await sql`select 1 from notification_deliveries where user_id = ${cat.id}`.execute(db());
    expect(rows).toEqual([]);
  });
});

describe('multiple workers', () => {
  test('a batch claimed by a killed worker passes on after its lease; only that batch may be sent twice', async () => {
    await crowd(44, 'email');
    await tell();
    await fan();
    // It has sent its batch, and crashes before recording it.
    let isHanging: () => void = () => undefined;
    const hanging = new Promise<void>((resolve) => (isHanging = resolve));
    let release: (outcomes: { state: 'sent' }[]) => void = () => undefined;
    email.respond = () => new Promise((resolve) => ((release = resolve), isHanging()));
    const dead = deliver();
    await hanging;
    expect(email.received).toHaveLength(BATCH);

    email.respond = (deliveries) => deliveries.map(() => ({ state: 'sent' }));
    const other = await s.another();
    expect(await other.notifications.deliver()).toBe(45 - BATCH);
    s.advance(2 * MINUTE_MS - 1);
    expect(await other.notifications.deliver()).toBe(0);
    s.advance(1);
    expect(await other.notifications.deliver()).toBe(BATCH);
    expect(new Set(email.received.map(({ id }) => id)).size).toBe(45);
    expect(email.received).toHaveLength(45 + BATCH);
    // Its late result changes nothing.
    const before = await sql`select id, sent_at, tries from notification_deliveries order by id`.execute(db());
    release(Array.from({ length: BATCH }, () => ({ state: 'sent' })));
    await dead;
    expect((await sql`select id, sent_at, tries from notification_deliveries order by id`.execute(db())).rows).toEqual(
      before.rows,
    );
  });

  test('four concurrent ones send everything once, Premium+ before the others', async () => {
    await crowd(120, 'email', 30);
    await tell();
    await fan();
    const { rows } = await sql<{ user_id: number }>`select user_id from notification_deliveries where lane = 0`.execute(
      db(),
    );
    const first = new Set(rows.map(({ user_id }) => user_id));
    expect(first.size).toBe(30);
    const claimed = await Promise.all(Array.from({ length: 4 }, deliver));
    expect(claimed.reduce((sum, n) => sum + n, 0)).toBe(121);
    expect(new Set(email.received.map(({ id }) => id)).size).toBe(121);
    // The fourth worker takes from the second lane while the other three hold the rest of the first.
    const last = email.received.findLastIndex(({ userId }) => first.has(userId));
    expect(last).toBeLessThan(30 + 3 * BATCH);
  });

  test('share the rate limit of a channel', async () => {
    await crowd(100, 'telegram');
    await tell();
    const other = await s.another();
    const both = async () => {
      const [here, there] = await Promise.all([s.product.notifications.deliver(), other.notifications.deliver()]);
      return (here ?? 0) + (there ?? 0) - email.received.splice(0).length;
    };
    expect(await both()).toBe(28);
    expect(await both()).toBe(0);
    s.advance(500);
    expect(await both()).toBe(14);
    s.advance(250);
    expect(await both()).toBe(7);
    // An idle period earns at most one second's worth.
    s.advance(10_000);
    expect(await both()).toBe(28);
    s.advance(1000);
    expect(await both()).toBe(23);
    expect(new Set(telegram.received.map(({ id }) => id)).size).toBe(100);
    expect(telegram.received).toHaveLength(100);
  });

  test('dropped items use no rate limit', async () => {
    await crowd(60, 'telegram');
    await tell();
    await fan();
    await sql`update users set notify_telegram = false where email like 'crowd%' and id % 2 = 0`.execute(db());
    await deliver();
    expect(telegram.received).toHaveLength(28);
  });
});
