import { sql } from 'kysely';

import type { Network } from '#features/payments/contract/usdc.ts';
import type { Db } from '#kernel/db.ts';
import type { Units } from '#shared/money.ts';

import '../schema.ts';
import type { Cursor, Unreadable } from '../rail.ts';
import type { StoredDeposit } from '../status.ts';

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

const toDeposit = (row: Row): Deposit => ({
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

/** Deposits that a look from this block may show or miss. */
export async function depositsFrom(db: Db, network: Network, block: number): Promise<Deposit[]> {
  const rows = await select(db)
    .where('network', '=', network)
    .where('block', '>=', block)
    .where('state', '!=', 'orphaned')
    .execute();
  return rows.map(toDeposit);
}

/** Deposits of the transactions, in any state. */
export async function findDepositsByTransaction(db: Db, network: Network, txs: readonly string[]): Promise<Deposit[]> {
  if (txs.length === 0) return [];
  const rows = await select(db).where('network', '=', network).where(sql<boolean>`tx = any(${txs}::text[])`).execute();
  return rows.map(toDeposit);
}

/** In chain order. */
export async function findDepositsByPayment(db: Db, paymentIds: readonly string[]): Promise<Deposit[]> {
  if (paymentIds.length === 0) return [];
  const rows = await select(db)
    .where(sql<boolean>`payment_id = any(${paymentIds}::text[])`)
    .orderBy('at')
    .orderBy('tx')
    .orderBy('idx')
    .execute();
  return rows.map(toDeposit);
}

export async function finalDeposits(db: Db, network: Network, upTo: number): Promise<Deposit[]> {
  const rows = await select(db)
    .where('network', '=', network)
    .where('state', '=', 'final')
    .where('block', '<=', upTo)
    .execute();
  return rows.map(toDeposit);
}

const toRow = (deposit: Deposit) => ({
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

/** Rows per statement, limited by its parameters. */
const AT_ONCE = 1000;

/** Inserts new deposits and updates known ones. */
export async function putDeposits(db: Db, deposits: readonly Deposit[]): Promise<void> {
  for (let i = 0; i < deposits.length; i += AT_ONCE)
    await db
      .insertInto('usdc_deposits')
      .values(deposits.slice(i, i + AT_ONCE).map(toRow))
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

/** The part of these that is credited to a balance. */
export function creditedUnits(deposits: readonly Deposit[]): Units {
  return deposits.reduce((sum, { units, isCredited }) => (isCredited ? sum + units : sum), 0n);
}

/** `looks` counts the looks that were booked. */
export type StoredCursor = Cursor & { looks: number; head: number; firstBlock: number };

export async function findCursor(db: Db, network: Network): Promise<StoredCursor | null> {
  const row = await db.selectFrom('usdc_cursors').selectAll().where('network', '=', network).executeTakeFirst();
  return row
    ? { scanned: row.scanned, mark: row.mark, looks: row.looks, head: row.head, firstBlock: row.first_block }
    : null;
}

/** Serialises booking per network; held until the transaction ends. */
export const lockNetwork = (db: Db, network: Network): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(72460183, ${network === 'base' ? 1 : 2})`.execute(db);

export async function saveCursor(db: Db, network: Network, cursor: StoredCursor, at: Date): Promise<void> {
  const values = {
    scanned: cursor.scanned,
    head: cursor.head,
    mark: cursor.mark,
    looks: cursor.looks,
    polled_at: at.toISOString(),
  };
  await db
    .insertInto('usdc_cursors')
    .values({ network, first_block: cursor.firstBlock, ...values })
    .onConflict((on) => on.column('network').doUpdateSet(values))
    .execute();
}

/** Records skipped transactions; returns those that were not recorded before. */
export async function addUnreadable(
  db: Db,
  network: Network,
  found: readonly Unreadable[],
  at: Date,
): Promise<Unreadable[]> {
  if (found.length === 0) return [];
  return db
    .insertInto('usdc_unreadable')
    .values(found.map((each) => ({ network, ...each, seen_at: at.toISOString(), read_at: null })))
    .onConflict((on) => on.doNothing())
    .returning(['tx', 'block', 'reason'])
    .execute();
}

const MOST_AT_ONCE = 100;

/** Transactions still unread, oldest first. */
export function listUnreadable(db: Db, network: Network): Promise<Pick<Unreadable, 'tx' | 'block'>[]> {
  return db
    .selectFrom('usdc_unreadable')
    .select(['tx', 'block'])
    .where('network', '=', network)
    .where('read_at', 'is', null)
    .orderBy('block')
    .limit(MOST_AT_ONCE)
    .execute();
}

export async function markRead(db: Db, network: Network, txs: readonly string[], at: Date): Promise<void> {
  if (txs.length === 0) return;
  await db
    .updateTable('usdc_unreadable')
    .set({ read_at: at.toISOString() })
    .where('network', '=', network)
    .where('tx', 'in', txs)
    .execute();
}
