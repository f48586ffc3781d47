import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Payment } from '#features/payments/contract/usdc.ts';
import { usdToUnits } from '#shared/money.ts';
import { NO_ANVIL } from '#tests/support/anvil.ts';
import { type BaseTestChain, simulatedChain, startAnvilChain } from '#tests/support/base-chains.ts';
import { expectBalancedBooks } from '#tests/support/books.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { start, type TestProduct } from '#tests/support/start.ts';
import { TREASURY } from '#tests/support/watching.ts';

/** `toSafe`: blocks until money counts. */
type Paying = {
  s: TestProduct;
  world: BaseTestChain;
  toSafe: number;
  close: () => Promise<void>;
};

async function onAnvil(): Promise<Paying> {
  const world = await startAnvilChain();
  const env = { PAY_BASE_RPC_URLS: `http://127.0.0.1:9,${world.url}`, PAY_BASE_USDC: world.usdc };
  const s = await start({ at: new Date(), env: { ...env, PAY_BASE_TREASURY: world.anvil.treasury } });
  return {
    s,
    world,
    toSafe: 40,
    async close() {
      await s.stop();
      await world.close();
    },
  };
}

async function onSandbox(): Promise<Paying> {
  const s = await start({ env: { PAY_BASE_TREASURY: TREASURY } });
  return {
    s,
    world: simulatedChain(s.sandbox, s.advance),
    toSafe: 8,
    close: s.stop,
  };
}

const WORLDS: [string, () => Promise<Paying>][] = [
  ...(NO_ANVIL ? [] : [['anvil', onAnvil] as [string, () => Promise<Paying>]]),
  ['the sandbox', onSandbox],
];

describe.each(WORLDS)('paying by USDC on %s', (_name, open) => {
  let paying: Paying;
  let who: TestUser;
  let people = 0;
  beforeAll(async () => {
    paying = await open();
  });
  beforeEach(async () => {
    people += 1;
    who = await registerUser(paying.s, `payer${people}`);
  });
  afterAll(() => paying?.close());

  const offer = async (from = who): Promise<Payment> => {
    const answer = await from.post('/api/subscribe/wallet-payment', { planId: 'pro', network: 'base' });
    expect(answer.statusCode).toBe(200);
    return answer.json<Payment>();
  };
  const dueOf = ({ amount }: Payment): bigint => usdToUnits(amount) ?? 0n;
  /** Looks once, as the worker does continuously, and reads the payment. */
  const seen = async ({ paymentId }: Payment, from = who): Promise<Payment> => {
    await paying.s.job('usdc.watch', { network: 'base' });
    await expectBalancedBooks(paying.s);
    return (await from.get(`/api/subscribe/payments/${paymentId}`)).json<Payment>();
  };
  const settle = () => paying.world.mineBlocks(70);

  test('an exact payment is detected, confirmed with its plan, settled', async () => {
    const { world } = paying;
    const payment = await offer();
    expect(payment).toMatchObject({ status: 'pending', reference: null, token: world.usdc });
    expect(payment.uri).toBe(
      `ethereum:${world.usdc}@8453/transfer?address=${payment.address}&uint256=${dueOf(payment)}`,
    );
    await world.pay(payment.address, dueOf(payment));
    expect(await seen(payment)).toMatchObject({ status: 'detected', grantedUntil: null });
    await world.mineBlocks(paying.toSafe);
    expect(await seen(payment)).toMatchObject({ status: 'confirmed' });
    await settle();
    const settled = await seen(payment);
    expect(settled).toMatchObject({ status: 'settled', flags: [], paid: payment.amount });
    expect(settled.grantedUntil).not.toBeNull();
    expect(settled.deposits).toMatchObject([{ state: 'final', sender: world.payer, isLate: false }]);
  });

  test('a reorganization reverts plan and money, paying again restores both once', async () => {
    const { world } = paying;
    const payment = await offer();
    // Final blocks stay: only the payment is on the orphaned branch.
    await settle();
    await seen(payment);
    const undo = await world.snapshot();
    await world.pay(payment.address, dueOf(payment));
    await world.mineBlocks(paying.toSafe);
    const granted = await seen(payment);
    expect(granted.status).toBe('confirmed');
    expect(granted.grantedUntil).not.toBeNull();
    await undo();
    const undone = await seen(payment);
    expect(undone).toMatchObject({ paid: '0.00', grantedUntil: null });
    expect(undone.status).not.toBe('confirmed');
    await world.pay(payment.address, dueOf(payment));
    await settle();
    const again = await seen(payment);
    expect(again).toMatchObject({ status: 'settled', paid: payment.amount });
    expect(again.grantedUntil).not.toBeNull();
  });

  test('the ledger matches the chain', async () => {
    await settle();
    await paying.s.job('usdc.watch', { network: 'base' });
    await paying.s.job('usdc.audit');
  });
});
