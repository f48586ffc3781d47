import { beforeEach, describe, expect, test } from 'vitest';

import type { AdminDelivery } from '#features/notifications/contract/notifications.ts';
import type { Attempt } from '#features/notifications/contract/webhooks.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { fileProduct, shared } from '#tests/support/for-file.ts';
import { emailsTo } from '#tests/support/mailbox.ts';
import { grantPlan, registerUser, type TestUser } from '#tests/support/people.ts';
import { createWebhook, startReceiver } from '#tests/support/webhook-receiver.ts';

const s = fileProduct({ env: { WEBHOOK_ALLOW_LOOPBACK: '1', WEBHOOK_TIMEOUT_SECONDS: '4' } });
const receiver = shared(startReceiver);
let who: TestUser;
let count = 0;
beforeEach(async () => {
  receiver.calls.length = 0;
  count += 1;
  who = await registerUser(s, `person-${count}`, 'premium');
});

/** Raises an alert of the user and delivers everything due. */
async function tell(message: string): Promise<void> {
  const own = { userId: who.id, ruleId: 1 };
  await raise(s, [createDraft(`${message} ${count}`, { own, message, metric: 'btc_price', value: 91_000 })]);
  await s.product.notifications.deliver();
}

/** Calls to one URL, and their delivery. */
const callsTo = (path: string) => receiver.calls.filter((call) => call.path === path);
const delivered = async () => {
  const db = s.product.market.ctx.db;
  return db
    .selectFrom('notification_deliveries')
    .select(['id', 'state', 'note', 'due_at', 'tries'])
    .where('user_id', '=', who.id)
    .where('channel', '=', 'webhook')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
};
/** Emails about webhooks; the user's alerts are emailed as well. */
const told = async () => (await emailsTo(s, who.email)).filter(({ kind }) => kind === 'webhook-off');
const waitMs = async () => Date.parse((await delivered()).due_at) - s.clock.now().getTime();

