import { expect, test } from 'vitest';

import { DAY, filePaying, MINUTE, PREMIUM, PRO } from '#tests/support/paying.ts';
import { registerUser, sendRequest } from '#tests/support/people.ts';
import { statusAndMessage } from '#tests/support/rows.ts';

const p = filePaying();

test('unsold months, other plans and other networks are rejected with a message', async () => {
  const ann = await registerUser(p.s, 'ann');
  const unsold = await p.order(ann, { months: 2 });
  expect(statusAndMessage(unsold)).toEqual([400, '2 months is not available. Choose one of 1, 3, 6, 12.']);
  for (const body of [{ months: 0 }, { months: 37 }, { planId: 'free' }, { network: 'ethereum' }, { more: 1 }])
    expect((await p.order(ann, body)).statusCode).toBe(400);
});

test('a disabled network gives a reason, and existing offers remain', async () => {
  const dot = await registerUser(p.s, 'dot');
  const offer = await p.open(dot);
  p.base.closed = 'USDC on Base is not taken here.';
  const refused = await p.order(dot);
  const pricing = (await p.s.get('/api/subscription/pricing')).json();
  p.base.closed = null;
  expect(pricing.methods).toMatchObject({ base: 'USDC on Base is not taken here.', solana: null });
  expect(refused.statusCode).toBe(503);
  expect(refused.json()).toEqual({ error: 'USDC on Base is not taken here.', code: 'unavailable' });
  expect((await p.show(dot, offer)).status).toBe('pending');
});

test('the operator’s switches disable it', async () => {
  const eva = await registerUser(p.s, 'eva');
  for (const [env, error] of [
    [{ CRYPTO_PAYMENTS: '0' }, 'USDC payments are turned off.'],
    [{ LAUNCH_COMING_SOON: '1' }, 'Pro and Premium plans are coming soon! Stay tuned for updates.'],
  ] as const) {
    const s = { ...p.s, product: await p.s.another(env) };
    for (const call of ['wallet-payment', 'renew']) {
      const body = { planId: 'pro', network: 'base' };
      const refused = await sendRequest(s, 'POST', `/api/subscribe/${call}`, body, eva);
      expect([refused.statusCode, refused.json().error]).toEqual([503, error]);
    }
  }
});

test('the same choice returns the same open payment: double click, two tabs; another choice another one', async () => {
  const flo = await registerUser(p.s, 'flo');
  const answers = await Promise.all([p.order(flo), p.order(flo), p.order(flo)]);
  const ids = new Set(answers.map((answer) => answer.json().paymentId));
  expect(ids.size).toBe(1);
  expect((await p.open(flo)).address).toBe(answers[0]?.json().address);
  for (const body of [{ months: 3 }, { network: 'solana' }, { planId: 'premium' }])
    ids.add((await p.open(flo, body)).paymentId);
  expect(ids.size).toBe(4);
  p.s.advance(15 * MINUTE + 1);
  ids.add((await p.open(flo)).paymentId);
  expect(ids.size).toBe(5);
});

test('a payment with money in transit is not requested again, even after it expires', async () => {
  const gus = await registerUser(p.s, 'gus');
  const offer = await p.open(gus);
  p.base.pay(offer.address, PRO);
  await p.watch();
  p.s.advance(16 * MINUTE);
  expect(await p.open(gus)).toMatchObject({ paymentId: offer.paymentId, status: 'detected' });
});

test('an increased balance creates a new payment, and the old one is still watched', async () => {
  const hal = await registerUser(p.s, 'hal');
  const [old, other] = [await p.open(hal), await p.open(hal, { network: 'solana' })];
  p.solana.pay(other.reference, 4_000_000n);
  await p.finalised('solana');
  const fresh = await p.open(hal);
  expect(fresh).toMatchObject({ amount: '25.99', creditUsed: '4.00' });
  expect(fresh.paymentId).not.toBe(old.paymentId);
  await p.settle(old, PRO);
  expect((await p.show(hal, old)).status).toBe('settled');
  expect((await p.plan(hal)).plan).toBe('pro');
  expect(await p.credit(hal)).toBe('4.00');
});

