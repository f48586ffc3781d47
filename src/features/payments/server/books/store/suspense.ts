import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

export type SuspenseRow = {
  network: 'base' | 'solana';
  tx: string;
  idx: number;
  at: string;
  units: string;
  sender: string;
};

export async function findSuspense(db: Db): Promise<SuspenseRow[]> {
  return db
    .selectFrom('usdc_deposits')
    .select(['network', 'tx', 'idx', 'at', 'units', 'sender'])
    .where('is_credited', '=', true)
    .where('payment_id', 'is', null)
    .where('owner_id', 'is', null)
    .orderBy('at', 'desc')
    .limit(500)
    .execute();
}

export type ClaimRow = {
  id: number;
  user_id: number;
  email: string | null;
  network: 'base' | 'solana';
  tx: string;
  wallet: string;
  created_at: string;
};

export async function findWaitingClaims(db: Db): Promise<ClaimRow[]> {
  return db
    .selectFrom('usdc_claims as c')
    .leftJoin('users as u', 'u.id', 'c.user_id')
    .select(['c.id', 'c.user_id', 'u.email', 'c.network', 'c.tx', 'c.wallet', 'c.created_at'])
    .where('c.state', '=', 'waiting')
    .orderBy('c.id')
    .execute();
}

type Deposit = { network: 'base' | 'solana'; tx: string; idx: number };

/** Gives it to an account; undefined when it is not there, not final, or somebody's already. */
export async function takeSuspense(
  db: Db,
  { network, tx, idx }: Deposit,
  userId: number,
): Promise<{ units: string } | undefined> {
  return db
    .updateTable('usdc_deposits')
    .set({ owner_id: userId })
    .where('network', '=', network)
    .where('tx', '=', tx)
    .where('idx', '=', idx)
    .where('is_credited', '=', true)
    .where('state', '=', 'final')
    .where('payment_id', 'is', null)
    .where('owner_id', 'is', null)
    .returning('units')
    .executeTakeFirst();
}

/** Every claim to it is decided: the one of its owner is credited, the others are refused. */
export async function decideClaims(
  db: Db,
  { network, tx }: Deposit,
  { ownerId, adminId, at }: { ownerId: number; adminId: number; at: Date },
): Promise<void> {
  await sql`update usdc_claims set state = case when user_id = ${ownerId} then 'credited' else 'refused' end,
    decided_at = ${at.toISOString()}::timestamptz, decided_by = ${adminId}
    where network = ${network} and tx = ${tx} and state = 'waiting'`.execute(db);
}
