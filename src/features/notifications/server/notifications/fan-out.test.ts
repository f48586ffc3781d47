import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { readPlanStatuses } from '#features/accounts/server/subscriptions/service.ts';
import type { AlertType } from '#features/alerts/contract/alerts.ts';
import type { Category, ChannelName } from '#features/notifications/contract/notifications.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { PREFERENCES, savePreferences } from '#tests/support/preferences.ts';
import { recordingChannel } from '#tests/support/recording-channel.ts';
import { NOON } from '#tests/support/start.ts';
import { fanOut } from './service/run.ts';
import { announce } from './service.ts';
import { ranksAt, selectPlanRank } from './store/audience.ts';

const { categories } = PREFERENCES.notificationPreferences;
const ON = { emailNotifications: true, pushNotifications: true, telegramNotifications: true };

const email = recordingChannel();
const push = recordingChannel({ name: 'push' });
const telegram = recordingChannel({ name: 'telegram' });
const webhook = recordingChannel({ name: 'webhook' });
const channels = [email, push, telegram, webhook];

const s = fileProduct({ channels });
const fay = member(s, 'fay');
const ann = member(s, 'ann', 'pro');
const ben = member(s, 'ben', 'premium');
const ada = member(s, 'ada', 'admin');
beforeEach(async () => {
  await sql`delete from notification_events`.execute(db());
  for (const who of [fay, ann, ben, ada]) await savePreferences(who, ON);
});

const db = () => s.product.market.ctx.db;
const fan = () => fanOut(s.product.notifications.ctx, new AbortController().signal);

/** Recipients by channel. */
async function planned(): Promise<Record<string, ChannelName[]>> {
  await fan();
  const { rows } = await sql<{
    email: string;
    channels: ChannelName[];
  }>`select u.email, array_agg(d.channel order by d.channel) as channels
    from notification_deliveries d join users u on u.id = d.user_id group by u.email`.execute(db());
  return Object.fromEntries(rows.map((row) => [row.email.split('@')[0], row.channels]));
}

let count = 0;
const tell = (type: AlertType, more: object = {}) => raise(s, [createDraft(`${type}:${++count}`, { type, ...more })]);
const ALL = ['email', 'push', 'telegram', 'webhook'];
const PRO = ['email', 'push', 'telegram'];

describe('recipients', () => {
  test.each<[AlertType, Category]>([
    ['PRICE_BEARISH_MOVE', 'market'],
    ['AI_CONSENSUS_BULLISH', 'ai'],
    ['INFLATION_SURPRISE', 'inflation'],
  ])('%s goes to Pro and up, webhooks to Premium+ and up, for those who chose it under %s', async (type, category) => {
    await tell(type);
    expect(await planned()).toEqual({ ann: PRO, ben: ALL, ada: ALL });
    await sql`delete from notification_events`.execute(db());
    await savePreferences(ann, { ...ON, more: { categories: { ...categories, [category]: ['push'] } } });
    await savePreferences(ben, { ...ON, more: { categories: { ...categories, [category]: [] } } });
    await tell(type);
    expect(await planned()).toEqual({ ann: ['push'], ada: ALL });
  });

  test.each<AlertType>(['CUSTOM_THRESHOLD', 'RULES_PAUSED'])('%s goes to the owner of the rule', async (type) => {
    await tell(type, { own: { userId: ben.id, ruleId: 1 } });
    expect(await planned()).toEqual({ ben: ALL });
    await sql`delete from notification_events`.execute(db());
    await savePreferences(ben, { ...ON, more: { categories: { ...categories, rules: ['webhook', 'email'] } } });
    await tell(type, { own: { userId: ben.id, ruleId: 1 } });
    await tell(type, { own: { userId: fay.id, ruleId: 2 } });
    expect(await planned()).toEqual({ ben: ['email', 'webhook'] });
  });

  test('a process with a slow clock notifies those who had a plan when the alert was raised', async () => {
    await tell('CUSTOM_THRESHOLD', { own: { userId: ann.id, ruleId: 1 } });
    await tell('PRICE_BULLISH_MOVE');
    s.clock.set(new Date(NOON.getTime() - 41_000));
    expect(await planned()).toEqual({ ann: [...PRO, ...PRO].toSorted(), ben: ALL, ada: ALL });
    s.clock.set(NOON);
  });

  test('an upcoming event is shown in the app; reminders follow each user’s choices', async () => {
    await tell('UPCOMING_EVENT', { event: { id: 1, date: '2026-11-22T12:00:00Z' } });
    expect(await planned()).toEqual({});
  });

  test('product news goes to everyone who opted in, on every plan', async () => {
    await savePreferences(ann, { ...ON, more: { categories: { ...categories, product: [] } } });
    await savePreferences(ben, { ...ON, more: { categories: { ...categories, product: ['push', 'webhook'] } } });
    const notice = { title: 'News', body: 'There is something new.', path: '/app', tag: 'news-1' };
    const news = { once: 'news:1', kind: 'PRODUCT_NEWS', severity: 'low', notice } as const;
    const write = () =>
      db()
        .transaction()
        .execute((tx) => announce(tx, news, s.clock.now()));
    expect([await write(), await write()]).toEqual([true, false]);
    expect(await planned()).toEqual({ fay: ['email'], ben: ['push', 'webhook'], ada: ['email'] });
  });

  test('a disabled channel is skipped; webhooks have no switch', async () => {
    await savePreferences(ann, { emailNotifications: false });
    await savePreferences(ben, { emailNotifications: false });
    await savePreferences(ada, { emailNotifications: true });
    await tell('SSR_LEVEL');
    expect(await planned()).toEqual({ ben: ['webhook'], ada: ['email', 'webhook'] });
  });

  test('only users the channel reaches, once even if listed twice', async () => {
    push.reach = sql`select ${ann.id}::bigint as user_id union all select ${ann.id}::bigint union all select ${fay.id}::bigint`;
    await tell('SSR_LEVEL');
    expect(await planned()).toEqual({
      ann: PRO,
      ben: ['email', 'telegram', 'webhook'],
      ada: ['email', 'telegram', 'webhook'],
    });
    push.reach = email.reach;
  });
});

