import { sql } from 'kysely';
import type { Network } from '#features/payments/contract/usdc.ts';
import type { Db } from '#kernel/db.ts';
import type { Cursor } from '../rail.ts';
import '../schema.ts';

/** `looks` grows with each look that was booked. */
export type StoredCursor = Cursor & { looks: number; head: number; firstBlock: number };

export async function findCursor(db: Db, network: Network): Promise<StoredCursor | null> {
  const row = await db.selectFrom('usdc_cursors').selectAll().where('network', '=', network).executeTakeFirst();
  return row
    ? { scanned: row.scanned, mark: row.mark, looks: row.looks, head: row.head, firstBlock: row.first_block }
    : null;
}

/** One books what was seen of a network at a time; held until the transaction ends. */
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
