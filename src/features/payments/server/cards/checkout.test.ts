import { expect, test } from 'vitest';
import { addCredit, insertGrant, undoGrant } from '#tests/support/grants.ts';
import { registerUser, sendRequest, type TestUser } from '#tests/support/people.ts';
import { statusAndMessage } from '#tests/support/rows.ts';
import {
  auditAccounts,
  DAY_MS,
  fileShop,
  queryRows,
  readCredit,
  readGrants,
  readInvoices,
  readSubscription,
  readSubscriptions,
  signInAgain,
} from '#tests/support/shop.ts';

const shop = fileShop();

test('unauthenticated, unsold or malformed requests get an error message', async () => {
  const answer = await sendRequest(shop.s, 'POST', '/api/subscribe/stripe', { planId: 'pro', months: 1 });
  expect(statusAndMessage(answer)).toEqual([401, 'Please sign in to subscribe to a plan.']);
  const ann = await registerUser(shop.s, 'ann');
  const months = await shop.order(ann, 'pro', 2);
  expect(statusAndMessage(months)).toEqual([400, 'Plans can be paid for 1, 3, 6, 12 months']);
  for (const body of [{ planId: 'free' }, { months: 1 }, { planId: 'pro', months: 1.5 }, { planId: 'pro', price: 1 }])
    expect((await ann.post('/api/subscribe/stripe', body)).statusCode).toBe(400);
  expect((await ann.post('/api/subscribe/portal')).json()).toEqual({
    error: 'Nothing to manage yet: no plan was paid by card.',
    code: 'conflict',
  });
  const boss = await registerUser(shop.s, 'boss', 'admin');
  expect((await shop.order(boss, 'pro')).statusCode).toBe(409);
});

test('while plans are coming soon no one can subscribe', async () => {
  const soon = await shop.s.another({ LAUNCH_COMING_SOON: '1' });
  const answer = await shop.order(await registerUser(shop.s, 'anton'), 'pro', 1, soon);
  expect(statusAndMessage(answer)).toEqual([400, 'Pro and Premium plans are coming soon! Stay tuned for updates.']);
});

test.each([
  [{ STRIPE_SECRET_KEY: '' }, 'Card payments are not set up.'],
  [{ STRIPE_WEBHOOK_SECRET: '' }, 'Card payments are not fully set up: the webhook signing secret is missing.'],
])('without %o card payment is disabled with a reason', async (env, reason) => {
  const closed = await shop.s.another(env);
  expect(closed.cards.way.methods()).toEqual({ card: reason });
  const ann = await registerUser(shop.s, `closed-${Object.keys(env)[0]}`);
  for (const url of ['/api/subscribe/stripe', '/api/subscribe/portal', '/api/stripe/webhook']) {
    const answer = await sendRequest(
      { ...shop.s, product: closed },
      'POST',
      url,
      { planId: 'pro' },
      { token: ann.token },
    );
    expect([answer.statusCode, answer.json()]).toEqual([503, { error: reason, code: 'unavailable' }]);
  }
  await closed.scheduler.runManually('cards.reconcile');
});

test('double clicks, two tabs and two processes share one open checkout and one customer', async () => {
  const bo = await registerUser(shop.s, 'bo');
  const other = await shop.s.another();
  const urls = await Promise.all([
    shop.checkoutUrl(bo, 'pro', 3),
    shop.checkoutUrl(bo, 'pro', 3),
    shop.checkoutUrl(bo, 'pro', 3, other),
  ]);
  shop.s.advance(60_000);
  urls.push(await shop.checkoutUrl(bo, 'pro', 3));
  expect(new Set(urls).size).toBe(1);
  expect(await shop.readSession(urls[0] ?? '')).toMatchObject({
    status: 'open',
    amount_total: 8547,
    client_reference_id: String(bo.id),
  });
  const customers = await queryRows(shop.s, 'select * from card_customers where user_id = $1', [bo.id]);
  expect(customers).toHaveLength(1);
});

