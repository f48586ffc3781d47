import { expect, test } from 'vitest';

import type { Billing } from '#features/payments/contract/billing.ts';
import type { Payment } from '#features/payments/contract/usdc.ts';
import { addMonths } from '#features/payments/server/billing/plan-periods.ts';
import { usdToUnits } from '#shared/money.ts';
import { insertGrant, undoGrant } from '#tests/support/grants.ts';
import { DAY, filePaying, MINUTE, PREMIUM, PRO } from '#tests/support/paying.ts';
import { createUserFactory, type TestUser } from '#tests/support/people.ts';

const p = filePaying();

const somebody = createUserFactory('reorg', () => p.s);

const sumOf = async (account: string): Promise<number> => {
  const rows = await p.db.selectFrom('postings').select('units').where('account', '=', account).execute();
  return rows.reduce((sum, { units }) => sum + units, 0);
};

test('the same transaction mined repeatedly is credited once, and its plan is active at the end', async () => {
  const ann = await somebody();
  const offer = await p.open(ann);
  for (let i = 0; i < 3; i += 1) {
    p.base.pay(offer.address, PRO, { tx: 'again' });
    await p.confirmed();
    expect((await p.show(ann, offer)).status).toBe('confirmed');
    expect((await p.plan(ann)).plan).toBe('pro');
    p.base.reorg(3);
    await p.watch();
    expect(await p.show(ann, offer)).toMatchObject({
      status: 'pending',
      grantedUntil: null,
      deposits: [{ state: 'orphaned' }],
    });
    expect((await p.plan(ann)).plan).toBe('free');
    expect(await p.credit(ann)).toBe('0.00');
  }
  p.base.pay(offer.address, PRO, { tx: 'again' });
  await p.finalised();
  await p.watch();
  expect(await p.show(ann, offer)).toMatchObject({ status: 'settled', grantedUntil: '2026-12-20T12:00:00.000Z' });
  expect(await sumOf(`credit:${ann.id}`)).toBe(0);
  const grants = await p.db.selectFrom('plan_grants').select('source').where('user_id', '=', ann.id).execute();
  expect(grants.map(({ source }) => source)).toEqual([1, 2, 3, 4].map((n) => `wallet:${offer.paymentId}:${n}`));
});

test('a final deposit that vanishes stops the watch, changes nothing, and is reported', async () => {
  const ben = await somebody();
  const offer = await p.open(ben);
  p.base.pay(offer.address, PRO);
  await p.finalised();
  const block = await p.db
    .selectFrom('usdc_deposits')
    .select('block')
    .where('payment_id', '=', offer.paymentId)
    .executeTakeFirstOrThrow();
  await p.db
    .updateTable('usdc_cursors')
    .set({ scanned: block.block - 1 })
    .where('network', '=', 'base')
    .execute();
  const kept = p.base.blocks;
  p.base.blocks = [...kept];
  p.base.reorg(p.base.height - block.block + 1);
  await expect(p.watch()).rejects.toThrow('A final deposit on base is missing');
  p.base.blocks = kept;
  await p.expectBooks();
  expect((await p.show(ben, offer)).status).toBe('settled');
  await p.watch();
});

test('a lagging node proves nothing: nothing is reverted or downgraded', async () => {
  const cas = await somebody();
  const offer = await p.open(cas);
  p.base.pay(offer.address, PRO);
  await p.confirmed();
  for (const lag of [1, 2, 3, 4]) {
    p.base.lag = lag;
    await p.watch();
    expect(await p.show(cas, offer)).toMatchObject({ status: 'confirmed', deposits: [{ state: 'confirmed' }] });
  }
  p.base.lag = 0;
  await p.finalised();
  expect((await p.show(cas, offer)).status).toBe('settled');
});

test('a node that omits a transfer from blocks it still has is not trusted, and the cursor waits', async () => {
  const dot = await somebody();
  const offer = await p.open(dot);
  p.base.pay(offer.address, PRO);
  await p.watch();
  const block = p.base.blocks.at(-1);
  const sent = block?.transfers ?? [];
  if (block) block.transfers = [];
  p.base.finalize();
  p.base.mineEmpty(3);
  await p.watch();
  expect((await p.show(dot, offer)).status).toBe('detected');
  if (block) block.transfers = sent;
  await p.watch();
  expect((await p.show(dot, offer)).status).toBe('settled');
});

