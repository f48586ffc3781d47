import { afterAll, beforeAll, expect, test } from 'vitest';

import { person } from '#tests/support/people.ts';
import { openShop, rowsOf, type Shop, standing } from '#tests/support/shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ PUBLIC_URL: '' });
  await shop.s.product.listen();
});
afterAll(async () => {
  await shop.switches({ lose: '1' });
  await shop.s.stop();
});

test.each([
  ['at once', {}],
  ['late, several times and in reverse', { delayMs: '300', duplicates: '2', reorder: '1' }],
])('webhooks that the card service posts %s begin the plan', async (name, switches) => {
  await shop.switches(switches);
  const who = await person(shop.s, name.replaceAll(/[^a-z]/g, ''));
  await shop.buy(who, 'pro');
  await expect.poll(async () => (await standing(who)).plan).toBe('pro');
  await expect
    .poll(() => rowsOf(shop.s, `select id from card_events where type = 'checkout.session.completed'`))
    .not.toEqual([]);
  const grants = await rowsOf(shop.s, 'select id from plan_grants where user_id = $1', [who.id]);
  expect(grants).toHaveLength(1);
});