test('a different choice or price or a nearly expired checkout closes the old one and opens a new one', async () => {
  const cy = await registerUser(shop.s, 'cy');
  const first = await shop.checkoutUrl(cy, 'pro');
  const second = await shop.checkoutUrl(cy, 'premium');
  expect(await shop.readSession(first)).toMatchObject({ status: 'expired' });
  const dear = await shop.s.another({ PREMIUM_PRICE_USD: '120' });
  const third = await shop.checkoutUrl(cy, 'premium', 1, dear);
  expect(await shop.readSession(second)).toMatchObject({ status: 'expired' });
  expect(await shop.readSession(third)).toMatchObject({ status: 'open', amount_total: 12_000 });
  const fourth = await shop.checkoutUrl(cy, 'premium');
  shop.s.advance(55 * 60_000);
  const fifth = await shop.checkoutUrl(cy, 'premium');
  expect(fifth).not.toBe(fourth);
});

test('one paid before its webhook arrives is not sold twice', async () => {
  const dee = await registerUser(shop.s, 'dee');
  await shop.buy(dee, 'pro');
  const again = await shop.order(dee, 'pro');
  expect(statusAndMessage(again)).toEqual([
    409,
    'Pro is already renewed by card. You can change or cancel it under Manage Subscription.',
  ]);
  expect(await readSubscription(dee)).toMatchObject({ plan: 'pro' });
  await shop.deliverPending();
  await auditAccounts(shop.s);
});

test('card service errors are retried, and create one customer and one session', async () => {
  const eli = await registerUser(shop.s, 'eli');
  shop.s.sandbox.faults.set({ provider: 'stripe', kind: 'server_error', status: 500, path: '/v1/customers', count: 1 });
  for (const [path, count] of [
    ['/v1/customers', 1],
    ['/v1/checkout/sessions', 2],
  ] as const)
    shop.s.sandbox.faults.set({ provider: 'stripe', kind: 'server_error', status: 503, path, count });
  expect(await shop.readSession(await shop.checkoutUrl(eli, 'pro'))).toMatchObject({ status: 'open' });
  expect(await queryRows(shop.s, 'select * from card_customers where user_id = $1', [eli.id])).toHaveLength(1);
});

test('a card service outage shows a message, and the same click works later', async () => {
  const fay = await registerUser(shop.s, 'fay');
  shop.s.sandbox.faults.set({ provider: 'stripe', kind: 'server_error' });
  const answer = await shop.order(fay, 'pro');
  expect(statusAndMessage(answer)).toEqual([503, 'The card service is not responding. Please try again soon.']);
  shop.s.sandbox.faults.clear();
  expect(await shop.readSession(await shop.checkoutUrl(fay, 'pro'))).toMatchObject({ status: 'open' });
});

test('credit lowers the first payment once, and is used when that is paid', async () => {
  const gus = await registerUser(shop.s, 'gus');
  await addCredit(shop.s, gus, 10_004_321n);
  const url = await shop.checkoutUrl(gus, 'pro');
  expect(await shop.readSession(url)).toMatchObject({ amount_subtotal: 2999, amount_total: 1999 });
  await shop.payAndDeliver(url);
  expect(await readCredit(shop.s, gus)).toBe(4321n);
  const [entry] = await shop.s.product.cards.way.entriesOf(gus.id);
  expect(await shop.s.product.cards.way.findReceipt(gus.id, entry?.id ?? '')).toMatchObject({
    lines: [
      ['Meridian Pro, 1 month', '29.99'],
      ['Paid from your balance', '-10.00'],
    ],
    total: '19.99',
  });
  await shop.advanceAndDeliver(31 * DAY_MS);
  const invoices = await readInvoices(shop.s, gus);
  expect(invoices.map(({ units_paid }) => units_paid)).toEqual([19_990_000, 29_990_000]);
  const grants = await readGrants(shop.s, gus);
  expect(grants).toMatchObject([{ units: 29_990_000 }, { units: 29_990_000 }]);
  await auditAccounts(shop.s);
});

