import { expect, test } from 'vitest';

import { creditTo, grantTo, takeBack } from '#tests/support/grants.ts';
import { type Person, person } from '#tests/support/people.ts';
import {
  audited,
  back,
  creditOf,
  DAY_MS,
  fileShop,
  grantsOf,
  invoicesOf,
  standing,
  subscriptionsOf,
} from '#tests/support/shop.ts';

const shop = fileShop();

test('credit lowers the first payment once, and is spent when that is paid', async () => {
  const gus = await person(shop.s, 'gus');
  await creditTo(shop.s, gus, 10_004_321n);
  const url = await shop.urlOf(gus, 'pro');
  expect(await shop.sessionOf(url)).toMatchObject({ amount_subtotal: 2999, amount_total: 1999 });
  await shop.paid(url);
  expect(await creditOf(shop.s, gus)).toBe(4321n);
  const [entry] = await shop.s.product.cards.way.entriesOf(gus.id);
  expect(await shop.s.product.cards.way.findReceipt(gus.id, entry?.id ?? '')).toMatchObject({
    lines: [
      ['Meridian Pro, 1 month', '29.99'],
      ['Paid from your balance', '-10.00'],
    ],
    total: '19.99',
  });
  await shop.later(31 * DAY_MS);
  const invoices = await invoicesOf(shop.s, gus);
  expect(invoices.map(({ units_paid }) => units_paid)).toEqual([19_990_000, 29_990_000]);
  const grants = await grantsOf(shop.s, gus);
  expect(grants).toMatchObject([{ units: 29_990_000 }, { units: 29_990_000 }]);
  await audited(shop.s);
});

test('credit that pays all of it, or all but a few cents, never asks for less than the least charge', async () => {
  const [hal, ida] = [await person(shop.s, 'hal'), await person(shop.s, 'ida')];
  await creditTo(shop.s, hal, 50_000_000n);
  await creditTo(shop.s, ida, 29_800_000n);
  const url = await shop.urlOf(hal, 'pro');
  expect(await shop.sessionOf(url)).toMatchObject({ amount_total: 0 });
  await shop.press(url, 'succeed');
  expect(await shop.sessionOf(await shop.urlOf(ida, 'pro'))).toMatchObject({ amount_total: 50 });
  await shop.catchUp();
  expect(await standing(hal)).toMatchObject({ plan: 'pro' });
  expect(await creditOf(shop.s, hal)).toBe(20_010_000n);
});

test('credit that went elsewhere while the checkout was open gives no plan: the payment becomes credit', async () => {
  const jo = await person(shop.s, 'jo');
  await creditTo(shop.s, jo, 20_000_000n);
  const url = await shop.urlOf(jo, 'pro');
  await creditTo(shop.s, jo, -15_000_000n);
  await shop.paid(url);
  expect(await standing(jo)).toMatchObject({ plan: 'free' });
  expect(await creditOf(shop.s, jo)).toBe(14_990_000n);
  expect(await shop.s.product.cards.cardOf(jo.id)).toBeNull();
  const [entry] = await shop.s.product.cards.way.entriesOf(jo.id);
  expect(entry?.title).toBe('Pro, 1 month by card (kept as credit)');
  await audited(shop.s);
});

test('Premium+ ends Pro at once, and the rest of Pro lowers its price without being paid back as well', async () => {
  const kim = await person(shop.s, 'kim');
  await shop.bought(kim, 'pro');
  shop.s.advance(10 * DAY_MS);
  const url = await shop.urlOf(await back(shop.s, kim), 'premium');
  const { amount_total: due } = await shop.sessionOf(url);
  // 20 of the 30 days of Pro from 20 November are left, minus the minutes this file has taken.
  expect(9900 - Number(due)).toBeGreaterThanOrEqual(1999);
  expect(9900 - Number(due)).toBeLessThanOrEqual(2036);
  shop.s.advance(30 * 60_000);
  await shop.paid(url);
  await shop.catchUp();
  const subs = await subscriptionsOf(shop.s, kim);
  expect(subs).toMatchObject([
    { plan: 'pro', status: 'canceled' },
    { plan: 'premium', status: 'active' },
  ]);
  expect(await standing(await back(shop.s, kim))).toMatchObject({ plan: 'premium' });
  expect(await creditOf(shop.s, kim)).toBeLessThan(20_000n);
  expect((await shop.s.product.cards.way.entriesOf(kim.id)).some(({ title }) => title.startsWith('Refund'))).toBe(
    false,
  );
  await audited(shop.s);
});

