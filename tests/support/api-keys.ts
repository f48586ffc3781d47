import type { ApiKey } from '#features/api-keys/contract.ts';
import { hintOf, newKey } from '#features/api-keys/server/key-text.ts';
import { hashOf } from '#features/auth/server/service.ts';
import { openDatabase } from '#server/platform/db.ts';
import { API_SCOPES, type ApiScope } from '#shared/contract.ts';

import type { Person } from './people.ts';
import type { Started } from './start.ts';

/** A plain read of the public API. */
export const KEYED_READ = '/api/v1/crypto-prices';

export async function makeKey(who: Person, change: { name?: string; scopes?: ApiScope[] } = {}): Promise<ApiKey> {
  const answer = await who.post('/api/keys', { name: 'Desk', ...change });
  if (answer.statusCode !== 200) throw new Error(`No key was made: ${answer.body}`);
  return answer.json<ApiKey>();
}

/** One call with a key. */
export const call = (s: Pick<Started, 'product'>, key: string, headers: Record<string, string> = {}) =>
  s.product.app.inject({ url: KEYED_READ, headers: { 'x-api-key': key, ...headers } });

/** A key of an account, with every scope unless they are named. */
export async function apiKey(s: Started, userId: number, scopes: readonly ApiScope[] = API_SCOPES): Promise<string> {
  const key = newKey();
  const { db, close } = openDatabase(s.connection, () => undefined, 1);
  await db
    .insertInto('api_keys')
    .values({
      user_id: userId,
      name: 'Test',
      hash: hashOf(key),
      hint: hintOf(key),
      scopes: [...scopes],
      created_at: s.clock.now().toISOString(),
    })
    .execute();
  await close();
  return key;
}
