import { expect, test } from 'vitest';

import { usdToUnits } from '#shared/money.ts';
import { filePaying, MINUTE, PRO } from '#tests/support/paying.ts';
import { createUserFactory } from '#tests/support/people.ts';

const p = filePaying();

const somebody = createUserFactory('life', () => p.s);

test('a payment moves from pending to detected, confirmed and settled, and the plan begins when it is confirmed', async () => {
  const ann = await somebody();
  const offer = await p.open(ann);
  expect(offer).toMatchObject({
    planId: 'pro',
    network: 'base',
    months: 1,
    amount: '29.99',
    price: '29.99',
    creditUsed: '0.00',
    expiresAt: new Date(p.s.clock.now().getTime() + 15 * MINUTE).toISOString(),
    uri: `pay:${offer.address}?units=29990000`,
    reference: null,
    token: 'USDC',
    status: 'pending',
    flags: [],
    paid: '0.00',
    grantedUntil: null,
    deposits: [],
    demoWallet: null,
  });
  const tx = p.base.pay(offer.address, PRO);
  await p.watch();
  expect(await p.show(ann, offer)).toMatchObject({
    status: 'detected',
    paid: '29.99',
    grantedUntil: null,
    deposits: [{ tx, url: `https://explorer.example/${tx}`, amount: '29.99', state: 'seen', isLate: false }],
  });
  expect((await p.plan(ann)).plan).toBe('free');
  await p.confirmed();
  const confirmed = await p.show(ann, offer);
  expect(confirmed).toMatchObject({ status: 'confirmed', grantedUntil: '2026-12-20T12:00:00.000Z' });
  expect(await p.plan(ann)).toMatchObject({ plan: 'pro', currentPeriodEnd: '2026-12-20T12:00:00.000Z' });
  await p.finalised();
  expect(await p.show(ann, offer)).toMatchObject({ status: 'settled', flags: [], deposits: [{ state: 'final' }] });
});

test('an underpayment is reported, grants nothing, and can be topped up', async () => {
  const ben = await somebody();
  const offer = await p.open(ben);
  await p.settle(offer, PRO - 10_000_000n);
  expect(await p.show(ben, offer)).toMatchObject({
    status: 'underpaid',
    flags: ['partial', 'credited'],
    paid: '19.99',
    uri: `pay:${offer.address}?units=10000000`,
  });
  expect((await p.plan(ben)).plan).toBe('free');
  expect((await p.open(ben)).paymentId).toBe(offer.paymentId);
  await p.settle(offer, 10_000_000n);
  expect(await p.show(ben, offer)).toMatchObject({ status: 'settled', flags: [], paid: '29.99' });
  expect((await p.plan(ben)).plan).toBe('pro');
});

test('a cent less is enough, as exchanges round; more than a cent less is not', async () => {
  const [cas, dot] = [await somebody(), await somebody()];
  const enough = await p.open(cas);
  await p.settle(enough, PRO - 10_000n);
  expect((await p.show(cas, enough)).status).toBe('settled');
  const short = await p.open(dot);
  await p.settle(short, PRO - 10_001n);
  expect((await p.show(dot, short)).status).toBe('underpaid');
});

test('an overpayment stays on the balance and reduces the next purchase', async () => {
  const eva = await somebody();
  const offer = await p.open(eva);
  await p.settle(offer, PRO + 5_000_000n);
  expect(await p.show(eva, offer)).toMatchObject({ status: 'settled', flags: ['overpaid'], paid: '34.99' });
  expect(await p.credit(eva)).toBe('5.00');
  expect(await p.open(eva)).toMatchObject({ price: '29.99', creditUsed: '5.00', amount: '24.99' });
});

test('a late payment goes to the balance and reduces the next purchase', async () => {
  const flo = await somebody();
  const offer = await p.open(flo);
  p.s.advance(16 * MINUTE);
  await p.watch();
  expect((await p.show(flo, offer)).status).toBe('expired');
  await p.settle(offer, PRO);
  expect(await p.show(flo, offer)).toMatchObject({
    status: 'expired',
    flags: ['late', 'credited'],
    deposits: [{ isLate: true }],
  });
  expect((await p.plan(flo)).plan).toBe('free');
  const next = await p.open(flo, { months: 3 });
  expect(next).toMatchObject({ price: '85.4715', creditUsed: '29.99', amount: '55.4815' });
  await p.settle(next, usdToUnits(next.amount) as bigint);
  expect(await p.show(flo, next)).toMatchObject({
    status: 'settled',
    grantedUntil: expect.stringContaining('2027-02-20'),
  });
  expect(await p.credit(flo)).toBe('0.00');
});

test('money sent in time but detected later is in time: a watcher may have been down', async () => {
  const gus = await somebody();
  const offer = await p.open(gus);
  p.base.pay(offer.address, PRO);
  p.s.advance(5 * 60 * MINUTE);
  await p.finalised();
  expect(await p.show(gus, offer)).toMatchObject({ status: 'settled', flags: [], deposits: [{ isLate: false }] });
});

