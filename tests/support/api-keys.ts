import { createHash, randomBytes } from 'node:crypto';
import { openDatabase } from '#server/platform/db.ts';
import { API_SCOPES, type ApiScope } from '#shared/contract.ts';

import type { Started } from './start.ts';

/** A key of an account, made as its page makes it. */
export async function apiKey(s: Started, userId: number, scopes: readonly ApiScope[] = API_SCOPES): Promise<string> {
  const key = `mk_live_${randomBytes(19).toString('hex')}`;
  const { db, close } = openDatabase(s.connection, () => undefined, 1);
  await db
    .insertInto('api_keys')
    .values({
      user_id: userId,
      name: 'Test',
      hash: createHash('sha256').update(key).digest(),
      hint: 'x',
      scopes: [...scopes],
      created_at: s.clock.now().toISOString(),
    } as never)
    .execute();
  await close();
  return key;
}