test('Pro after Premium+ begins at its end, is charged then, and can be called off by resuming Premium+', async () => {
  const lea = await person(shop.s, 'lea');
  await shop.bought(lea, 'premium');
  const { currentPeriodEnd: end } = await standing(lea);
  shop.s.advance(1000);
  const url = await shop.urlOf(lea, 'pro');
  expect(await shop.sessionOf(url)).toMatchObject({ amount_total: 0 });
  await shop.paid(url);
  expect(await standing(lea)).toMatchObject({ plan: 'premium', currentPeriodEnd: end });
  expect(await shop.s.product.cards.cardOf(lea.id)).toMatchObject({ plan: 'pro', renewsAt: end, cancelled: false });
  expect((await lea.post('/api/subscribe/resume')).json()).toEqual({ success: true, renewsAt: end });
  await shop.catchUp();
  expect(await shop.s.product.cards.cardOf(lea.id)).toMatchObject({ plan: 'premium', cancelled: false });
  shop.s.advance(1000);
  const booked = await shop.urlOf(lea, 'pro');
  await shop.paid(booked);
  await shop.later(Date.parse(end as string) + 60_000 - shop.s.clock.now().getTime());
  const after = await standing(await back(shop.s, lea));
  expect(after).toMatchObject({ plan: 'pro', status: 'active' });
  const grants = await grantsOf(shop.s, lea);
  expect(grants).toMatchObject([
    { plan: 'premium', units: 99_000_000 },
    { plan: 'pro', units: 29_990_000 },
  ]);
});

test('the first month of who has never paid is cheaper, once', async () => {
  const cheap = await shop.s.another({ FIRST_MONTH_DISCOUNT: '50' });
  const max = await person(shop.s, 'max');
  const url = await shop.urlOf(max, 'pro', 1, cheap);
  expect(await shop.sessionOf(url)).toMatchObject({ amount_subtotal: 2999, amount_total: 1500 });
  await shop.paid(url);
  await shop.later(31 * DAY_MS);
  const grants = await grantsOf(shop.s, max);
  expect(grants.map(({ units }) => units)).toEqual([15_000_000, 29_990_000]);
});

test('a first month that was bought otherwise while its checkout was open is not cheaper twice: the payment becomes credit', async () => {
  const cheap = await shop.s.another({ FIRST_MONTH_DISCOUNT: '50' });
  const [ned, ola] = [await person(shop.s, 'ned'), await person(shop.s, 'ola')];
  for (const who of [ned, ola]) {
    const url = await shop.urlOf(who, 'pro', 1, cheap);
    if (who === ned) await grantTo(shop.s, who, { plan: 'premium', units: 49_500_000n });
    await shop.press(url, 'succeed');
  }
  await shop.catchUp();
  await shop.catchUp();
  expect(await standing(ned)).toMatchObject({ plan: 'premium' });
  expect(await creditOf(shop.s, ned)).toBe(15_000_000n);
  expect(await shop.s.product.cards.cardOf(ned.id)).toBeNull();
  expect((await shop.s.product.cards.way.entriesOf(ned.id))[0]?.title).toBe('Pro, 1 month by card (kept as credit)');
  expect(await standing(ola)).toMatchObject({ plan: 'pro' });
  expect(await creditOf(shop.s, ola)).toBe(0n);
});

test('a first month that was given back in full, or that a chain took back, may be had again: by card as in USDC', async () => {
  const cheap = await shop.s.another({ FIRST_MONTH_DISCOUNT: '50' });
  const dueFor = async (who: Person) => {
    const url = await shop.urlOf(who, 'pro', 1, cheap);
    return { url, due: (await shop.sessionOf(url))['amount_total'] };
  };
  const [pat, quy] = [await person(shop.s, 'pat'), await person(shop.s, 'quy')];
  await shop.paid((await dueFor(pat)).url);
  const [invoice] = await invoicesOf(shop.s, pat);
  await shop.managed(pat, 'refund', { invoice: invoice?.id ?? '' });
  expect((await pat.post('/api/subscribe/cancel')).statusCode).toBe(200);
  expect(await standing(pat)).toMatchObject({ plan: 'free' });
  expect((await dueFor(pat)).due).toBe(1500);
  const source = await grantTo(shop.s, quy);
  expect((await dueFor(quy)).due).toBe(2999);
  await takeBack(shop.s, quy, source);
  const again = await dueFor(quy);
  expect(again.due).toBe(1500);
  await shop.paid(again.url);
  expect(await standing(quy)).toMatchObject({ plan: 'pro' });
  expect(await creditOf(shop.s, quy)).toBe(0n);
});
