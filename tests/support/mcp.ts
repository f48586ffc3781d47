import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { hashToken } from '#features/accounts/server/auth/service.ts';
import { keyHint, newKey } from '#features/api/server/api-keys/key-callers.ts';

import type { TestProduct } from './start.ts';

/** Inserts an API key for an account that may not create one. */
export async function insertKey(s: TestProduct, userId: number): Promise<string> {
  const key = newKey();
  const row = { user_id: userId, name: 'Desk', hash: hashToken(key), hint: keyHint(key), scopes: ['market' as const] };
  await s.product.market.ctx.db
    .insertInto('api_keys')
    .values({ ...row, scopes: [...row.scopes], created_at: s.clock.now().toISOString() })
    .execute();
  return key;
}

/** The official client, connected with the newest protocol revision or with the handshake of older ones. */
export async function connectMcpClient(url: string, key: string, mode: 'auto' | 'legacy' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { 'x-api-key': key } },
  });
  await client.connect(transport);
  return client;
}
