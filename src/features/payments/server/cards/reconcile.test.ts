import { afterAll, beforeAll, expect, test } from 'vitest';

import { registerUser } from '#tests/support/people.ts';
import {
  auditAccounts,
  DAY_MS,
  openShop,
  queryRows,
  readGrants,
  readInvoices,
  readSubscription,
  readSubscriptions,
  type Shop,
  signInAgain,
} from '#tests/support/shop.ts';

const HOUR_MS = 3_600_000;

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ PUBLIC_URL: '' });
  await shop.s.product.listen();
});
afterAll(async () => {
  await shop.switches({ lose: '1' });
  await shop.s.stop();
});

const reconcile = () => shop.s.job('cards.reconcile');

test('lost webhooks are recovered, once, however often the job runs', async () => {
  const ann = await registerUser(shop.s, 'ann');
  await shop.buy(ann, 'pro');
  expect(await readSubscription(ann)).toMatchObject({ plan: 'free' });
  await reconcile();
  expect(await readSubscription(ann)).toMatchObject({ plan: 'pro' });
  await reconcile();
  shop.s.advance(31 * DAY_MS);
  await reconcile();
  const grants = await readGrants(shop.s, ann);
  expect(grants).toHaveLength(2);
  expect(await readSubscription(await signInAgain(shop.s, ann))).toMatchObject({ plan: 'pro' });
  for (const event of await shop.newEvents())
    expect((await shop.deliver(event)).json()).toEqual({ received: 'duplicate' });
  await auditAccounts(shop.s);
});

test('a subscription with lost events is checked when its period ends', async () => {
  const bo = await registerUser(shop.s, 'bo');
  await shop.buy(bo, 'pro');
  await reconcile();
  shop.s.advance(29 * DAY_MS);
  await reconcile();
  // Away for longer than events are retained.
  shop.s.advance(35 * DAY_MS);
  await queryRows(shop.s, `update card_replays set until = $1`, [shop.s.clock.now().toISOString()]);
  await reconcile();
  const grants = await readGrants(shop.s, bo);
  expect(grants).toHaveLength(3);
});

test('while the card service is down the job reports it once and writes nothing; then it catches up', async () => {
  const cy = await registerUser(shop.s, 'cy');
  await shop.buy(cy, 'pro');
  const calls = () => queryRows<{ until: string }>(shop.s, 'select until from card_replays');
  const before = await calls();
  shop.s.sandbox.faults.set({ provider: 'stripe', kind: 'server_error' });
  shop.s.advance(HOUR_MS);
  await expect(reconcile()).rejects.toThrow('The card service is not responding');
  expect(await calls()).toEqual(before);
  expect(await readInvoices(shop.s, cy)).toEqual([]);
  expect(await readSubscriptions(shop.s, cy)).toEqual([]);
  shop.s.sandbox.faults.clear();
  await reconcile();
  expect(await readSubscription(cy)).toMatchObject({ plan: 'pro' });
});

test('an upgrade whose old subscription could not be ended immediately is completed by the job', async () => {
  const di = await registerUser(shop.s, 'di');
  await shop.buy(di, 'pro');
  await reconcile();
  shop.s.advance(DAY_MS);
  await shop.newEvents();
  await shop.buy(di, 'premium');
  const events = await shop.newEvents();
  const [pro] = await readSubscriptions(shop.s, di);
  shop.s.sandbox.faults.set({ provider: 'stripe', kind: 'server_error', path: `/v1/subscriptions/${pro?.id}` });
  for (const event of events) expect((await shop.deliver(event)).statusCode).toBe(200);
  expect(await readSubscription(di)).toMatchObject({ plan: 'premium' });
  shop.s.sandbox.faults.clear();
  await reconcile();
  const rows = await readSubscriptions(shop.s, di);
  expect(rows.map(({ status }) => status)).toEqual(['canceled', 'active']);
});

test('a subscription unknown to the card service counts as ended', async () => {
  const eve = await registerUser(shop.s, 'eve');
  await queryRows(
    shop.s,
    `insert into card_subscriptions (id, user_id, customer_id, plan, months, status, period_end, cancel_at_period_end, created_at, updated_at)
    values ('sub_gone', $1, 'cus_gone', 'pro', 1, 'active', $2, false, $2, $2)`,
    [eve.id, new Date(shop.s.clock.now().getTime() - DAY_MS).toISOString()],
  );
  await queryRows(shop.s, `insert into card_customers values ($1, 'cus_gone')`, [eve.id]);
  const answer = await eve.post('/api/subscribe/stripe', { planId: 'pro' });
  expect(answer.json()).toMatchObject({ success: true });
  expect(await shop.s.product.cards.cardOf(eve.id)).toBeNull();
});

test.each([
  ['at once', {}],
  ['late, several times and in reverse', { delayMs: '300', duplicates: '2', reorder: '1' }],
])('webhooks that the card service posts %s start the plan', async (name, switches) => {
  await shop.switches(switches);
  const who = await registerUser(shop.s, name.replaceAll(/[^a-z]/g, ''));
  await shop.buy(who, 'pro');
  await expect.poll(async () => (await readSubscription(who)).plan).toBe('pro');
  await expect
    .poll(() => queryRows(shop.s, `select id from card_events where type = 'checkout.session.completed'`))
    .not.toEqual([]);
  const grants = await readGrants(shop.s, who);
  expect(grants).toHaveLength(1);
});
