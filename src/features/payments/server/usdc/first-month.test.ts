import { expect, test } from 'vitest';

import { insertGrant } from '#tests/support/grants.ts';
import { filePaying } from '#tests/support/paying.ts';
import { registerUser } from '#tests/support/people.ts';

const HALF = 14_995_000n;

const p = filePaying({ FIRST_MONTH_DISCOUNT: '50' });

test('of two open first-month offers one has the discount: payment for the other stays on the balance', async () => {
  const ann = await registerUser(p.s, 'ann');
  const [first, second] = [await p.open(ann), await p.open(ann, { network: 'solana' })];
  expect([first.price, second.price]).toEqual(['14.995', '14.995']);
  await p.settle(first, HALF);
  expect(await p.show(ann, first)).toMatchObject({ status: 'settled', flags: [] });
  const { plan, currentPeriodEnd } = await p.plan(ann);
  expect(plan).toBe('pro');
  await p.settle(second, HALF + 10_000n);
  expect(await p.show(ann, second)).toMatchObject({ grantedUntil: null, flags: expect.arrayContaining(['credited']) });
  expect(await p.plan(ann)).toMatchObject({ plan: 'pro', currentPeriodEnd });
  expect(await p.credit(ann)).toBe('15.005');
  expect(await p.open(ann)).toMatchObject({ price: '29.99', creditUsed: '15.005', amount: '14.985' });
});

test('the first month is used up by any purchase meanwhile, of another plan or by card', async () => {
  const ben = await registerUser(p.s, 'ben');
  const offer = await p.open(ben, { planId: 'premium' });
  expect(offer.price).toBe('49.50');
  await insertGrant(p.s, ben, { source: 'stripe:invoice:in_ben' });
  await p.settle(offer, 49_500_000n);
  expect(await p.show(ben, offer)).toMatchObject({ grantedUntil: null, flags: ['credited'] });
  expect(await p.credit(ben)).toBe('49.50');
  expect((await p.plan(ben)).plan).toBe('pro');
});

test('one reverted by the chain keeps its discount when the money returns, also after another purchase', async () => {
  const cas = await registerUser(p.s, 'cas');
  const offer = await p.open(cas);
  p.base.pay(offer.address, HALF, { tx: 'again' });
  await p.confirmed();
  await insertGrant(p.s, cas, { source: 'stripe:invoice:in_cas' });
  p.base.reorg(3);
  await p.watch();
  expect(await p.show(cas, offer)).toMatchObject({ grantedUntil: null });
  p.base.pay(offer.address, HALF, { tx: 'again' });
  await p.finalised();
  expect(await p.show(cas, offer)).toMatchObject({ status: 'settled', flags: [], grantedUntil: expect.any(String) });
  expect(await p.credit(cas)).toBe('0.00');
});
