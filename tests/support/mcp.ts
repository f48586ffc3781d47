import { randomBytes } from 'node:crypto';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { hashOf } from '#features/auth/server/service.ts';
import { API_KEY_PREFIX, API_SCOPES, type ApiScope } from '#shared/contract.ts';

import type { Started } from './start.ts';

const READING = API_SCOPES.filter((scope) => scope !== 'alerts:write');

/** A key as it is stored, with the scopes named; without them it reads everything. */
export async function storedKey(s: Started, userId: number, scopes: readonly ApiScope[] = READING): Promise<string> {
  const key = API_KEY_PREFIX + randomBytes(24).toString('hex');
  await s.product.market.ctx.db
    .insertInto('api_keys')
    .values({
      user_id: userId,
      name: 'Assistant',
      hash: hashOf(key),
      hint: 'mk_live_test',
      scopes: [...scopes],
      created_at: s.clock.now().toISOString(),
    })
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
