import { expect, test } from 'vitest';

import type { Billing } from '#features/payments/contract/billing.ts';
import { addMonths } from '#features/payments/server/billing/plan-periods.ts';
import { addCredit, insertGrant } from '#tests/support/grants.ts';
import { emailsTo } from '#tests/support/mailbox.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { statusAndMessage } from '#tests/support/rows.ts';
import {
  auditAccounts,
  DAY_MS,
  fileShop,
  readCredit,
  readInvoices,
  readSubscription,
  signInAgain,
} from '#tests/support/shop.ts';

const PRO = 29_990_000;
const REFUSED =
  'Your card was declined for Pro. Update it under Manage Subscription in your profile and Pro continues once it is charged, or cancel the subscription there and subscribe again.';

const shop = fileShop({ PAY_BASE_TREASURY: '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720' });

/** Advances days: the card service sends events, emails are written, and the user returns. */
async function days(who: TestUser, count: number): Promise<TestUser> {
  for (let day = 0; day < count; day += 1) {
    await shop.advanceAndDeliver(DAY_MS);
    await shop.s.product.scheduler.runManually('billing.notices');
  }
  return signInAgain(shop.s, who);
}
const cardOf = async (who: TestUser) => (await who.get('/api/billing')).json<Billing>().card;
const rules = async (who: TestUser) => (await who.get('/api/alerts/thresholds')).statusCode;
const subscribe = (who: TestUser) => shop.order(who, 'pro');
const invoices = (who: TestUser) => readInvoices(shop.s, who);
const kinds = async ({ email }: TestUser, from = 0) =>
  (await emailsTo(shop.s, email)).slice(from).map(({ kind }) => kind);

test('a card lapses: past due, grace days, the emails in order, Free; then it is paid again', async () => {
  let ann = await registerUser(shop.s, 'ann');
  await shop.buyAndDeliver(ann, 'pro');
  await shop.portal(ann, 'refused');
  const before = (await kinds(ann)).length;
  const { currentPeriodEnd: end } = await readSubscription(ann);

  ann = await days(ann, 29);
  expect(await readSubscription(ann)).toMatchObject({ plan: 'pro', status: 'active', needsRenewal: false });
  expect(await kinds(ann, before)).toEqual([]);

  ann = await days(ann, 1);
  ann = await days(ann, shop.s.clock.now() < new Date(end ?? '') ? 1 : 0);
  expect(await readSubscription(ann)).toMatchObject({
    plan: 'pro',
    status: 'grace',
    expiredAt: end,
    needsRenewal: true,
  });
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
  expect(await readSubscription(ann)).toMatchObject({
    plan: 'free',
    status: 'expired',
    expiredAt: end,
    needsRenewal: true,
  });
  expect(await kinds(ann, before)).toEqual(['payment-failed', 'grace-begun', 'plan-ended']);
  expect(await rules(ann)).toBe(403);
  expect((await subscribe(ann)).json()).toEqual({ error: REFUSED, code: 'conflict' });

  ann = await days(ann, 6);
  expect(await cardOf(ann)).toBeNull();
  expect(await kinds(ann, before)).toEqual(['payment-failed', 'grace-begun', 'plan-ended']);
  expect((await ann.get('/api/subscribe/renewal-info')).json()).toMatchObject({ planName: 'Pro', expiredPlan: 'pro' });

  await shop.buyAndDeliver(ann, 'pro');
  expect(await readSubscription(ann)).toMatchObject({
    plan: 'pro',
    status: 'active',
    needsRenewal: false,
    expiredAt: null,
  });
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
  expect((await auditAccounts(shop.s))['revenue']).toBe(-2 * PRO);
});

test('a user who pays in USDC after a decline is not also charged when the card works again', async () => {
  let bea = await registerUser(shop.s, 'bea');
  await shop.buyAndDeliver(bea, 'pro');
  await shop.portal(bea, 'refused');
  bea = await days(bea, 32);
  expect(await cardOf(bea)).toMatchObject({ pastDue: true });
  await addCredit(shop.s, bea, BigInt(PRO));
  const bought = await bea.post('/api/subscribe/renew', { planId: 'pro', network: 'base', months: 1 });
  expect(bought.json()).toMatchObject({ status: 'settled', amount: '0.00' });
  await shop.deliverPending();
  expect(await cardOf(bea)).toBeNull();
  await shop.portal(bea, 'good');
  await days(bea, 8);
  expect((await invoices(bea)).map(({ status }) => status)).toEqual(['paid', 'open']);
  await auditAccounts(shop.s);
});

const byUsdc = (who: TestUser, planId = 'pro', call = 'wallet-payment') =>
  who.post(`/api/subscribe/${call}`, { planId, network: 'base', months: 1 });