describe('an alert', () => {
  test('reaches every enabled webhook, as one delivery', async () => {
    const hooks = [
      await createWebhook(who, { url: `${receiver.url}/ok?1` }),
      await createWebhook(who, { url: `${receiver.url}/ok?2` }),
      await createWebhook(who, { url: `${receiver.url}/ok?3` }),
    ];
    await who.put(String(hooks[2]?.at), { name: 'Off', format: 'generic', enabled: false });
    await tell('BTC is above 90,000');
    const delivery = await delivered();
    expect(delivery).toMatchObject({ state: 'sent', note: 'to 2 webhooks', tries: 1 });
    expect(receiver.calls.map(({ path }) => path).toSorted()).toEqual(['/ok?1', '/ok?2']);
    const body = JSON.parse(receiver.calls[0]?.body ?? '') as Record<string, unknown>;
    expect(receiver.calls[0]?.headers['meridian-delivery']).toBe(`dlv_${delivery.id}`);
    expect(body).toMatchObject({
      id: `dlv_${delivery.id}`,
      type: 'CUSTOM_THRESHOLD',
      createdAt: s.clock.now().toISOString(),
      data: { asset: 'BTC', metric: 'btc_price', value: 91_000, severity: 'low', title: 'BTC is above 90,000' },
    });
    expect(await hooks[0]?.now()).toMatchObject({ lastState: 'sent', lastNote: 'Answered 204', failures: 0 });
  });

  test('accepted by one webhook but not another is retried only for the other', async () => {
    const [good, bad] = [
      await createWebhook(who, { url: `${receiver.url}/ok` }),
      await createWebhook(who, { url: `${receiver.url}/broken` }),
    ];
    await tell('first');
    expect(await delivered()).toMatchObject({
      state: 'due',
      note: 'to 1 of 2 webhooks; 127.0.0.1: Answered 500: our database is away',
    });
    expect(await bad.now()).toMatchObject({ failures: 1, lastState: 'later' });
    receiver.say('/broken', 'ok');
    s.advance(10_000);
    await s.product.notifications.deliver();
    receiver.say('/broken', 'broken');
    expect(await delivered()).toMatchObject({ state: 'sent', note: 'to 2 webhooks', tries: 2 });
    expect(callsTo('/ok')).toHaveLength(1);
    const [first, second] = callsTo('/broken');
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['meridian-delivery']).toBe(first?.headers['meridian-delivery']);
    expect(second?.headers['meridian-signature']).not.toBe(first?.headers['meridian-signature']);
    expect(await bad.now()).toMatchObject({ failures: 0, lastState: 'sent' });
    const { attempts } = (await who.get(`${bad.at}/attempts`)).json<{ attempts: Attempt[] }>();
    expect(attempts.map(({ state, status, kind }) => [state, status, kind])).toEqual([
      ['sent', 204, 'CUSTOM_THRESHOLD'],
      ['later', 500, 'CUSTOM_THRESHOLD'],
    ]);
    expect(attempts.map(({ deliveryId }) => `dlv_${deliveryId}`)).toEqual(
      [first, second].map((call) => call?.headers['meridian-delivery']),
    );
    expect((await who.get(`${good.at}/attempts`)).json<{ attempts: Attempt[] }>().attempts).toHaveLength(1);
  });

  test('permanently refused is not sent again unless an administrator retries it', async () => {
    const admin = await registerUser(s, `admin-${count}`, 'admin');
    const path = `/refusing?admin-${count}`;
    await createWebhook(who, { url: receiver.url + path });
    await tell('BTC is above 90,000');
    s.advance(60_000);
    await s.product.notifications.deliver();
    expect(callsTo(path)).toHaveLength(1);
    type List = { deliveries: AdminDelivery[] };
    const dead = async () => (await admin.get('/api/admin/deliveries?channel=webhook')).json<List>().deliveries;
    const mine = (await dead()).find(({ userId }) => userId === who.id);
    expect(mine).toMatchObject({ email: who.email, state: 'failed', tries: 1, note: expect.stringContaining('400') });
    receiver.say(path, 'ok');
    expect((await admin.post(`/api/admin/deliveries/${mine?.id}/retry`)).statusCode).toBe(200);
    await s.product.notifications.deliver();
    expect(callsTo(path)).toHaveLength(2);
    const after = (await admin.get(`/api/admin/deliveries/${mine?.id}`)).json<AdminDelivery>();
    expect(after).toMatchObject({ state: 'sent', tries: 1, note: 'to 1 webhook' });
    expect((await dead()).some(({ id }) => id === mine?.id)).toBe(false);
  });

  test('waits as long as Retry-After requests, an hour at most', async () => {
    const hook = await createWebhook(who, { url: `${receiver.url}/busy` });
    await tell('busy');
    expect(await waitMs()).toBe(90_000);
    await who.put(hook.at, { name: 'Desk', url: `${receiver.url}/patient`, format: 'generic', enabled: true });
    await tell('patient');
    expect(await waitMs()).toBe(3_600_000);
  });

  test('is not sent once Premium+ has ended; the webhooks remain and resume with it', async () => {
    const hook = await createWebhook(who, { url: `${receiver.url}/ok` });
    await grantPlan(s, who.id, 'pro');
    await tell('without');
    expect(receiver.calls).toEqual([]);
    expect((await who.get('/api/webhooks')).statusCode).toBe(403);
    await grantPlan(s, who.id, 'premium');
    await tell('with');
    expect(receiver.calls).toHaveLength(1);
    expect(await hook.now()).toMatchObject({ enabled: true, lastState: 'sent' });
  });

  test('with hostile text is escaped in Discord and Slack', async () => {
    const text = '@everyone <@123> **bold** [bank](https://evil.example) <!channel> & `x`';
    await createWebhook(who, { url: `${receiver.url}/ok?discord`, format: 'discord' });
    await createWebhook(who, { url: `${receiver.url}/ok?slack`, format: 'slack' });
    await tell(text);
    const discord = JSON.parse(callsTo('/ok?discord')[0]?.body ?? '') as { content: string };
    expect(discord).toMatchObject({ allowed_mentions: { parse: [] } });
    expect(discord.content).not.toMatch(/@everyone|(?<!\\)<|(?<!\\)\[|[^\\*]\*\*bold/);
    const slack = JSON.parse(callsTo('/ok?slack')[0]?.body ?? '') as { text: string; blocks: { type: string }[] };
    expect(slack.text).not.toMatch(/[<>]/);
    expect(slack.text).toContain('&lt;!channel&gt; &amp; ');
    expect(JSON.stringify(slack.blocks.slice(0, 3))).not.toContain('mrkdwn');
  });
});

