import type { Db } from '#server/platform/db.ts';

import type { Delivery } from '../channel.ts';
import { gatheredOf } from '../store/digests.ts';
import { type Settled, settleDeliveries } from '../store/settle.ts';
import { refusalOf, toDelivery } from './deliver.ts';

/**
 * What was gathered for a person and is due now, oldest first. It is `handed` with the caller's transaction, which posts the mail; `settle`
 * says later what became of each. What is no longer wished for is dropped; may be empty.
 */
export async function takeDigest(tx: Db, userId: number, now: Date): Promise<Delivery[]> {
  const rows = await gatheredOf(tx, userId, now);
  const settled = rows.map((row): Settled => {
    const refusal = refusalOf(row) ?? { state: 'handed' as const, note: null };
    return { id: row.id, tries: row.tries, dueAt: null, ...refusal };
  });
  await settleDeliveries(tx, settled, now);
  return rows.filter((row) => refusalOf(row) === null).map(toDelivery);
}
