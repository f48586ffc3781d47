import { expect, test } from 'vitest';

import { ask, person } from '#tests/support/people.ts';
import { said } from '#tests/support/rows.ts';
import { audited, fileShop, rowsOf, standing } from '#tests/support/shop.ts';

const shop = fileShop();

test('who is not signed in, wants what is not sold or asks in another way is told so', async () => {
  const answer = await ask(shop.s, 'POST', '/api/subscribe/stripe', { planId: 'pro', months: 1 });
  expect(said(answer)).toEqual([401, 'Please sign in to subscribe to a plan.']);
  const ann = await person(shop.s, 'ann');
  const months = await shop.order(ann, 'pro', 2);
  expect(said(months)).toEqual([400, 'Plans can be paid for 1, 3, 6, 12 months']);
  for (const body of [{ planId: 'free' }, { months: 1 }, { planId: 'pro', months: 1.5 }, { planId: 'pro', price: 1 }])
    expect((await ann.post('/api/subscribe/stripe', body)).statusCode).toBe(400);
  expect((await ann.post('/api/subscribe/portal')).json()).toEqual({
    error: 'Nothing to manage yet: no plan was paid by card.',
    code: 'conflict',
  });
  const boss = await person(shop.s, 'boss', 'admin');
  expect((await shop.order(boss, 'pro')).statusCode).toBe(409);
});

test('while the plans are coming soon nobody can subscribe', async () => {
  const soon = await shop.s.another({ LAUNCH_COMING_SOON: '1' });
  const answer = await shop.order(await person(shop.s, 'anton'), 'pro', 1, soon);
  expect(said(answer)).toEqual([400, 'Pro and Premium plans are coming soon! Stay tuned for updates.']);
});

test.each([
  [{ STRIPE_SECRET_KEY: '' }, 'Card payments are not set up.'],
  [{ STRIPE_WEBHOOK_SECRET: '' }, 'Card payments are not fully set up: the webhook signing secret is missing.'],
])('without %o the way is closed and says why', async (env, reason) => {
  const closed = await shop.s.another(env);
  expect(closed.cards.way.methods()).toEqual({ card: reason });
  const ann = await person(shop.s, `closed-${Object.keys(env)[0]}`);
  for (const url of ['/api/subscribe/stripe', '/api/subscribe/portal', '/api/stripe/webhook']) {
    const answer = await ask({ ...shop.s, product: closed }, 'POST', url, { planId: 'pro' }, { token: ann.token });
    expect([answer.statusCode, answer.json()]).toEqual([503, { error: reason, code: 'unavailable' }]);
  }
  await closed.scheduler.runByHand('cards.reconcile');
});

test('double clicks, two tabs and two processes get the same open checkout and one customer', async () => {
  const bo = await person(shop.s, 'bo');
  const other = await shop.s.another();
  const urls = await Promise.all([shop.urlOf(bo, 'pro', 3), shop.urlOf(bo, 'pro', 3), shop.urlOf(bo, 'pro', 3, other)]);
  shop.s.advance(60_000);
  urls.push(await shop.urlOf(bo, 'pro', 3));
  expect(new Set(urls).size).toBe(1);
  expect(await shop.sessionOf(urls[0] ?? '')).toMatchObject({
    status: 'open',
    amount_total: 8547,
    client_reference_id: String(bo.id),
  });
  const customers = await rowsOf(shop.s, 'select * from card_customers where user_id = $1', [bo.id]);
  expect(customers).toHaveLength(1);
});

test('another choice, another price or a checkout that is nearly over closes the old one and opens a new one', async () => {
  const cy = await person(shop.s, 'cy');
  const first = await shop.urlOf(cy, 'pro');
  const second = await shop.urlOf(cy, 'premium');
  expect(await shop.sessionOf(first)).toMatchObject({ status: 'expired' });
  const dear = await shop.s.another({ PREMIUM_PRICE_USD: '120' });
  const third = await shop.urlOf(cy, 'premium', 1, dear);
  expect(await shop.sessionOf(second)).toMatchObject({ status: 'expired' });
  expect(await shop.sessionOf(third)).toMatchObject({ status: 'open', amount_total: 12_000 });
  const fourth = await shop.urlOf(cy, 'premium');
  shop.s.advance(55 * 60_000);
  const fifth = await shop.urlOf(cy, 'premium');
  expect(fifth).not.toBe(fourth);
});

test('one that was paid before its webhook came is not sold twice', async () => {
  const dee = await person(shop.s, 'dee');
  await shop.buy(dee, 'pro');
  const again = await shop.order(dee, 'pro');
  expect(said(again)).toEqual([
    409,
    'Pro is already renewed by card. You can change or cancel it under Manage Subscription.',
  ]);
  expect(await standing(dee)).toMatchObject({ plan: 'pro' });
  await shop.catchUp();
  await audited(shop.s);
});

test('errors of the card service are asked again, and make one customer and one session', async () => {
  const eli = await person(shop.s, 'eli');
  shop.s.sandbox.faults.set({ provider: 'stripe', kind: 'server_error', status: 500, path: '/v1/customers', count: 1 });
  for (const [path, count] of [
    ['/v1/customers', 1],
    ['/v1/checkout/sessions', 2],
  ] as const)
    shop.s.sandbox.faults.set({ provider: 'stripe', kind: 'server_error', status: 503, path, count });
  expect(await shop.sessionOf(await shop.urlOf(eli, 'pro'))).toMatchObject({ status: 'open' });
  expect(await rowsOf(shop.s, 'select * from card_customers where user_id = $1', [eli.id])).toHaveLength(1);
});

test('a card service that is away is told in words, and the same click works later', async () => {
  const fay = await person(shop.s, 'fay');
  shop.s.sandbox.faults.set({ provider: 'stripe', kind: 'server_error' });
  const answer = await shop.order(fay, 'pro');
  expect(said(answer)).toEqual([503, 'The card service is not responding. Please try again soon.']);
  shop.s.sandbox.faults.clear();
  expect(await shop.sessionOf(await shop.urlOf(fay, 'pro'))).toMatchObject({ status: 'open' });
});