test('a balance that covers the full price buys immediately, and a second click is the same purchase', async () => {
  const hal = await somebody();
  const offer = await p.open(hal);
  await p.settle(offer, PRO * 4n);
  const [one, two] = await Promise.all([p.order(hal), p.order(hal)]);
  expect(one.json()).toMatchObject({ status: 'settled', amount: '0.00', creditUsed: '29.99' });
  expect(two.json().paymentId).toBe(one.json().paymentId);
  expect(await p.credit(hal)).toBe('59.98');
  expect((await p.plan(hal)).currentPeriodEnd?.slice(0, 10)).toBe('2027-01-20');
});

test('another token is shown and worth nothing, in any amount', async () => {
  const ida = await somebody();
  const offer = await p.open(ida);
  p.base.pay(offer.address, 10n ** 60n, { token: 'FAKE' });
  await p.finalised();
  expect(await p.show(ida, offer)).toMatchObject({
    status: 'pending',
    flags: ['foreign'],
    paid: '0.00',
    deposits: [{ state: 'foreign' }],
  });
  expect(await p.credit(ida)).toBe('0.00');
});

test('deposits matched to no account are held in suspense', async () => {
  p.base.pay(null, 7_000_000n);
  p.base.pay('0xunknown', 3_000_000n);
  await p.finalised();
  const aside = await p.db.selectFrom('postings').select('units').where('account', '=', 'suspense').execute();
  expect(aside.map(({ units }) => units)).toEqual([-7_000_000, -3_000_000]);
});

test('transfers of one transaction to several payments are kept separate, and dust changes nothing', async () => {
  const [jan, kim] = [await somebody(), await somebody()];
  const [one, two] = [await p.open(jan), await p.open(kim)];
  const tx = 'batch';
  p.base.mine([
    { to: one.address, units: PRO, tx, idx: 3 },
    { to: two.address, units: PRO, tx, idx: 4 },
    { to: two.address, units: 1n, tx, idx: 5 },
    { to: two.address, units: 0n, tx, idx: 6 },
  ]);
  await p.finalised();
  expect(await p.show(jan, one)).toMatchObject({ status: 'settled', flags: [] });
  expect(await p.show(kim, two)).toMatchObject({ status: 'settled', flags: ['overpaid'], paid: '29.990001' });
  expect(await p.credit(kim)).toBe('0.000001');
});

test('two users who pay the same on Solana get different amounts', async () => {
  const [lea, max] = [await somebody(), await somebody()];
  const offers = [await p.open(lea, { network: 'solana' }), await p.open(max, { network: 'solana' })];
  const amounts = offers.map(({ amount }) => usdToUnits(amount) as bigint);
  expect(new Set(amounts).size).toBe(2);
  for (const amount of amounts) expect(amount >= PRO && amount < PRO + 10_000n).toBe(true);
  const [first] = offers;
  expect(first?.reference).toMatch(/^reference\d+$/);
  if (first) await p.settle(first, amounts[0] as bigint);
  if (first) expect(await p.show(lea, first)).toMatchObject({ status: 'settled', flags: [] });
});

test('the billing history lists purchases, open payments and retained money, not unpaid offers', async () => {
  const ann = await somebody();
  const unpaid = await p.open(ann, { months: 12 });
  const late = await p.open(ann, { months: 6 });
  p.s.advance(16 * MINUTE);
  await p.settle(late, 5_000_000n);
  const bought = await p.open(ann);
  await p.settle(bought, PRO);
  const open = await p.open(ann, { network: 'solana', planId: 'premium' });
  const entries = (await ann.get('/api/billing')).json().entries as { id: string }[];
  expect(entries.map(({ id }) => id)).not.toContain(unpaid.paymentId);
  const find = (id: string) => entries.find((entry) => entry.id === id);
  expect(find(bought.paymentId)).toMatchObject({
    title: 'Pro, 1 month, USDC on Base',
    method: 'base',
    amount: '29.99',
    state: 'paid',
    receipt: `/api/billing/receipts/${bought.paymentId}`,
  });
  expect(find(late.paymentId)).toMatchObject({
    title: 'Pro, 6 months, USDC on Base (added to balance)',
    amount: '5.00',
    receipt: null,
  });
  expect(find(open.paymentId)).toMatchObject({ method: 'solana', state: 'open', receipt: null });
});

test('a receipt names the purchase, its reductions and the transactions; users get only their own', async () => {
  const [ben, cas] = [await somebody(), await somebody()];
  const offer = await p.open(ben);
  await p.settle(offer, PRO + 2_000_000n);
  const next = await p.open(ben);
  const tx = p.base.pay(next.address, PRO - 2_000_000n);
  const { findReceipt } = p.s.product.usdc.way;
  expect(await findReceipt(ben.id, next.paymentId)).toBeUndefined();
  await p.finalised();
  expect(await findReceipt(ben.id, next.paymentId)).toMatchObject({
    number: expect.stringMatching(/^M-B-\d{6}$/),
    lines: [
      ['Pro, 1 month', '29.99'],
      ['From your balance', '-2.00'],
    ],
    total: '27.99',
    paidBy: `USDC on Base, transaction ${tx}`,
  });
  expect((await findReceipt(ben.id, offer.paymentId))?.lines).toContainEqual(['Added to your balance', '2.00']);
  expect(await findReceipt(cas.id, next.paymentId)).toBeUndefined();
});