test('a balance used meanwhile is not used twice: the money is retained', async () => {
  const ida = await registerUser(p.s, 'ida');
  await p.settle(await p.open(ida), PRO + 10_000_000n);
  const one = await p.open(ida);
  const two = await p.open(ida, { network: 'solana' });
  expect([one.creditUsed, two.creditUsed]).toEqual(['10.00', '10.00']);
  await p.settle(one, PRO - 10_000_000n);
  await p.settle(two, PRO - 10_000_000n);
  expect(await p.show(ida, two)).toMatchObject({ flags: ['credited'], grantedUntil: null });
  expect(await p.credit(ida)).toBe('19.99');
});

test('a user can open at most thirty per hour', async () => {
  const jan = await registerUser(p.s, 'jan');
  // Sixteen choices, then the same again after they expired.
  const order = async (i: number) => {
    const months = [1, 3, 6, 12][(i >> 1) & 3];
    const body = { network: i % 2 ? 'base' : 'solana', months, planId: i & 8 ? 'pro' : 'premium' };
    return (await p.order(jan, body)).statusCode;
  };
  const codes: number[] = [];
  for (let i = 0; i < 31; i += 1) {
    if (i === 16) p.s.advance(15 * MINUTE + 1);
    codes.push(await order(i));
  }
  expect(codes).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
  p.s.advance(45 * MINUTE);
  expect(await order(30)).toBe(200);
});

test('a renewal is for a plan that has ended or is about to, and for that plan', async () => {
  const kim = await registerUser(p.s, 'kim');
  const refused = async (body = {}) => {
    const answer = await p.order(kim, body, 'renew');
    return [answer.statusCode, answer.json().error];
  };
  expect(await refused()).toEqual([409, 'No plan to renew. Choose one on the plans page.']);
  await p.settle(await p.open(kim), PRO);
  expect(await refused()).toEqual([409, 'Your plan does not need renewing yet.']);
  await p.pass(kim, 25 * DAY);
  expect(await refused({ planId: 'premium' })).toEqual([
    400,
    'You can only renew the plan you had. Choose a different one on the plans page.',
  ]);
  const end = (await p.plan(kim)).currentPeriodEnd;
  await p.settle(await p.open(kim, {}, 'renew'), PRO);
  expect(new Date((await p.plan(kim)).currentPeriodEnd as string) > new Date(end as string)).toBe(true);
});

test('a renewal in the grace period continues from the old end', async () => {
  const lea = await registerUser(p.s, 'lea');
  await p.settle(await p.open(lea), PRO);
  const end = (await p.plan(lea)).currentPeriodEnd as string;
  await p.pass(lea, new Date(end).getTime() - p.s.clock.now().getTime() + 2 * DAY);
  const offer = await p.open(lea, {}, 'renew');
  await p.settle(offer, PRO);
  const until = (await p.show(lea, offer)).grantedUntil as string;
  const months = new Date(until).getUTCMonth() - new Date(end).getUTCMonth();
  expect([(months + 12) % 12, until.slice(10)]).toEqual([1, end.slice(10)]);
});

test('Pro bought while Premium+ is active waits for its end, and is not sold twice', async () => {
  const max = await registerUser(p.s, 'max');
  await p.settle(await p.open(max, { planId: 'premium' }), PREMIUM);
  p.s.advance(MINUTE);
  const end = (await p.plan(max)).currentPeriodEnd as string;
  await p.settle(await p.open(max), PRO);
  expect(await p.plan(max)).toMatchObject({ plan: 'premium', currentPeriodEnd: end });
  const again = await p.order(max);
  expect(statusAndMessage(again)).toEqual([409, 'Pro is already paid for and starts when Premium+ ends.']);
  await p.pass(max, new Date(end).getTime() - p.s.clock.now().getTime() + 1000);
  expect((await p.plan(max)).plan).toBe('pro');
});
