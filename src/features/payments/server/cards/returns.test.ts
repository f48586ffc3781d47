import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Person, person } from '#tests/support/people.ts';
import { audited, creditOf, DAY_MS, openShop, rowsOf, type Shop, standing } from '#tests/support/shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.s.stop());

const invoiceOf = async (who: Person) => {
  const [row] = await rowsOf<{ id: string }>(
    shop.s,
    'select id from card_invoices where user_id = $1 order by created_at desc limit 1',
    [who.id],
  );
  return row?.id ?? '';
};
const bought = async (name: string, plan = 'pro') => {
  const who = await person(shop.s, name);
  await shop.buy(who, plan);
  await shop.catchUp();
  return { who, invoice: await invoiceOf(who) };
};
const stripeSum = async () => (await audited(shop.s))['stripe'] ?? 0;

test('a refund in full takes the plan back, a part of it only the money', async () => {
  const { who, invoice } = await bought('ann');
  await shop.portal(who, 'partial', { invoice });
  await shop.catchUp();
  expect(await standing(who)).toMatchObject({ plan: 'pro' });
  expect(await stripeSum()).toBe(29_990_000 - 14_990_000);
  await shop.portal(who, 'refund', { invoice });
  const events = await shop.catchUp();
  for (const event of events) expect((await shop.deliver({ ...event, id: `${event.id}_again` })).statusCode).toBe(200);
  expect(await standing(who)).toMatchObject({ plan: 'free' });
  expect(await stripeSum()).toBe(0);
  const entries = await shop.s.product.cards.way.entriesOf(who.id);
  expect(entries.map(({ amount, state }) => `${amount} ${state}`).toSorted()).toEqual([
    '-14.99 refunded',
    '-15.00 refunded',
    '29.99 refunded',
  ]);
});

test('a refund that is heard of before the payment leads to the same', async () => {
  const who = await person(shop.s, 'bo');
  await shop.buy(who, 'pro');
  const events = await shop.fresh();
  const { data } = (await shop.api('GET', 'invoices', { limit: '1' })) as { data: { id: string }[] };
  await shop.portal(who, 'refund', { invoice: data[0]?.id ?? '' });
  const before = await stripeSum();
  for (const event of [...(await shop.fresh()), ...events]) expect((await shop.deliver(event)).statusCode).toBe(200);
  expect(await standing(who)).toMatchObject({ plan: 'free' });
  expect(await stripeSum()).toBe(before);
});

test('a dispute takes the plan back at once, and it comes again when it is won', async () => {
  const { who, invoice } = await bought('cy');
  const before = await stripeSum();
  await shop.portal(who, 'dispute', { invoice });
  await shop.catchUp();
  expect(await standing(who)).toMatchObject({ plan: 'free' });
  expect(await stripeSum()).toBe(before - 29_990_000);
  await shop.portal(who, 'won', { invoice });
  await shop.catchUp();
  expect(await standing(who)).toMatchObject({ plan: 'pro', currentPeriodEnd: expect.stringMatching(/^2026-12-20/) });
  expect(await stripeSum()).toBe(before);
  await shop.portal(who, 'refund', { invoice });
  await shop.catchUp();
  expect(await standing(who)).toMatchObject({ plan: 'free' });
});

test('a dispute that is lost leaves neither plan nor money', async () => {
  const { who, invoice } = await bought('dee');
  const before = await stripeSum();
  for (const act of ['dispute', 'lost']) {
    await shop.portal(who, act, { invoice });
    await shop.catchUp();
  }
  expect(await standing(who)).toMatchObject({ plan: 'free' });
  expect(await stripeSum()).toBe(before - 29_990_000);
});

test('Premium+ that is refunded gives Pro back instead of its rest, and the credit that went into it', async () => {
  const { who } = await bought('eli');
  shop.s.advance(10 * DAY_MS);
  await shop.buy(who, 'premium');
  await shop.catchUp();
  await shop.catchUp();
  expect(await standing(who)).toMatchObject({ plan: 'premium' });
  await shop.portal(who, 'refund', { invoice: await invoiceOf(who) });
  await shop.catchUp();
  expect(await standing(who)).toMatchObject({ plan: 'pro' });
  expect(await creditOf(shop.s, who)).toBe(0n);
});

test('Pro that Premium+ has cut and that is refunded as well takes its rest out of the credit', async () => {
  const { who, invoice } = await bought('fay');
  shop.s.advance(10 * DAY_MS);
  await shop.buy(who, 'premium');
  await shop.catchUp();
  await shop.catchUp();
  await shop.portal(who, 'refund', { invoice });
  await shop.catchUp();
  expect(await standing(who)).toMatchObject({ plan: 'premium' });
  expect(await creditOf(shop.s, who)).toBeGreaterThanOrEqual(0n);
  await audited(shop.s);
});