describe('deliveries are created once', () => {
  test('a shard that runs twice, and two concurrent workers, add nothing', async () => {
    await tell('SSR_LEVEL');
    const counts = await Promise.all([fan(), fan()]);
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 11]);
    await sql`update notification_events set fanned_at = null, fanned_to = 0`.execute(db());
    expect(await fan()).toBe(0);
  });

  test('more users than a shard holds are notified in shards; a worker that stops in between is succeeded by another', async () => {
    await sql`insert into users (email, password_hash, role, created_at) select 'crowd' || n || '@people.example', '', 'admin', now()
      from generate_series(1, 10050) n`.execute(db());
    await tell('SSR_LEVEL');
    const { ctx } = s.product.notifications;
    const between = new AbortController();
    let moments = 0;
    const stopAfterOne = () => {
      // One run for single users, one for everyone.
      if (++moments === 2) between.abort();
      return ctx.now();
    };
    expect(await fanOut({ ...ctx, channels: [email], now: stopAfterOne }, between.signal)).toBe(9999);
    expect(await fanOut({ ...ctx, channels: [email] }, new AbortController().signal)).toBe(10_053 - 9999);
    await sql`delete from users where email like 'crowd%'`.execute(db());
  });

  test('an alert that expired before processing notifies no one', async () => {
    await tell('SSR_LEVEL');
    s.clock.set(new Date(NOON.getTime() + 3_600_000));
    expect(await planned()).toEqual({});
    s.clock.set(NOON);
  });
});

test('plans are read as the ledger reads them', async () => {
  const day = (days: number) => new Date(NOON.getTime() + days * 86_400_000).toISOString();
  const fact = fc.record({
    source: fc.constantFrom('admin', 'card', 'usdc', 'trial'),
    plan: fc.constantFrom('free' as const, 'pro' as const, 'premium' as const),
    starts: fc.integer({ min: -20, max: 20 }),
    ends: fc.option(fc.integer({ min: -20, max: 20 })),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fact, { maxLength: 8 }), async (facts) => {
      await sql`delete from entitlements where user_id = ${fay.id}`.execute(db());
      for (const { source, plan, starts, ends } of facts)
        await sql`insert into entitlements (user_id, source, plan, starts_at, ends_at, created_at)
          values (${fay.id}, ${source}, ${plan}, ${day(starts)}, ${ends === null ? null : day(ends)}, now())`.execute(
          db(),
        );
      const standing = (await readPlanStatuses(db(), [fay.id], NOON)).get(fay.id);
      const { rows } = await sql<{
        rank: number;
      }>`select rank from (${ranksAt(NOON, sql`user_id = ${fay.id}`)}) ranks`.execute(db());
      expect(['free', 'pro', 'premium'][rows[0]?.rank ?? 0]).toBe(standing?.plan);
      const { rows: single } = await sql<{ rank: number | null }>`select p.rank from users u
        cross join lateral (${selectPlanRank(NOON)}) p where u.id = ${fay.id}`.execute(db());
      expect(single[0]?.rank ?? 0).toBe(rows[0]?.rank ?? 0);
    }),
    { numRuns: 60 },
  );
});