test('a transaction whose transfers change position after a reorganization is credited once, to the right user', async () => {
  const [eva, flo] = [await somebody(), await somebody()];
  const [one, two] = [await p.open(eva), await p.open(flo)];
  const transfers = (first: number) => [
    { to: one.address, units: PRO, tx: 'moved', idx: first },
    { to: two.address, units: PRO + 5n, tx: 'moved', idx: first + 1 },
  ];
  p.base.mine(transfers(1));
  await p.confirmed();
  p.base.reorg(3);
  p.base.mine(transfers(2));
  await p.finalised();
  expect(await p.show(eva, one)).toMatchObject({ status: 'settled', paid: '29.99' });
  expect(await p.show(flo, two)).toMatchObject({ status: 'settled', paid: '29.990005' });
  expect([await p.credit(eva), await p.credit(flo)]).toEqual(['0.00', '0.000005']);
  expect([(await p.plan(eva)).plan, (await p.plan(flo)).plan]).toEqual(['pro', 'pro']);
});

test('of several plans the latest is revoked, and it returns with the money', async () => {
  const gus = await somebody();
  const first = await p.open(gus);
  p.base.pay(first.address, PRO, { tx: 'first' });
  await p.confirmed();
  p.s.advance(MINUTE);
  const second = await p.open(gus, { network: 'solana', months: 3 });
  await p.settle(second, 85_471_500n + 9_999n);
  p.base.reorg(3);
  await p.watch();
  expect((await p.show(gus, first)).grantedUntil).not.toBeNull();
  expect((await p.show(gus, second)).grantedUntil).toBeNull();
  expect((await p.plan(gus)).plan).toBe('pro');
  p.base.pay(first.address, PRO, { tx: 'first' });
  await p.finalised();
  expect((await p.show(gus, second)).grantedUntil?.slice(0, 10)).toBe('2027-03-20');
});

test('Premium+ bought during Pro costs less by the rest of Pro, and restores that when the chain reverts its money', async () => {
  const hal = await somebody();
  await p.settle(await p.open(hal, { months: 3 }), 85_471_500n);
  await p.pass(hal, 46 * DAY);
  const offer = await p.open(hal, { planId: 'premium' });
  const rest = 85_471_500n / 2n;
  expect(offer).toMatchObject({ price: '99.00', amount: '56.26425', creditUsed: '42.73575' });
  p.s.advance(3 * MINUTE);
  expect((await p.open(hal, { planId: 'premium' })).paymentId).toBe(offer.paymentId);
  p.base.pay(offer.address, PREMIUM - rest);
  await p.confirmed();
  expect((await p.plan(hal)).plan).toBe('premium');
  expect(await p.credit(hal)).toBe('0.00');
  p.base.reorg(3);
  await p.watch();
  expect(await p.plan(hal)).toMatchObject({ plan: 'pro', currentPeriodEnd: '2027-02-20T12:01:00.000Z' });
  expect(await p.credit(hal)).toBe('0.00');
  await p.settle(offer, PREMIUM - rest);
  expect((await p.plan(hal)).plan).toBe('premium');
});

test('the rest of Pro is credited once, though two offers rely on it', async () => {
  const ida = await somebody();
  await p.settle(await p.open(ida, { months: 3 }), 85_471_500n);
  p.s.advance(DAY);
  const one = await p.open(ida, { planId: 'premium' });
  const two = await p.open(ida, { planId: 'premium', network: 'solana' });
  expect((usdToUnits(one.amount) as bigint) < 20_000_000n).toBe(true);
  await p.settle(one, usdToUnits(one.amount) as bigint);
  await p.settle(two, usdToUnits(two.amount) as bigint);
  expect((await p.show(ida, one)).grantedUntil).not.toBeNull();
  expect(await p.show(ida, two)).toMatchObject({ grantedUntil: null, flags: ['credited'] });
  expect(await p.credit(ida)).toBe(two.amount);
});

