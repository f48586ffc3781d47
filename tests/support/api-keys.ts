import type { ApiKey } from '#features/api/contract/api-keys.ts';
import type { ApiScope } from '#shared/contract.ts';

import { type Person, proven } from './people.ts';
import type { Started } from './start.ts';

/** A plain read of the public API. */
export const KEYED_READ = '/api/v1/crypto-prices';

export async function makeKey(who: Person, change: { name?: string; scopes?: ApiScope[] } = {}): Promise<ApiKey> {
  const answer = await proven(who, () => who.post('/api/keys', { name: 'Desk', ...change }));
  if (answer.statusCode !== 200) throw new Error(`No key was made: ${answer.body}`);
  return answer.json<ApiKey>();
}

/** One call with a key. */
export const call = (s: Pick<Started, 'product'>, key: string, headers: Record<string, string> = {}) =>
  s.product.app.inject({ url: KEYED_READ, headers: { 'x-api-key': key, ...headers } });
