import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';

import { createDraft, raise } from '#tests/support/alerts.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { recordingChannel } from '#tests/support/recording-channel.ts';
import { CLAIM_MS } from './service/deliver.ts';
import { announce } from './service.ts';
import { claimDeliveries, settleDeliveries } from './store/claim.ts';
import { fanShared } from './store/fan-out.ts';

const email = recordingChannel();
const webhook = recordingChannel({ name: 'webhook' });

const s = fileProduct({ channels: [email, webhook] });
const fay = member(s, 'fay');
const ann = member(s, 'ann', 'pro');
const ben = member(s, 'ben', 'premium');
const ada = member(s, 'ada', 'admin');
beforeEach(() => {
  email.received.length = 0;
  webhook.received.length = 0;
});

const db = () => s.product.market.ctx.db;
const deliver = () => s.product.notifications.deliver();
const told = (channel: typeof email) => channel.received.map(({ userId }) => userId);

describe('an alert', () => {
  test('for everyone reaches paid accounts, Premium+ and administrators first', async () => {
    await raise(s, [createDraft('first')]);
    expect(await deliver()).toBe(5);
    expect(told(email)).toEqual([ben.id, ada.id, ann.id]);
    expect(told(webhook)).toEqual([ben.id, ada.id]);
    expect(fay.id).toBeGreaterThan(0);
    const { rows } = await sql<{ state: string }>`select distinct state from notification_deliveries`.execute(db());
    expect(rows).toEqual([{ state: 'sent' }]);
    expect(email.received[0]?.notice).toEqual({
      kind: 'SSR_LEVEL',
      category: 'market',
      severity: 'low',
      title: 'Stablecoin supply ratio',
      body: 'This is first',
      path: '/app/alerts',
      tag: expect.stringMatching(/^alert-\d+$/),
      asset: null,
      metric: 'ssr',
      value: 1.5,
      at: '2026-11-20T11:59:00.000Z',
      source: 'Meridian',
      eventDate: null,
    });
    expect(await deliver()).toBe(0);
    await raise(s, [createDraft('own', { own: { userId: ann.id, ruleId: 4 }, metric: 'btc_price' })]);
    await deliver();
    expect(email.received[3]?.notice).toMatchObject({ category: 'rules', asset: 'BTC', title: 'This is own' });
  });
});

test('a batch with one reminder of a user includes all their due reminders', async () => {
  for (const n of [1, 2, 3])
    await announce(
      db(),
      {
        once: `event:gathered:${n}`,
        kind: 'EVENT_REMINDER',
        severity: 'high',
        notice: {
          title: `Event ${n}`,
          body: 'It comes.',
          path: '/app/events',
          tag: `event-${n}`,
          source: 'Calendar',
          eventDate: '2026-11-24T13:30:00.000Z',
        },
        window: { days: 3, covered: [] },
      },
      s.clock.now(),
    );
  while (
    (await db()
      .transaction()
      .execute((tx) => fanShared(tx, [email], s.clock.now()))) !== undefined
  );
  const now = s.clock.now();
  const claim = (gathersReminders?: true) =>
    claimDeliveries(db(), { channel: 'email', batch: 1, perSecond: null, gathersReminders, now, until: now });
  expect(await claim()).toHaveLength(1);
  const claimed = await claim(true);
  expect(claimed.map(({ user_id }) => user_id)).toEqual([ben.id, ben.id, ben.id]);
  expect(claimed.map(({ category }) => category)).toEqual(['events', 'events', 'events']);
  await deliver();
});

test('a stalled worker’s result from an earlier attempt neither ends nor delays the current one', async () => {
  await raise(s, [createDraft('late', { own: { userId: ann.id, ruleId: 4 } })]);
  await s.product.notifications.deliver(AbortSignal.abort());
  await sql`update notification_deliveries set state = 'due', tries = 0, sent_at = null where user_id = ${ann.id}`.execute(
    db(),
  );
  const claim = () => {
    const now = s.clock.now();
    const until = new Date(now.getTime() + CLAIM_MS);
    return claimDeliveries(db(), { channel: 'email', batch: 1, perSecond: null, now, until });
  };
  const [first] = await claim();
  s.advance(CLAIM_MS);
  const [second] = await claim();
  expect([first?.id, first?.tries, second?.id, second?.tries]).toEqual([second?.id, 1, first?.id, 2]);
  const { id = 0 } = first ?? {};
  const settle = (tries: number, state: 'failed' | 'due') =>
    settleDeliveries(db(), [{ id, tries, state, note: null, dueAt: null }], s.clock.now());
  expect(await settle(1, 'failed')).toBe(0);
  expect(await settle(1, 'due')).toBe(0);
  expect(await settle(2, 'failed')).toBe(1);
});
