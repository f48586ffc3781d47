import { sql } from 'kysely';

import type { Network } from '#features/payments/contract/usdc.ts';
import type { Db } from '#kernel/db.ts';

import { type Deposit, findDepositsByTransaction } from './deposits.ts';
import '../schema.ts';

/**
 * The deposit of one transaction to our account, locked until the transaction ends; undefined when none of it counts.
 */
export async function lockDeposit(db: Db, network: Network, tx: string): Promise<Deposit | undefined> {
  await db
    .selectFrom('usdc_deposits')
    .select('idx')
    .where('network', '=', network)
    .where('tx', '=', tx)
    .forUpdate()
    .execute();
  const deposits = await findDepositsByTransaction(db, network, [tx]);
  return deposits.find(({ state }) => state === 'confirmed' || state === 'final');
}

export async function setOwner(
  db: Db,
  { network, tx, idx }: Pick<Deposit, 'network' | 'tx' | 'idx'>,
  userId: number,
): Promise<void> {
  await db
    .updateTable('usdc_deposits')
    .set({ owner_id: userId })
    .where('network', '=', network)
    .where('tx', '=', tx)
    .where('idx', '=', idx)
    .execute();
}

export type NewClaim = {
  userId: number;
  network: Network;
  tx: string;
  /** The sending wallet. */
  wallet: string;
  message: string;
  /** The signature of the message; empty when an administrator decides. */
  proof: string;
  state: 'waiting' | 'credited';
  at: Date;
};

export async function insertClaim(db: Db, { userId, at, ...claim }: NewClaim): Promise<void> {
  const decided = claim.state === 'credited' ? { decided_at: at.toISOString() } : {};
  await db
    .insertInto('usdc_claims')
    .values({ ...claim, ...decided, user_id: userId, created_at: at.toISOString() })
    .execute();
}

export async function isWaiting(db: Db, userId: number, network: Network, tx: string): Promise<boolean> {
  const row = await db
    .selectFrom('usdc_claims')
    .select('id')
    .where('user_id', '=', userId)
    .where('network', '=', network)
    .where('tx', '=', tx)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return row !== undefined;
}

/** Closes the pending claims of a transaction that now has an owner. */
export async function closeWaiting(
  db: Db,
  network: Network,
  tx: string,
  { owner, at }: { owner: number; at: Date },
): Promise<void> {
  await db
    .updateTable('usdc_claims')
    .set({
      state: sql`case when user_id = ${owner} then 'credited' else 'refused' end`,
      note: 'Signed by the sending wallet',
      decided_at: at.toISOString(),
    })
    .where('network', '=', network)
    .where('tx', '=', tx)
    .where('state', '=', 'waiting')
    .execute();
}