describe('a broken webhook', () => {
  test('410: it is disabled, the delivery is dropped, its owner is notified', async () => {
    const hook = await createWebhook(who, { name: 'Old desk', url: `${receiver.url}/gone` });
    await tell('gone');
    expect(await delivered()).toMatchObject({ state: 'dropped', note: '127.0.0.1: Answered 410' });
    expect(await hook.now()).toMatchObject({
      enabled: false,
      disabledAt: s.clock.now().toISOString(),
      disabledReason: 'The endpoint responded 410 Gone',
    });
    const mail = (await told()).at(-1);
    expect(mail).toMatchObject({ kind: 'webhook-off', subject: 'A webhook was disabled' });
    expect(mail?.text).toContain('Old desk');
    expect(mail?.text).not.toContain('/gone');
    await tell('after');
    expect(receiver.calls).toHaveLength(1);
    const again = await who.put(hook.at, { name: 'Old desk', format: 'generic', enabled: true });
    expect(again.json()).toMatchObject({ enabled: true, disabledAt: null, disabledReason: null, failures: 0 });
  });

  test('fifty consecutive failures over three days: it is disabled and its owner notified; not before', async () => {
    const hook = await createWebhook(who, { url: `${receiver.url}/refusing` });
    for (let i = 1; i <= 60; i++) {
      s.advance(61_000);
      await tell(`fast ${i}`);
    }
    expect(await hook.now()).toMatchObject({ enabled: true, failures: 60 });
    s.advance(3 * 86_400_000 - 61 * 61_000);
    await tell('nearly three days');
    expect(await hook.now()).toMatchObject({ enabled: true, failures: 61 });
    expect(await told()).toEqual([]);
    s.advance(2 * 61_000);
    await tell('three days');
    expect(await hook.now()).toMatchObject({
      enabled: false,
      disabledReason: '62 consecutive calls failed over at least 3 days',
    });
    expect((await told()).map(({ kind }) => kind)).toEqual(['webhook-off']);
  });

  test('after five consecutive failures it is called at most once per minute', async () => {
    await createWebhook(who, { url: `${receiver.url}/refusing?3` });
    for (let i = 1; i <= 6; i++) await tell(`no ${i}`);
    expect(receiver.calls).toHaveLength(5);
    expect(await delivered()).toMatchObject({ state: 'due', note: '127.0.0.1: paused briefly after 5 failures' });
    expect(await waitMs()).toBe(60_000);
    s.advance(60_000);
    await s.product.notifications.deliver();
    expect(receiver.calls).toHaveLength(6);
  });
});

test('calls are stored for 30 days, beyond a day only the latest 200 of each webhook', async () => {
  const hook = await createWebhook(who, { url: `${receiver.url}/ok` });
  const db = s.product.market.ctx.db;
  const row = (hours: number) => ({
    webhook_id: hook.id,
    delivery_id: null,
    kind: 'TEST',
    at: new Date(s.clock.now().getTime() - hours * 3_600_000).toISOString(),
    state: 'sent' as const,
    status: 200,
    ms: 1,
    note: '',
  });
  const ages = [31 * 24, 29 * 24, ...Array.from({ length: 210 }, () => 2)];
  await db.insertInto('webhook_attempts').values(ages.map(row)).execute();
  const left = async () => {
    await s.job('webhooks.retention');
    const rows = await db.selectFrom('webhook_attempts').select('id').where('webhook_id', '=', hook.id).execute();
    return rows.length;
  };
  expect(await left()).toBe(210);
  expect((await who.get(`${hook.at}/attempts`)).json<{ attempts: Attempt[] }>().attempts).toHaveLength(200);
  s.advance(86_400_000);
  expect(await left()).toBe(200);
});
