import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Billing } from '#features/payments/contract/billing.ts';
import { post } from '#features/payments/server/billing/service.ts';
import { mailsTo } from '#tests/support/mailbox.ts';
import { type Person, person } from '#tests/support/people.ts';
import { audited, back, DAY_MS, openShop, rowsOf, type Shop, standing } from '#tests/support/shop.ts';

const PRO = 29_990_000;
const REFUSED =
  'Your card was declined for Pro. Update it under Manage Subscription in your profile, and Pro continues as soon as it is charged; or choose Cancel Subscription there first and subscribe again.';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ PAY_BASE_TREASURY: '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720' });
});
afterAll(() => shop.s.stop());

/** A day goes by: the card service tells, the mails are written, and the person comes back. */
async function nextDay(who: Person): Promise<Person> {
  shop.s.advance(DAY_MS);
  await shop.catchUp();
  await shop.s.product.scheduler.runByHand('billing.notices');
  return back(shop.s, who);
}
async function days(who: Person, count: number): Promise<Person> {
  let person = who;
  for (let day = 0; day < count; day += 1) person = await nextDay(person);
  return person;
}
const cardOf = async (who: Person) => (await who.get('/api/billing')).json<Billing>().card;
const rules = async (who: Person) => (await who.get('/api/alerts/thresholds')).statusCode;
const subscribe = (who: Person) => who.post('/api/subscribe/stripe', { planId: 'pro', months: 1 });
const invoices = (who: Person) =>
  rowsOf<{ status: string }>(shop.s, 'select status from card_invoices where user_id = $1 order by created_at', [
    who.id,
  ]);
const kinds = async ({ email }: Person, from = 0) => (await mailsTo(shop.s, email)).slice(from).map(({ kind }) => kind);

test('a card lapses: past due, days of grace, the mails in their order, Free; then it is paid again', async () => {
  let ann = await person(shop.s, 'ann');
  await shop.buy(ann, 'pro');
  await shop.catchUp();
  await shop.portal(ann, 'refused');
  const before = (await kinds(ann)).length;
  const { currentPeriodEnd: end } = await standing(ann);

  ann = await days(ann, 29);
  expect(await standing(ann)).toMatchObject({ plan: 'pro', status: 'active', needsRenewal: false });
  expect(await kinds(ann, before)).toEqual([]);

  ann = await days(ann, 1);
  ann = await days(ann, shop.s.clock.now() < new Date(end ?? '') ? 1 : 0);
  expect(await standing(ann)).toMatchObject({ plan: 'pro', status: 'grace', expiredAt: end, needsRenewal: true });
  expect(await cardOf(ann)).toMatchObject({ plan: 'pro', pastDue: true, cancelled: false });
  expect(await kinds(ann, before)).toEqual(['payment-failed', 'grace-begun']);
  expect((await ann.get('/api/billing')).json<Billing>().entries[0]).toMatchObject({
    title: 'Pro, 1 month by card',
    amount: '29.99',
    state: 'open',
    receipt: null,
  });
  expect(await rules(ann)).toBe(200);
  const refused = await subscribe(ann);
  expect([refused.statusCode, refused.json()]).toEqual([409, { error: REFUSED, code: 'conflict' }]);

  ann = await days(ann, 3);
  expect(await standing(ann)).toMatchObject({ plan: 'free', status: 'expired', expiredAt: end, needsRenewal: true });
  expect(await kinds(ann, before)).toEqual(['payment-failed', 'grace-begun', 'plan-ended']);
  expect(await rules(ann)).toBe(403);
  expect((await subscribe(ann)).json()).toEqual({ error: REFUSED, code: 'conflict' });

  ann = await days(ann, 6);
  expect(await cardOf(ann)).toBeNull();
  expect(await kinds(ann, before)).toEqual(['payment-failed', 'grace-begun', 'plan-ended']);
  expect((await ann.get('/api/subscribe/renewal-info')).json()).toMatchObject({ planName: 'Pro', expiredPlan: 'pro' });

  await shop.buy(ann, 'pro');
  await shop.catchUp();
  expect(await standing(ann)).toMatchObject({ plan: 'pro', status: 'active', needsRenewal: false, expiredAt: null });
  expect(await cardOf(ann)).toMatchObject({ plan: 'pro', pastDue: false });
  expect(await rules(ann)).toBe(200);
  expect(await kinds(ann, before)).toEqual(['payment-failed', 'grace-begun', 'plan-ended', 'plan-started']);
  expect((await invoices(ann)).map(({ status }) => status)).toEqual(['paid', 'open', 'paid']);
  const { entries } = (await ann.get('/api/billing')).json<Billing>();
  expect(entries.map(({ amount, state }) => `${amount} ${state}`)).toEqual([
    '29.99 paid',
    '29.99 failed',
    '29.99 paid',
  ]);
  expect((await audited(shop.s))['revenue']).toBe(-2 * PRO);
});

test('who pays in USDC instead of the refused card is not charged by it as well when it works again', async () => {
  let bea = await person(shop.s, 'bea');
  await shop.buy(bea, 'pro');
  await shop.catchUp();
  await shop.portal(bea, 'refused');
  bea = await days(bea, 32);
  expect(await cardOf(bea)).toMatchObject({ pastDue: true });
  await post(shop.s.product.auth.ctx.db, {
    key: 'admin:bea',
    at: shop.s.clock.now(),
    about: '',
    createdBy: null,
    lines: [
      ['goodwill', BigInt(PRO)],
      [`credit:${bea.id}`, -BigInt(PRO)],
    ],
  });
  const bought = await bea.post('/api/subscribe/renew', { planId: 'pro', network: 'base', months: 1 });
  expect(bought.json()).toMatchObject({ status: 'settled', amount: '0.00' });
  await shop.catchUp();
  expect(await cardOf(bea)).toBeNull();
  await shop.portal(bea, 'good');
  await days(bea, 8);
  expect((await invoices(bea)).map(({ status }) => status)).toEqual(['paid', 'open']);
  await audited(shop.s);
});