test('Pro and Premium+ paid in one block, or Pro detected last, lose nothing of either', async () => {
  const kim = await somebody();
  const [pro, premium] = [await p.open(kim), await p.open(kim, { planId: 'premium' })];
  p.base.mine([
    { to: pro.address, units: PRO, tx: 'both', idx: 0 },
    { to: premium.address, units: PREMIUM, tx: 'both', idx: 1 },
  ]);
  await p.finalised();
  const ends = async (who: TestUser, offer: Payment) => (await p.show(who, offer)).grantedUntil as string;
  const left = usdToUnits(await p.credit(kim)) as bigint;
  expect(left === PRO || (await ends(kim, pro)) > (await ends(kim, premium))).toBe(true);
  const lea = await somebody();
  const first = await p.open(lea, { network: 'solana' });
  const later = await p.open(lea, { planId: 'premium' });
  p.solana.pay(first.reference, usdToUnits(first.amount) as bigint);
  p.s.advance(MINUTE);
  await p.settle(later, PREMIUM);
  await p.finalised('solana');
  expect((await p.plan(lea)).plan).toBe('premium');
  expect((await ends(lea, first)) > (await ends(lea, later))).toBe(true);
});

test('Pro paid before Premium+ by card but detected after it waits in full for its end: nothing has to be credited', async () => {
  const lou = await somebody();
  const offer = await p.open(lou);
  p.base.pay(offer.address, PRO);
  p.s.advance(MINUTE);
  const premium = { source: 'stripe:invoice:in_lou', plan: 'premium', units: PREMIUM } as const;
  await insertGrant(p.s, lou, premium);
  const { currentPeriodEnd: end } = await p.plan(lou);
  await p.finalised();
  expect(await p.plan(lou)).toEqual(expect.objectContaining({ plan: 'premium', currentPeriodEnd: end }));
  const { upcoming, credit } = (await lou.get('/api/billing')).json<Billing>();
  expect(upcoming).toEqual([
    { plan: 'pro', startsAt: end, endsAt: new Date(addMonths(Date.parse(end as string), 1)).toISOString() },
  ]);
  expect(credit).toBe('0.00');
  p.s.advance(MINUTE);
  await undoGrant(p.s, lou, premium.source);
  expect((await p.plan(lou)).plan).toBe('pro');
});

test('Pro bought after Premium+ was offered is credited when Premium+ is paid', async () => {
  const max = await somebody();
  const premium = await p.open(max, { planId: 'premium' });
  p.s.advance(MINUTE);
  await p.settle(await p.open(max), PRO);
  p.s.advance(MINUTE);
  await p.settle(premium, PREMIUM);
  expect((await p.plan(max)).plan).toBe('premium');
  expect(await p.credit(max)).toBe('29.99');
});

test('reverted money already used elsewhere is a loss, which is cleared if the money arrives after all', async () => {
  const jan = await somebody();
  const offer = await p.open(jan);
  p.base.pay(offer.address, 8_000_000n, { tx: 'spent' });
  await p.confirmed();
  const lines = [
    { key: 'card-credit:in_1', account: `credit:${jan.id}`, units: 8_000_000 },
    { key: 'card-credit:in_1', account: 'revenue', units: -8_000_000 },
  ];
  await p.db.insertInto('journal').values({ key: 'card-credit:in_1', at: p.s.clock.now().toISOString() }).execute();
  await p.db.insertInto('postings').values(lines).execute();
  p.base.reorg(3);
  await p.watch();
  expect([await p.credit(jan), await sumOf('loss')]).toEqual(['0.00', 8_000_000]);
  const reports = () => p.db.selectFrom('error_logs').select('message').where('source', '=', 'usdc').execute();
  const lost = `8.00 USDC of account ${jan.id} lost: the chain reversed a deposit that was already spent`;
  await expect.poll(async () => (await reports()).map(({ message }) => message), { timeout: 20_000 }).toContain(lost);
  p.base.pay(offer.address, 8_000_000n, { tx: 'spent' });
  await p.finalised();
  expect([await p.credit(jan), await sumOf('loss')]).toEqual(['0.00', 0]);
});
