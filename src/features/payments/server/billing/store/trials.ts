import type { Db } from '#kernel/db.ts';

import '../schema.ts';

export async function hasTried(db: Db, userId: number): Promise<boolean> {
  const row = await db.selectFrom('trials').select('user_id').where('user_id', '=', userId).executeTakeFirst();
  return row !== undefined;
}

export async function hasAddressTried(db: Db, addressHashes: readonly Buffer[]): Promise<boolean> {
  const row = await db
    .selectFrom('trial_addresses')
    .select('started_at')
    .where('address_hash', 'in', addressHashes)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

type NewTrial = { userId: number; addressHash: Buffer; startedAt: Date; endsAt: Date };

/** False when another account of the address has had it. */
export async function insertTrial(db: Db, { userId, addressHash, startedAt, endsAt }: NewTrial): Promise<boolean> {
  await db
    .insertInto('trials')
    .values({ user_id: userId, started_at: startedAt.toISOString(), ends_at: endsAt.toISOString() })
    .execute();
  const added = await db
    .insertInto('trial_addresses')
    .values({ address_hash: addressHash, started_at: startedAt.toISOString() })
    .onConflict((oc) => oc.column('address_hash').doNothing())
    .returning('started_at')
    .executeTakeFirst();
  return added !== undefined;
}
