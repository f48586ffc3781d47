import { sql } from 'kysely';
import type { Network } from '#features/payments/contract/usdc.ts';
import type { Db } from '#kernel/db.ts';
import type { Units } from '#shared/money.ts';
import type { StoredDeposit } from '../status.ts';
import '../schema.ts';

export type Deposit = StoredDeposit & {
  network: Network;
  tx: string;
  idx: number;
  block: number;
  blockHash: string;
  token: string;
  sender: string;
  route: string | null;
  generation: number;
  paymentId: string | null;
  ownerId: number | null;
};

export type DepositKey = Pick<Deposit, 'network' | 'tx' | 'idx'>;

const select = (db: Db) => db.selectFrom('usdc_deposits').selectAll();
type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;

const depositOf = (row: Row): Deposit => ({
  network: row.network,
  tx: row.tx,
  idx: row.idx,
  block: row.block,
  blockHash: row.block_hash,
  at: new Date(row.at),
  token: row.token,
  sender: row.sender,
  route: row.route,
  units: BigInt(row.units),
  state: row.state,
  isCredited: row.is_credited,
  generation: row.generation,
  paymentId: row.payment_id,
  ownerId: row.owner_id,
  seenAt: new Date(row.seen_at),
});

/** Those that a look from this block may show or miss. */
export async function depositsFrom(db: Db, network: Network, block: number): Promise<Deposit[]> {
  const rows = await select(db)
    .where('network', '=', network)
    .where('block', '>=', block)
    .where('state', '!=', 'orphaned')
    .execute();
  return rows.map(depositOf);
}

/** Those of the transactions, whatever became of them. */
export async function depositsOfTransactions(db: Db, network: Network, txs: readonly string[]): Promise<Deposit[]> {
  if (txs.length === 0) return [];
  const rows = await select(db).where('network', '=', network).where(sql<boolean>`tx = any(${txs}::text[])`).execute();
  return rows.map(depositOf);
}

/** In the order in which the chain has them. */
export async function depositsOfPayments(db: Db, paymentIds: readonly string[]): Promise<Deposit[]> {
  if (paymentIds.length === 0) return [];
  const rows = await select(db)
    .where(sql<boolean>`payment_id = any(${paymentIds}::text[])`)
    .orderBy('at')
    .orderBy('tx')
    .orderBy('idx')
    .execute();
  return rows.map(depositOf);
}

export async function finalDeposits(db: Db, network: Network, upTo: number): Promise<Deposit[]> {
  const rows = await select(db)
    .where('network', '=', network)
    .where('state', '=', 'final')
    .where('block', '<=', upTo)
    .execute();
  return rows.map(depositOf);
}

const rowOf = (deposit: Deposit) => ({
  network: deposit.network,
  tx: deposit.tx,
  idx: deposit.idx,
  block: deposit.block,
  block_hash: deposit.blockHash,
  at: deposit.at.toISOString(),
  token: deposit.token,
  sender: deposit.sender,
  route: deposit.route,
  units: deposit.units.toString(),
  state: deposit.state,
  is_credited: deposit.isCredited,
  generation: deposit.generation,
  payment_id: deposit.paymentId,
  owner_id: deposit.ownerId,
  seen_at: deposit.seenAt.toISOString(),
});

/** As many as one statement has parameters for. */
const AT_ONCE = 1000;

/** New deposits, and what the chain says of known ones now. */
export async function putDeposits(db: Db, deposits: readonly Deposit[]): Promise<void> {
  for (let i = 0; i < deposits.length; i += AT_ONCE)
    await db
      .insertInto('usdc_deposits')
      .values(deposits.slice(i, i + AT_ONCE).map(rowOf))
      .onConflict((on) =>
        on.columns(['network', 'tx', 'idx']).doUpdateSet((eb) => ({
          block: eb.ref('excluded.block'),
          block_hash: eb.ref('excluded.block_hash'),
          at: eb.ref('excluded.at'),
          token: eb.ref('excluded.token'),
          sender: eb.ref('excluded.sender'),
          route: eb.ref('excluded.route'),
          units: eb.ref('excluded.units'),
          state: eb.ref('excluded.state'),
          is_credited: eb.ref('excluded.is_credited'),
          generation: eb.ref('excluded.generation'),
          payment_id: eb.ref('excluded.payment_id'),
          owner_id: eb.ref('excluded.owner_id'),
          seen_at: eb.ref('excluded.seen_at'),
        })),
      )
      .execute();
}

const at = ({ network, tx, idx }: DepositKey) => sql<boolean>`(network, tx, idx) = (${network}, ${tx}, ${idx}::int)`;

export async function markOrphaned(db: Db, deposit: Deposit): Promise<void> {
  await db
    .updateTable('usdc_deposits')
    .set({ state: 'orphaned', is_credited: false, generation: deposit.generation + 1 })
    .where(at(deposit))
    .execute();
}

/** What of these is on somebody's balance. */
export function creditedOf(deposits: readonly Deposit[]): Units {
  return deposits.reduce((sum, { units, isCredited }) => (isCredited ? sum + units : sum), 0n);
}
