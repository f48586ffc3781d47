import { afterAll, beforeAll, expect, test } from 'vitest';

import { MINUTE, type Paying, PRO, startPaying } from '#tests/support/paying.ts';
import { person } from '#tests/support/people.ts';

let p: Paying;
beforeAll(async () => {
  p = await startPaying();
});
afterAll(() => p.stop());

test('the pricing call says why a network is closed', async () => {
  p.solana.closed = 'USDC on Solana is not taken here.';
  const pricing = (await p.s.get('/api/subscription/pricing')).json();
  p.solana.closed = null;
  expect(pricing.methods).toMatchObject({ base: null, solana: 'USDC on Solana is not taken here.' });
});

test('the billing history holds what was bought, what is open and what was kept, not offers that nobody paid', async () => {
  const ann = await person(p.s, 'ann');
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
    title: 'Pro, 6 months, USDC on Base: kept as credit',
    amount: '5.00',
    receipt: null,
  });
  expect(find(open.paymentId)).toMatchObject({ method: 'solana', state: 'open', receipt: null });
});

test('a receipt names the purchase, what lowered it and the transactions; nobody gets that of another', async () => {
  const [ben, cas] = [await person(p.s, 'ben'), await person(p.s, 'cas')];
  const offer = await p.open(ben);
  await p.settle(offer, PRO + 2_000_000n);
  const next = await p.open(ben);
  const tx = p.base.pay(next.address, PRO - 2_000_000n);
  const { findReceipt } = p.s.product.usdc.way;
  expect(await findReceipt(ben.id, next.paymentId)).toBeUndefined();
  p.base.finalise();
  await p.watch();
  expect(await findReceipt(ben.id, next.paymentId)).toMatchObject({
    number: expect.stringMatching(/^M-B-\d{6}$/),
    lines: [
      ['Pro, 1 month', '29.99'],
      ['From the balance', '-2.00'],
    ],
    total: '27.99',
    paidBy: `USDC on Base, transaction ${tx}`,
  });
  expect((await findReceipt(ben.id, offer.paymentId))?.lines).toContainEqual(['Kept as credit', '2.00']);
  expect(await findReceipt(cas.id, next.paymentId)).toBeUndefined();
});
