import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The official client, connected by the newest revision of the protocol or by the handshake of older ones. */
export async function connected(url: string, key: string, mode: 'auto' | 'legacy' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { 'x-api-key': key } },
  });
  await client.connect(transport);
  return client;
}
