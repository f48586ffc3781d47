import type { Network } from '#features/payments/contract/usdc.ts';
import type { Db } from '#kernel/db.ts';
import type { Unreadable } from '../rail.ts';
import '../schema.ts';

/** Records what a look has stepped over; returns those that were not recorded before. */
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

/** Those that are still unread, the oldest first. */
export function unreadableOf(db: Db, network: Network): Promise<Pick<Unreadable, 'tx' | 'block'>[]> {
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