test('credit that covers all of it, or all but a few cents, never requests less than the minimum charge', async () => {
  const [hal, ida] = [await registerUser(shop.s, 'hal'), await registerUser(shop.s, 'ida')];
  await addCredit(shop.s, hal, 50_000_000n);
  await addCredit(shop.s, ida, 29_800_000n);
  const url = await shop.checkoutUrl(hal, 'pro');
  expect(await shop.readSession(url)).toMatchObject({ amount_total: 0 });
  await shop.press(url, 'succeed');
  expect(await shop.readSession(await shop.checkoutUrl(ida, 'pro'))).toMatchObject({ amount_total: 50 });
  await shop.deliverPending();
  expect(await readSubscription(hal)).toMatchObject({ plan: 'pro' });
  expect(await readCredit(shop.s, hal)).toBe(20_010_000n);
});

test('credit used elsewhere while the checkout was open grants no plan: the payment becomes credit', async () => {
  const jo = await registerUser(shop.s, 'jo');
  await addCredit(shop.s, jo, 20_000_000n);
  const url = await shop.checkoutUrl(jo, 'pro');
  await addCredit(shop.s, jo, -15_000_000n);
  await shop.payAndDeliver(url);
  expect(await readSubscription(jo)).toMatchObject({ plan: 'free' });
  expect(await readCredit(shop.s, jo)).toBe(14_990_000n);
  expect(await shop.s.product.cards.cardOf(jo.id)).toBeNull();
  const [entry] = await shop.s.product.cards.way.entriesOf(jo.id);
  expect(entry?.title).toBe('Pro, 1 month by card (kept as credit)');
  await auditAccounts(shop.s);
});

test('Premium+ ends Pro immediately, and the rest of Pro lowers its price without also being refunded', async () => {
  const kim = await registerUser(shop.s, 'kim');
  await shop.buyAndDeliver(kim, 'pro');
  shop.s.advance(10 * DAY_MS);
  const url = await shop.checkoutUrl(await signInAgain(shop.s, kim), 'premium');
  const { amount_total: due } = await shop.readSession(url);
  // 20 of the 30 days of Pro from 20 November are left, minus the minutes this file has taken.
  expect(9900 - Number(due)).toBeGreaterThanOrEqual(1999);
  expect(9900 - Number(due)).toBeLessThanOrEqual(2036);
  shop.s.advance(30 * 60_000);
  await shop.payAndDeliver(url);
  await shop.deliverPending();
  const subs = await readSubscriptions(shop.s, kim);
  expect(subs).toMatchObject([
    { plan: 'pro', status: 'canceled' },
    { plan: 'premium', status: 'active' },
  ]);
  expect(await readSubscription(await signInAgain(shop.s, kim))).toMatchObject({ plan: 'premium' });
  expect(await readCredit(shop.s, kim)).toBeLessThan(20_000n);
  expect((await shop.s.product.cards.way.entriesOf(kim.id)).some(({ title }) => title.startsWith('Refund'))).toBe(
    false,
  );
  await auditAccounts(shop.s);
});

test('Pro after Premium+ begins at its end, is charged then, and can be canceled by resuming Premium+', async () => {
  const lea = await registerUser(shop.s, 'lea');
  await shop.buyAndDeliver(lea, 'premium');
  const { currentPeriodEnd: end } = await readSubscription(lea);
  shop.s.advance(1000);
  const url = await shop.checkoutUrl(lea, 'pro');
  expect(await shop.readSession(url)).toMatchObject({ amount_total: 0 });
  await shop.payAndDeliver(url);
  expect(await readSubscription(lea)).toMatchObject({ plan: 'premium', currentPeriodEnd: end });
  expect(await shop.s.product.cards.cardOf(lea.id)).toMatchObject({ plan: 'pro', renewsAt: end, cancelled: false });
  expect((await lea.post('/api/subscribe/resume')).json()).toEqual({ success: true, renewsAt: end });
  await shop.deliverPending();
  expect(await shop.s.product.cards.cardOf(lea.id)).toMatchObject({ plan: 'premium', cancelled: false });
  shop.s.advance(1000);
  const booked = await shop.checkoutUrl(lea, 'pro');
  await shop.payAndDeliver(booked);
  await shop.advanceAndDeliver(Date.parse(end as string) + 60_000 - shop.s.clock.now().getTime());
  const after = await readSubscription(await signInAgain(shop.s, lea));
  expect(after).toMatchObject({ plan: 'pro', status: 'active' });
  const grants = await readGrants(shop.s, lea);
  expect(grants).toMatchObject([
    { plan: 'premium', units: 99_000_000 },
    { plan: 'pro', units: 29_990_000 },
  ]);
});

