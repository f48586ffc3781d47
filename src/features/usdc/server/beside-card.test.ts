import { afterAll, beforeAll, expect, test } from 'vitest';

import { post } from '#features/billing/server/service.ts';
import { type Person, person } from '#tests/support/people.ts';
import { audited, creditOf, openShop, type Shop, standing } from '#tests/support/shop.ts';

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
