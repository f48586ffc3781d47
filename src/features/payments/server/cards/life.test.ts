import { expect, test } from 'vitest';

import { registerUser, type TestUser } from '#tests/support/people.ts';
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

const JAN_31 = new Date('2026-01-31T12:00:00Z');

const shop = fileShop({}, JAN_31);

const until = (date: string) => shop.s.advance(Date.parse(`${date}T12:00:30Z`) - shop.s.clock.now().getTime());
const grants = (who: TestUser) => readGrants(shop.s, who);

test('a plan bought by card begins with the webhook, not the redirect, and renews on the last day of short months', async () => {
  let ann = await registerUser(shop.s, 'ann');
  const answer = await ann.post('/api/subscribe/stripe', { planId: 'pro', months: 1 });
  expect(answer.statusCode).toBe(200);
  const { url } = answer.json<{ url: string }>();
  expect(await shop.press(url, 'decline')).toBeNull();
  expect(await shop.press(url, 'cancel')).toBe('http://127.0.0.1:9/app/subscription?checkout=cancelled');
  expect(await shop.press(url, 'succeed')).toBe('http://127.0.0.1:9/app/subscription?checkout=success');
  expect(await readSubscription(ann)).toMatchObject({ plan: 'free', status: 'none' });

  const events = await shop.deliverPending();
  expect(events.map(({ type }) => type)).toEqual([
    'customer.subscription.created',
    'invoice.paid',
    'checkout.session.completed',
  ]);
  expect(await readSubscription(ann)).toMatchObject({ plan: 'pro', currentPeriodEnd: '2026-02-28T12:00:00.000Z' });
  const ends: (string | null)[] = [];
  for (const day of ['2026-02-28', '2026-03-31', '2026-04-30']) {
    until(day);
    await shop.deliverPending();
    ann = await signInAgain(shop.s, ann);
    ends.push((await readSubscription(ann)).currentPeriodEnd);
  }
  expect(ends).toEqual(['2026-03-31T12:00:00.000Z', '2026-04-30T12:00:00.000Z', '2026-05-31T12:00:00.000Z']);
  expect((await grants(ann)).map(({ units }) => units)).toEqual([29_990_000, 29_990_000, 29_990_000, 29_990_000]);
  expect(await shop.s.product.cards.cardOf(ann.id)).toEqual({
    plan: 'pro',
    months: 1,
    renewsAt: '2026-05-31T12:00:00.000Z',
    cancelled: false,
    pastDue: false,
  });

  const cancelled = await ann.post('/api/subscribe/cancel');
  expect(cancelled.json()).toEqual({ success: true, endsAt: '2026-05-31T12:00:00.000Z' });
  expect((await ann.post('/api/subscribe/cancel')).json()).toEqual(cancelled.json());
  expect((await ann.post('/api/subscribe/resume')).json()).toEqual({
    success: true,
    renewsAt: '2026-05-31T12:00:00.000Z',
  });
  await shop.manageAndDeliver(ann, 'cancel', { subscription: await subscriptionOf(ann) });
  expect(await shop.s.product.cards.cardOf(ann.id)).toMatchObject({ cancelled: true, renewsAt: null });
  expect(await readSubscription(ann)).toMatchObject({ plan: 'pro', status: 'cancelled' });
  until('2026-06-04');
  await shop.deliverPending();
  ann = await signInAgain(shop.s, ann);
  expect(await readSubscription(ann)).toMatchObject({ plan: 'free', status: 'expired' });
  expect(await grants(ann)).toHaveLength(4);
  expect(await shop.s.product.cards.cardOf(ann.id)).toBeNull();
  expect((await ann.post('/api/subscribe/cancel')).json()).toEqual({
    error: 'This account has no card subscription.',
    code: 'conflict',
  });
  expect(await auditAccounts(shop.s)).toEqual({ stripe: 4 * 29_990_000, revenue: -4 * 29_990_000 });
});

const subscriptionOf = async (who: TestUser) => (await readSubscriptions(shop.s, who)).at(-1)?.id ?? '';

test('six months are paid upfront with their discount, as history and receipt show', async () => {
  const bob = await registerUser(shop.s, 'bob');
  await shop.buyAndDeliver(bob, 'pro', 6);
  const [grant] = await grants(bob);
  expect(grant).toMatchObject({ units: 161_950_000, months: 6 });
  const { way } = shop.s.product.cards;
  const [entry] = await way.entriesOf(bob.id);
  expect(entry).toMatchObject({ title: 'Pro, 6 months by card', amount: '161.95', state: 'paid', method: 'card' });
  const receipt = await way.findReceipt(bob.id, entry?.id ?? '');
  expect(receipt).toMatchObject({ total: '161.95', paidBy: 'Card', lines: [['Meridian Pro, 6 months', '161.95']] });
  expect(receipt?.number).toMatch(/^DEMO-\d{4}$/);
  expect(await way.findReceipt(bob.id + 1, entry?.id ?? '')).toBeUndefined();
});

test('a declined renewal grants nothing and is recovered by another card', async () => {
  let cy = await registerUser(shop.s, 'cy');
  await shop.buyAndDeliver(cy, 'pro');
  await shop.portal(cy, 'refused');
  await shop.advanceAndDeliver(31 * DAY_MS);
  await shop.advanceAndDeliver(3 * DAY_MS);
  expect(await grants(cy)).toHaveLength(1);
  expect(await shop.s.product.cards.cardOf(cy.id)).toMatchObject({ pastDue: true });
  cy = await signInAgain(shop.s, cy);
  await shop.manageAndDeliver(cy, 'good');
  expect(await grants(cy)).toHaveLength(2);
  expect(await readSubscription(cy)).toMatchObject({ plan: 'pro', status: 'active' });
  expect(await shop.s.product.cards.cardOf(cy.id)).toMatchObject({ pastDue: false });
});