test('409: no USDC alongside a renewing card; once canceled, the months begin when its period ends', async () => {
  const ann = await registerUser(shop.s, 'amy');
  await shop.buyAndDeliver(ann, 'pro');
  const { currentPeriodEnd: first } = await readSubscription(ann);
  for (const [planId, call] of [['pro'], ['premium'], ['pro', 'renew']]) {
    const refused = await byUsdc(ann, planId, call);
    expect(statusAndMessage(refused)).toEqual([
      409,
      'Pro renews by card, so you would pay twice. Choose Cancel Subscription in your profile first: you keep the paid period, and your USDC payment extends it.',
    ]);
  }
  expect((await ann.post('/api/subscribe/cancel')).statusCode).toBe(200);
  await addCredit(shop.s, ann, BigInt(PRO));
  const bought = await byUsdc(ann);
  expect(bought.json()).toMatchObject({ amount: '0.00', status: 'settled' });
  const until = (await readSubscription(ann)).currentPeriodEnd;
  expect(Date.parse(until ?? '')).toBe(addMonths(Date.parse(first ?? ''), 1));
  expect(bought.json().grantedUntil).toBe(until);
  expect(await readCredit(shop.s, ann)).toBe(0n);
  await auditAccounts(shop.s);
});

test('a declined card blocks nothing', async () => {
  const ben = await registerUser(shop.s, 'ben');
  await shop.buyAndDeliver(ben, 'pro');
  const db = shop.s.product.auth.ctx.db;
  await db.updateTable('card_subscriptions').set({ status: 'past_due' }).where('user_id', '=', ben.id).execute();
  expect((await byUsdc(ben)).statusCode).toBe(200);
});

/** Premium+ granted by a USDC payment whose offer predates the card purchase. */
const premiumFor = (who: TestUser, months: number) =>
  insertGrant(shop.s, who, { plan: 'premium', months, units: BigInt(months) * 99_000_000n });
const tidied = () => shop.s.product.scheduler.runManually('cards.reconcile');
const charged = async (who: TestUser) => (await invoices(who)).filter(({ units_paid }) => units_paid > 0).length;

test('Premium+ paid in USDC stops the Pro card at the end of its month: pending months are not charged', async () => {
  let cas = await registerUser(shop.s, 'cas');
  await shop.buyAndDeliver(cas, 'pro');
  await premiumFor(cas, 6);
  await tidied();
  expect(await shop.s.product.cards.cardOf(cas.id)).toMatchObject({ plan: 'pro', cancelled: true });
  const resumed = await cas.post('/api/subscribe/resume');
  expect(resumed.statusCode).toBe(409);
  expect(resumed.json().error).toMatch(
    /^Premium\+ is paid until [^,]+, \d\d:\d\d:\d\d UTC, so your card would be charged for months of Pro that cannot start yet\. Choose Pro when Premium\+ is about to end\.$/,
  );
  await shop.advanceAndDeliver(40 * DAY_MS);
  cas = await signInAgain(shop.s, cas);
  expect(await charged(cas)).toBe(1);
  expect(await readSubscription(cas)).toMatchObject({ plan: 'premium', status: 'active' });
  await auditAccounts(shop.s);
});

test('a Pro checkout open when Premium+ was paid in USDC: its month waits, and no other is charged', async () => {
  const dee = await registerUser(shop.s, 'dee');
  const { url } = (await dee.post('/api/subscribe/stripe', { planId: 'pro' })).json<{ url: string }>();
  await premiumFor(dee, 3);
  shop.s.advance(5000);
  await shop.payAndDeliver(url);
  expect(await readSubscription(dee)).toMatchObject({ plan: 'premium' });
  expect(await shop.s.product.cards.cardOf(dee.id)).toMatchObject({ plan: 'pro', cancelled: true });
  for (const answer of [await dee.post('/api/subscribe/stripe', { planId: 'pro' }), await byUsdc(dee)])
    expect(statusAndMessage(answer)).toEqual([409, 'Pro is already paid for and starts when Premium+ ends.']);
  await shop.advanceAndDeliver(40 * DAY_MS);
  expect(await charged(dee)).toBe(1);
});

test('Pro by card waiting for the end of Premium+ is canceled when more Premium+ is paid in USDC', async () => {
  const eli = await registerUser(shop.s, 'eli');
  await premiumFor(eli, 1);
  await shop.buyAndDeliver(eli, 'pro');
  await tidied();
  expect(await shop.s.product.cards.cardOf(eli.id)).toMatchObject({ plan: 'pro', cancelled: false });
  await premiumFor(eli, 1);
  await tidied();
  expect(await shop.s.product.cards.cardOf(eli.id)).toBeNull();
  await shop.advanceAndDeliver(70 * DAY_MS);
  expect(await charged(eli)).toBe(0);
});
