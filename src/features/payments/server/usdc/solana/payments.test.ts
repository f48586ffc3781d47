import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Payment } from '#features/payments/contract/usdc.ts';
import { usdToUnits } from '#shared/money.ts';
import { expectBalancedBooks } from '#tests/support/books.ts';
import { startLiteSvmChain } from '#tests/support/litesvm-chain.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { rpc, type SolanaTestChain, simulatedSolana } from '#tests/support/solana-test-chain.ts';
import { start, type TestProduct } from '#tests/support/start.ts';

import { auditPayments } from '../service/audit.ts';
import { watchOnce } from '../service/watch.ts';

const litesvm = await import('litesvm').catch((error: unknown) => {
  console.warn('LiteSVM cannot run on this machine: payments on it are left out.', error);
  return undefined;
});

const [CONFIRMED, FINAL] = [3, 40];
const SLOT_MS = 400;
const WORLDS = ['the sandbox', ...(litesvm ? ['LiteSVM'] : [])];

describe.each(WORLDS)('a plan paid by USDC on Solana, on %s', (name) => {
  let s: TestProduct;
  let world: SolanaTestChain;
  let number = 0;

  beforeAll(async () => {
    const chain = name === 'LiteSVM' && litesvm ? await startLiteSvmChain(litesvm) : undefined;
    const env = chain && { PAY_SOLANA_RPC_URLS: chain.url, PAY_SOLANA_WALLET: chain.wallet };
    const merchant = { PAY_SOLANA_WALLET: 'GxL6U5ZJBUK4mSwCXxYxDDSgBL99Fk6LdXBC3pYUf32b' };
    s = await start({ env: env ?? merchant });
    world = chain ?? simulatedSolana(s.sandbox, s.advance, merchant.PAY_SOLANA_WALLET);
    await look();
  });
  afterAll(async () => {
    await s.stop();
    await world.close();
  });

  async function look(slots = 0): Promise<void> {
    await world.tick(slots);
    if (name === 'LiteSVM') s.advance(slots * SLOT_MS);
    await watchOnce(s.product.usdc.ctx, 'solana', AbortSignal.timeout(60_000));
    await expectBalancedBooks(s);
  }

  async function open(): Promise<{ who: TestUser; payment: Payment; again: () => Promise<Payment> }> {
    number += 1;
    const who = await registerUser(s, `payer${number}-${name === 'LiteSVM' ? 'lite' : 'sim'}`);
    const answer = await who.post('/api/subscribe/wallet-payment', { planId: 'pro', network: 'solana', months: 1 });
    expect(answer.statusCode, answer.body).toBe(200);
    const payment = answer.json<Payment>();
    const again = async () => (await who.get(`/api/subscribe/payments/${payment.paymentId}`)).json<Payment>();
    return { who, payment, again };
  }

  const unitsIn = ({ amount }: Payment) => usdToUnits(amount) ?? 0n;
  const planOf = async (who: TestUser) => (await who.get('/api/subscription')).json<{ plan: string }>().plan;

  test('by its reference: offered as a Solana Pay request, pending, confirmed, settled, and Pro is active', async () => {
    const { who, payment, again } = await open();
    const { address, reference, amount, token } = payment;
    expect(address).toBe(world.wallet);
    const uri = `solana:${address}?amount=${amount}&spl-token=${token}&reference=${reference}&label=Meridian&message=`;
    expect(payment.uri.startsWith(uri), payment.uri).toBe(true);
    expect(payment.uri).not.toContain('+');
    expect(amount).toMatch(/^(29\.99|30\.00)\d{0,4}$/);
    expect(payment.status).toBe('pending');
    const tx = await world.pay({ units: unitsIn(payment), references: [reference ?? ''] });
    await look(CONFIRMED);
    expect(await again()).toMatchObject({
      status: 'confirmed',
      flags: [],
      paid: amount,
      deposits: [{ tx, url: `https://solscan.io/tx/${tx}`, sender: world.payer, state: 'confirmed', isLate: false }],
    });
    expect(await planOf(who)).toBe('pro');
    await look(FINAL);
    expect((await again()).status).toBe('settled');
  });

  test('without reference the exact amount decides, and another amount waits for its owner', async () => {
    const { payment, again } = await open();
    const other = await open();
    expect(other.payment.amount).not.toBe(payment.amount);
    await world.pay({ units: unitsIn(payment) });
    await world.pay({ units: unitsIn(payment) + 20_000n });
    await look(FINAL);
    expect((await again()).status).toBe('settled');
    expect((await other.again()).status).toBe('pending');
  });

  test.runIf(name === 'the sandbox')('an unreadable transaction is recorded, reported once and skipped', async () => {
    const { payment, again } = await open();
    const unreadable = await world.pay({ units: 1n, version: 2 });
    const tx = await world.pay({ units: unitsIn(payment), references: [payment.reference ?? ''], version: 1 });
    await look(CONFIRMED);
    expect(await again()).toMatchObject({ status: 'confirmed', deposits: [{ tx }] });
    await look(FINAL);
    await look(FINAL);
    expect((await again()).status).toBe('settled');
    expect(await s.product.usdc.ctx.db.selectFrom('usdc_unreadable').select(['network', 'tx']).execute()).toEqual([
      { network: 'solana', tx: unreadable },
    ]);
    const reports = await s.product.usdc.ctx.db
      .selectFrom('error_logs')
      .select('message')
      .where('source', '=', 'usdc')
      .execute();
    expect(reports.map(({ message }) => message)).toEqual([
      expect.stringMatching(`^Solana: transaction ${unreadable} cannot be read and was not booked: .*version \\(2\\)`),
    ]);
  });

  test.runIf(name === 'the sandbox')(
    'money in a transaction recorded as unreadable is booked once it can be read',
    async () => {
      const { who, payment, again } = await open();
      const { db } = s.product.usdc.ctx;
      const tx = await world.pay({ units: unitsIn(payment), references: [payment.reference ?? ''], version: 1 });
      await world.tick(FINAL);
      const { slot } = await rpc<{ slot: number }>(world.url, 'getTransaction', [
        tx,
        { maxSupportedTransactionVersion: 1 },
      ]);
      const record = {
        network: 'solana',
        tx,
        block: slot,
        reason: 'version',
        seen_at: new Date().toISOString(),
        read_at: null,
      } as const;
      await db.insertInto('usdc_unreadable').values(record).execute();
      const passed = { scanned: slot, mark: `${tx}:${slot}` };
      await db.updateTable('usdc_cursors').set(passed).where('network', '=', 'solana').execute();
      await look();
      expect([(await again()).status, await planOf(who)]).toEqual(['settled', 'pro']);
      const row = await db
        .selectFrom('usdc_unreadable')
        .select('read_at')
        .where('tx', '=', tx)
        .executeTakeFirstOrThrow();
      expect(row.read_at).not.toBeNull();
    },
  );

  test('the ledger matches the account on the chain when reread', async () => {
    await look(FINAL);
    await auditPayments(s.product.usdc.ctx, AbortSignal.timeout(60_000));
  });

  test('a dropped fork revokes the plan, and paying again restores it', async () => {
    const { who, payment, again } = await open();
    const references = [payment.reference ?? ''];
    const tx = await world.pay({ units: unitsIn(payment), references });
    await look(CONFIRMED);
    expect(await planOf(who)).toBe('pro');
    await world.drop(tx);
    await look(FINAL);
    expect([(await again()).status, await planOf(who)]).toEqual(['pending', 'free']);
    await world.pay({ units: unitsIn(payment), references });
    await look(FINAL);
    expect([(await again()).status, await planOf(who)]).toEqual(['settled', 'pro']);
  });
});