test('the card of a deleted account is no longer charged, and payments that still arrive stay in suspense', async () => {
  const ed = await registerUser(shop.s, 'ed');
  const { url } = (await ed.post('/api/subscribe/stripe', { planId: 'pro', months: 1 })).json<{ url: string }>();
  const eve = await registerUser(shop.s, 'eve');
  await shop.buyAndDeliver(eve, 'pro');
  for (const who of [ed, eve]) expect((await who.remove('/api/auth/delete-account')).statusCode).toBe(200);
  await shop.s.product.auth.settled();
  expect(await shop.s.product.cards.cardOf(eve.id)).toBeNull();
  const before = await auditAccounts(shop.s);
  await shop.payAndDeliver(url);
  const after = await auditAccounts(shop.s);
  expect((after['suspense'] ?? 0) - (before['suspense'] ?? 0)).toBe(-29_990_000);
  expect(await shop.s.product.cards.cardOf(ed.id)).toBeNull();
  await shop.advanceAndDeliver(40 * DAY_MS);
  const invoices = await queryRows(shop.s, 'select id from card_invoices where user_id in ($1, $2)', [ed.id, eve.id]);
  expect(invoices).toHaveLength(2);
});

const invoiceOf = async (who: TestUser) => (await readInvoices(shop.s, who)).at(-1)?.id ?? '';
const bought = async (name: string, plan = 'pro') => {
  const who = await registerUser(shop.s, name);
  await shop.buyAndDeliver(who, plan);
  return { who, invoice: await invoiceOf(who) };
};
const stripeSum = async () => (await auditAccounts(shop.s))['stripe'] ?? 0;

test('a full refund revokes the plan, a partial one only returns the money', async () => {
  const before = await stripeSum();
  const { who, invoice } = await bought('gil');
  await shop.manageAndDeliver(who, 'partial', { invoice });
  expect(await readSubscription(who)).toMatchObject({ plan: 'pro' });
  expect((await stripeSum()) - before).toBe(29_990_000 - 14_990_000);
  const events = await shop.manageAndDeliver(who, 'refund', { invoice });
  for (const event of events) expect((await shop.deliver({ ...event, id: `${event.id}_again` })).statusCode).toBe(200);
  expect(await readSubscription(who)).toMatchObject({ plan: 'free' });
  expect(await stripeSum()).toBe(before);
  const entries = await shop.s.product.cards.way.entriesOf(who.id);
  expect(entries.map(({ amount, state }) => `${amount} ${state}`).toSorted()).toEqual([
    '-14.99 refunded',
    '-15.00 refunded',
    '29.99 refunded',
  ]);
});

test('a refund received before its payment has the same result', async () => {
  const who = await registerUser(shop.s, 'bo');
  await shop.buy(who, 'pro');
  const events = await shop.newEvents();
  const { data } = (await shop.api('GET', 'invoices', { limit: '1' })) as { data: { id: string }[] };
  await shop.portal(who, 'refund', { invoice: data[0]?.id ?? '' });
  const before = await stripeSum();
  for (const event of [...(await shop.newEvents()), ...events])
    expect((await shop.deliver(event)).statusCode).toBe(200);
  expect(await readSubscription(who)).toMatchObject({ plan: 'free' });
  expect(await stripeSum()).toBe(before);
});

test('a dispute revokes the plan immediately, and winning it restores the plan', async () => {
  const { who, invoice } = await bought('guy');
  const before = await stripeSum();
  const { currentPeriodEnd } = await readSubscription(who);
  await shop.manageAndDeliver(who, 'dispute', { invoice });
  expect(await readSubscription(who)).toMatchObject({ plan: 'free' });
  expect(await stripeSum()).toBe(before - 29_990_000);
  await shop.manageAndDeliver(who, 'won', { invoice });
  expect(await readSubscription(who)).toMatchObject({ plan: 'pro', currentPeriodEnd });
  expect(await stripeSum()).toBe(before);
  await shop.manageAndDeliver(who, 'refund', { invoice });
  expect(await readSubscription(who)).toMatchObject({ plan: 'free' });
});

test('a lost dispute leaves neither plan nor money', async () => {
  const { who, invoice } = await bought('dee');
  const before = await stripeSum();
  for (const act of ['dispute', 'lost']) await shop.manageAndDeliver(who, act, { invoice });
  expect(await readSubscription(who)).toMatchObject({ plan: 'free' });
  expect(await stripeSum()).toBe(before - 29_990_000);
});

test('refunding Premium+ restores Pro rather than crediting its rest, and returns the applied credit', async () => {
  const { who } = await bought('eli');
  shop.s.advance(10 * DAY_MS);
  await shop.buyAndDeliver(who, 'premium');
  await shop.deliverPending();
  expect(await readSubscription(who)).toMatchObject({ plan: 'premium' });
  await shop.manageAndDeliver(who, 'refund', { invoice: await invoiceOf(who) });
  expect(await readSubscription(who)).toMatchObject({ plan: 'pro' });
  expect(await readCredit(shop.s, who)).toBe(0n);
});

test('Pro cut short by Premium+ and then refunded has its rest deducted from the credit', async () => {
  const { who, invoice } = await bought('fay');
  shop.s.advance(10 * DAY_MS);
  await shop.buyAndDeliver(who, 'premium');
  await shop.deliverPending();
  await shop.manageAndDeliver(who, 'refund', { invoice });
  expect(await readSubscription(who)).toMatchObject({ plan: 'premium' });
  expect(await readCredit(shop.s, who)).toBeGreaterThanOrEqual(0n);
  await auditAccounts(shop.s);
});
