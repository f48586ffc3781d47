import { randomInt } from 'node:crypto';
import type { Network } from '#features/payments/contract/usdc.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Units } from '#shared/money.ts';
import { amountsSince, lockAmounts } from '../store/payments.ts';

const ROOM = 10_000;
/** An amount is not given out again as long as its money may still be on the way. */
const KEPT_MS = 24 * 3_600_000;

export const keptSince = (now: Date): Date => new Date(now.getTime() - KEPT_MS);

/** An amount that no other payment of the network has, at most 9,999 micro-dollars more. Held until the transaction ends. */
export async function uniqueAmount(tx: Db, network: Network, due: Units, now: Date): Promise<Units> {
  await lockAmounts(tx, network);
  const taken = await amountsSince(tx, network, keptSince(now));
  const first = randomInt(ROOM);
  for (let i = 0; i < ROOM; i += 1) {
    const amount = due + BigInt((first + i) % ROOM);
    if (!taken.has(amount)) return amount;
  }
  throw new AppError('unavailable', 'Too many open payments for this amount. Please try again later.');
}
