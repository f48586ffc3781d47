import { afterAll, beforeAll, expect } from 'vitest';
import type { Network, Payment } from '#features/payments/contract/usdc.ts';
import { creditBalance } from '#features/payments/server/billing/service.ts';
import { auditBooks } from '#features/payments/server/usdc/service/audit.ts';
import { createClock } from '#kernel/clock.ts';
import { openDatabase } from '#kernel/db.ts';
import { unitsToUsd } from '#shared/money.ts';

import type { TestUser } from './people.ts';
import { NOON, start, type TestProduct } from './start.ts';
import { TestChain } from './test-chain.ts';

export type Paying = Awaited<ReturnType<typeof startPaying>>;

export const PRO = 29_990_000n;
export const PREMIUM = 99_000_000n;
export const MINUTE = 60_000;
export const DAY = 86_400_000;

/** A product with in-memory chains as payment networks. The books are checked after every change of money. */
export async function startPaying(env: Record<string, string> = {}, onLogLine?: (line: string) => void) {
  const initialClock = createClock();
  initialClock.set(NOON);
  let s: TestProduct | undefined;
  const now = () => (s?.clock ?? initialClock).now();
  const base = new TestChain('base', now);
  const solana = new TestChain('solana', now);
  s = await start({ env, rails: { base: base.rail, solana: solana.rail }, ...(onLogLine ? { onLogLine } : {}) });
  const started = s;
  const chains = { base, solana };
  const { db, close } = openDatabase(s.connection, () => undefined, 2);
  const expectBooks = async () => expect(await auditBooks(db)).toEqual([]);

  async function watch(network: Network = 'base'): Promise<void> {
    await started.product.scheduler.runManually('usdc.watch', { network });
    await expectBooks();
  }

  const order = (user: TestUser, body: object = {}, call = 'wallet-payment') =>
    user.post(`/api/subscribe/${call}`, { planId: 'pro', network: 'base', ...body });

  return {
    s: started,
    db,
    expectBooks,
    base,
    solana,
    watch,
    order,
    async open(user: TestUser, body: object = {}, call?: string): Promise<Payment> {
      const response = await order(user, body, call);
      expect(response.statusCode, response.body).toBe(200);
      await expectBooks();
      return response.json<Payment>();
    },
    async show(user: TestUser, { paymentId }: Payment): Promise<Payment> {
      const response = await user.get(`/api/subscribe/payments/${paymentId}`);
      expect(response.statusCode, response.body).toBe(200);
      return response.json<Payment>();
    },
    routeOf: ({ address, reference }: Payment): string => reference ?? address,
    async credit(user: TestUser): Promise<string> {
      return unitsToUsd(await creditBalance(db, user.id));
    },
    async plan(user: TestUser) {
      return (await user.get('/api/subscription')).json<{ plan: string; currentPeriodEnd: string | null }>();
    },
    /** Pays and lets the chain make it final. */
    async settle(payment: Payment, units: bigint): Promise<void> {
      const chain = chains[payment.network];
      chain.pay(payment.reference ?? payment.address, units);
      chain.finalize();
      await watch(payment.network);
    },
    /** The network confirms what was paid, and it is seen. */
    async confirmed(network: Network = 'base'): Promise<void> {
      chains[network].confirm();
      await watch(network);
    },
    async finalised(network: Network = 'base'): Promise<void> {
      chains[network].finalize();
      await watch(network);
    },
    /** Advances time, with occasional visits that keep the session alive. */
    async pass(user: TestUser, ms: number): Promise<void> {
      for (let remaining = ms; remaining > 0; remaining -= 5 * DAY) {
        started.advance(Math.min(remaining, 5 * DAY));
        await user.get('/api/subscription');
      }
    },
    async stop(): Promise<void> {
      await close();
      await started.stop();
    },
  };
}

/** One product with in-memory chains for all tests of a file. */
export function filePaying(...args: Parameters<typeof startPaying>): Paying {
  const p = {} as Paying;
  beforeAll(async () => {
    Object.assign(p, await startPaying(...args));
  });
  afterAll(() => p.stop());
  return p;
}
