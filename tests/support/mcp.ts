import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { hashOf } from '#features/accounts/server/auth/service.ts';
import { hintOf, newKey } from '#features/api/server/api-keys/key-callers.ts';

import type { Started } from './start.ts';

/** A key as it is stored, of an account that may not make one. */
export async function storedKey(s: Started, userId: number): Promise<string> {
  const key = newKey();
  const row = { user_id: userId, name: 'Desk', hash: hashOf(key), hint: hintOf(key), scopes: ['market' as const] };
  await s.product.market.ctx.db
    .insertInto('api_keys')
    .values({ ...row, scopes: [...row.scopes], created_at: s.clock.now().toISOString() })
    .execute();
  return key;
}

/** The official client, connected by the newest revision of the protocol or by the handshake of older ones. */
export async function connected(url: string, key: string, mode: 'auto' | 'legacy' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { 'x-api-key': key } },
  });
  await client.connect(transport);
  return client;
}
