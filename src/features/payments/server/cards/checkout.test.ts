import { afterAll, beforeAll, expect, test } from 'vitest';

import { ask, type Person, person } from '#tests/support/people.ts';
import { audited, openShop, rowsOf, type Shop, standing } from '#tests/support/shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.s.stop());

const wish = (who: Person, planId: string, months = 1) => who.post('/api/subscribe/stripe', { planId, months });
const urlOf = async (who: Person, planId: string, months = 1) =>
  (await wish(who, planId, months)).json<{ url: string }>().url;
const sessionOf = (url: string) => shop.api('GET', `checkout/sessions/${url.split('/').at(-1)}`);

test('who is not signed in, wants what is not sold or asks in another way is told so', async () => {
  const answer = await ask(shop.s, 'POST', '/api/subscribe/stripe', { planId: 'pro', months: 1 });
  expect([answer.statusCode, answer.json()]).toEqual([
    401,
    { error: 'Please sign in to subscribe to a plan.', code: 'unauthenticated' },
  ]);
  const ann = await person(shop.s, 'ann');
  const months = await wish(ann, 'pro', 2);
  expect([months.statusCode, months.json()]).toEqual([
    400,
    { error: 'A plan can be paid for 1, 3, 6, 12 months', code: 'bad_request' },
  ]);
  for (const body of [{ planId: 'free' }, { months: 1 }, { planId: 'pro', months: 1.5 }, { planId: 'pro', price: 1 }])
    expect((await ann.post('/api/subscribe/stripe', body)).statusCode).toBe(400);
  expect((await ann.post('/api/subscribe/portal')).json()).toEqual({
    error: 'There is nothing to manage yet: no plan was paid by card.',
    code: 'conflict',
  });
  const boss = await person(shop.s, 'boss', 'admin');
  expect((await wish(boss, 'pro')).statusCode).toBe(409);
});

test('while the plans are coming soon nobody can subscribe', async () => {
  const soon = await shop.s.another({ LAUNCH_COMING_SOON: '1' });
  const ann = await person(shop.s, 'anton');
  const answer = await soon.app.inject({
    method: 'POST',
    url: '/api/subscribe/stripe',
    headers: { authorization: `Bearer ${ann.token}` },
    payload: { planId: 'pro' },
  });
  expect([answer.statusCode, answer.json()]).toEqual([
    400,
    { error: 'Pro and Premium plans are coming soon! Stay tuned for updates.', code: 'bad_request' },
  ]);
});

test.each([
  [{ STRIPE_SECRET_KEY: '' }, 'Payment by card is not set up here.'],
  [
    { STRIPE_WEBHOOK_SECRET: '' },
    'Payment by card is not set up in full: the signing secret of its webhook is missing.',
  ],
])('without %o the way is closed and says why', async (env, reason) => {
  const closed = await shop.s.another(env);
  expect(closed.cards.way.methods()).toEqual({ card: reason });
  const ann = await person(shop.s, `closed-${Object.keys(env)[0]}`);
  for (const [url, payload] of [
    ['/api/subscribe/stripe', { planId: 'pro' }],
    ['/api/subscribe/portal', {}],
    ['/api/stripe/webhook', {}],
  ] as const) {
    const headers = { authorization: `Bearer ${ann.token}` };
    const answer = await closed.app.inject({ method: 'POST', url, headers, payload });
    expect([answer.statusCode, answer.json()]).toEqual([503, { error: reason, code: 'unavailable' }]);
  }
  await closed.scheduler.runByHand('cards.reconcile');
});

test('double clicks, two tabs and two processes get the same open checkout and one customer', async () => {
  const bo = await person(shop.s, 'bo');
  const other = await shop.s.another();
  const elsewhere = async () =>
    (
      await other.app.inject({
        method: 'POST',
        url: '/api/subscribe/stripe',
        headers: { authorization: `Bearer ${bo.token}` },
        payload: { planId: 'pro', months: 3 },
      })
    ).json<{ url: string }>().url;
  const urls = await Promise.all([urlOf(bo, 'pro', 3), urlOf(bo, 'pro', 3), elsewhere()]);
  shop.s.advance(60_000);
  urls.push(await urlOf(bo, 'pro', 3));
  expect(new Set(urls).size).toBe(1);
  expect(await sessionOf(urls[0] ?? '')).toMatchObject({
    status: 'open',
    amount_total: 8547,
    client_reference_id: String(bo.id),
  });
  const customers = await rowsOf(shop.s, 'select * from card_customers where user_id = $1', [bo.id]);
  expect(customers).toHaveLength(1);
});

test('another choice, another price or a checkout that is nearly over closes the old one and opens a new one', async () => {
  const cy = await person(shop.s, 'cy');
  const first = await urlOf(cy, 'pro');
  const second = await urlOf(cy, 'premium');
  expect(await sessionOf(first)).toMatchObject({ status: 'expired' });
  const dear = await shop.s.another({ PREMIUM_PRICE_USD: '120' });
  const answer = await dear.app.inject({
    method: 'POST',
    url: '/api/subscribe/stripe',
    headers: { authorization: `Bearer ${cy.token}` },
    payload: { planId: 'premium' },
  });
  const third = answer.json<{ url: string }>().url;
  expect(await sessionOf(second)).toMatchObject({ status: 'expired' });
  expect(await sessionOf(third)).toMatchObject({ status: 'open', amount_total: 12_000 });
  const fourth = await urlOf(cy, 'premium');
  shop.s.advance(55 * 60_000);
  const fifth = await urlOf(cy, 'premium');
  expect(fifth).not.toBe(fourth);
});

test('one that was paid before its webhook came is not sold twice', async () => {
  const dee = await person(shop.s, 'dee');
  await shop.buy(dee, 'pro');
  const again = await wish(dee, 'pro');
  expect([again.statusCode, again.json<{ error: string }>().error]).toEqual([
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
  shop.s.sandbox.faults.set({
    provider: 'stripe',
    kind: 'server_error',
    status: 503,
    path: '/v1/checkout/sessions',
    count: 2,
  });
  expect(await sessionOf(await urlOf(eli, 'pro'))).toMatchObject({ status: 'open' });
  expect(await rowsOf(shop.s, 'select * from card_customers where user_id = $1', [eli.id])).toHaveLength(1);
});

test('a card service that is away is told in words, and the same click works later', async () => {
  const fay = await person(shop.s, 'fay');
  shop.s.sandbox.faults.set({ provider: 'stripe', kind: 'server_error' });
  const answer = await wish(fay, 'pro');
  expect([answer.statusCode, answer.json()]).toEqual([
    503,
    { error: 'The card service does not answer at the moment. Please try again soon.', code: 'unavailable' },
  ]);
  shop.s.sandbox.faults.clear();
  expect(await sessionOf(await urlOf(fay, 'pro'))).toMatchObject({ status: 'open' });
});
