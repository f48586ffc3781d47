import { afterAll, beforeAll, expect, test } from 'vitest';

import { post } from '#features/payments/server/billing/service.ts';
import { grantTo } from '#tests/support/grants.ts';
import { type Person, person } from '#tests/support/people.ts';
import { audited, back, creditOf, DAY_MS, openShop, rowsOf, type Shop, standing } from '#tests/support/shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ PAY_BASE_TREASURY: '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720' });
});
afterAll(() => shop.s.stop());

const byUsdc = (who: Person, planId = 'pro', call = 'wallet-payment') =>
  who.post(`/api/subscribe/${call}`, { planId, network: 'base', months: 1 });

test('409: no USDC beside a card that renews; once it is cancelled, the months begin when its period ends', async () => {
  const ann = await person(shop.s, 'ann');
  await shop.buy(ann, 'pro');
  await shop.catchUp();
  const { currentPeriodEnd: first } = await standing(ann);
  for (const [planId, call] of [['pro'], ['premium'], ['pro', 'renew']]) {
    const refused = await byUsdc(ann, planId, call);
    expect([refused.statusCode, refused.json()]).toEqual([
      409,
      {
        error:
          'Pro is renewed by card, so you would pay twice. Choose Cancel Subscription in your profile first: what is paid for stays yours, and what you pay in USDC is added to it.',
        code: 'conflict',
      },
    ]);
  }
  expect((await ann.post('/api/subscribe/cancel')).statusCode).toBe(200);
  await post(shop.s.product.auth.ctx.db, {
    key: 'admin:ann',
    at: shop.s.clock.now(),
    about: '',
    createdBy: null,
    lines: [
      ['goodwill', 29_990_000n],
      [`credit:${ann.id}`, -29_990_000n],
    ],
  });
  const bought = await byUsdc(ann);
  expect(bought.json()).toMatchObject({ amount: '0.00', status: 'settled' });
  expect([first, (await standing(ann)).currentPeriodEnd].map((end) => end?.slice(0, 10))).toEqual([
    '2026-12-20',
    '2027-01-20',
  ]);
  expect(bought.json().grantedUntil).toBe((await standing(ann)).currentPeriodEnd);
  expect(await creditOf(shop.s, ann)).toBe(0n);
  await audited(shop.s);
});

test('a card that was declined stands in nobody’s way', async () => {
  const ben = await person(shop.s, 'ben');
  await shop.buy(ben, 'pro');
  await shop.catchUp();
  const db = shop.s.product.auth.ctx.db;
  await db.updateTable('card_subscriptions').set({ status: 'past_due' }).where('user_id', '=', ben.id).execute();
  expect((await byUsdc(ben)).statusCode).toBe(200);
});

/** Premium+ as a payment in USDC grants it whose offer is older than what the card has bought. */
const premiumFor = (who: Person, months: number) =>
  grantTo(shop.s, who, { plan: 'premium', months, units: BigInt(months) * 99_000_000n });
const tidied = () => shop.s.product.scheduler.runByHand('cards.reconcile');
const charged = async (who: Person) =>
  (
    await rowsOf<{ units_paid: number }>(
      shop.s,
      'select units_paid from card_invoices where user_id = $1 and units_paid > 0',
      [who.id],
    )
  ).length;

test('Premium+ paid in USDC stops the card of Pro at the end of its month: months that wait are not charged', async () => {
  let cas = await person(shop.s, 'cas');
  await shop.buy(cas, 'pro');
  await shop.catchUp();
  await premiumFor(cas, 6);
  await tidied();
  expect(await shop.s.product.cards.cardOf(cas.id)).toMatchObject({ plan: 'pro', cancelled: true });
  const resumed = await cas.post('/api/subscribe/resume');
  expect(resumed.statusCode).toBe(409);
  expect(resumed.json().error).toMatch(
    /^Premium\+ is paid for until 20 May 2027, \d\d:\d\d:\d\d UTC, so the card would be charged for months of Pro that do not begin\. Choose Pro when Premium\+ is about to end\.$/,
  );
  shop.s.advance(40 * DAY_MS);
  await shop.catchUp();
  cas = await back(shop.s, cas);
  expect(await charged(cas)).toBe(1);
  expect(await standing(cas)).toMatchObject({ plan: 'premium', status: 'active' });
  await audited(shop.s);
});

test('a checkout of Pro that was open when Premium+ was paid in USDC: its month waits, and no other is charged', async () => {
  const dee = await person(shop.s, 'dee');
  const { url } = (await dee.post('/api/subscribe/stripe', { planId: 'pro' })).json<{ url: string }>();
  await premiumFor(dee, 3);
  shop.s.advance(5000);
  await shop.press(url, 'succeed');
  await shop.catchUp();
  expect(await standing(dee)).toMatchObject({ plan: 'premium' });
  expect(await shop.s.product.cards.cardOf(dee.id)).toMatchObject({ plan: 'pro', cancelled: true });
  for (const answer of [await dee.post('/api/subscribe/stripe', { planId: 'pro' }), await byUsdc(dee)])
    expect([answer.statusCode, answer.json().error]).toEqual([
      409,
      'Pro is paid for already: it begins when Premium+ ends.',
    ]);
  shop.s.advance(40 * DAY_MS);
  await shop.catchUp();
  expect(await charged(dee)).toBe(1);
});

test('Pro by card that waits for the end of Premium+ is called off when more of Premium+ is paid in USDC', async () => {
  const eli = await person(shop.s, 'eli');
  await premiumFor(eli, 1);
  await shop.buy(eli, 'pro');
  await shop.catchUp();
  await tidied();
  expect(await shop.s.product.cards.cardOf(eli.id)).toMatchObject({ plan: 'pro', cancelled: false });
  await premiumFor(eli, 1);
  await tidied();
  expect(await shop.s.product.cards.cardOf(eli.id)).toBeNull();
  shop.s.advance(70 * DAY_MS);
  await shop.catchUp();
  expect(await charged(eli)).toBe(0);
});