test('the first month of a new customer is discounted, once', async () => {
  const cheap = await shop.s.another({ FIRST_MONTH_DISCOUNT: '50' });
  const max = await registerUser(shop.s, 'max');
  const url = await shop.checkoutUrl(max, 'pro', 1, cheap);
  expect(await shop.readSession(url)).toMatchObject({ amount_subtotal: 2999, amount_total: 1500 });
  await shop.payAndDeliver(url);
  await shop.advanceAndDeliver(31 * DAY_MS);
  const grants = await readGrants(shop.s, max);
  expect(grants.map(({ units }) => units)).toEqual([15_000_000, 29_990_000]);
});

test('a first month bought elsewhere while its checkout was open is not discounted twice: the payment becomes credit', async () => {
  const cheap = await shop.s.another({ FIRST_MONTH_DISCOUNT: '50' });
  const [ned, ola] = [await registerUser(shop.s, 'ned'), await registerUser(shop.s, 'ola')];
  for (const who of [ned, ola]) {
    const url = await shop.checkoutUrl(who, 'pro', 1, cheap);
    if (who === ned) await insertGrant(shop.s, who, { plan: 'premium', units: 49_500_000n });
    await shop.press(url, 'succeed');
  }
  await shop.deliverPending();
  await shop.deliverPending();
  expect(await readSubscription(ned)).toMatchObject({ plan: 'premium' });
  expect(await readCredit(shop.s, ned)).toBe(15_000_000n);
  expect(await shop.s.product.cards.cardOf(ned.id)).toBeNull();
  expect((await shop.s.product.cards.way.entriesOf(ned.id))[0]?.title).toBe('Pro, 1 month by card (kept as credit)');
  expect(await readSubscription(ola)).toMatchObject({ plan: 'pro' });
  expect(await readCredit(shop.s, ola)).toBe(0n);
});

test('a first month refunded in full, or reversed by a chain, is available again: by card as in USDC', async () => {
  const cheap = await shop.s.another({ FIRST_MONTH_DISCOUNT: '50' });
  const dueFor = async (who: TestUser) => {
    const url = await shop.checkoutUrl(who, 'pro', 1, cheap);
    return { url, due: (await shop.readSession(url))['amount_total'] };
  };
  const [pat, quy] = [await registerUser(shop.s, 'pat'), await registerUser(shop.s, 'quy')];
  await shop.payAndDeliver((await dueFor(pat)).url);
  const [invoice] = await readInvoices(shop.s, pat);
  await shop.manageAndDeliver(pat, 'refund', { invoice: invoice?.id ?? '' });
  expect((await pat.post('/api/subscribe/cancel')).statusCode).toBe(200);
  expect(await readSubscription(pat)).toMatchObject({ plan: 'free' });
  expect((await dueFor(pat)).due).toBe(1500);
  const source = await insertGrant(shop.s, quy);
  expect((await dueFor(quy)).due).toBe(2999);
  await undoGrant(shop.s, quy, source);
  const again = await dueFor(quy);
  expect(again.due).toBe(1500);
  await shop.payAndDeliver(again.url);
  expect(await readSubscription(quy)).toMatchObject({ plan: 'pro' });
  expect(await readCredit(shop.s, quy)).toBe(0n);
});
