import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { serveCalls } from '../support/offer.ts';

const clients = new Set<ServerResponse>();
let id = 0;

const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' });
  response.flushHeaders();
  clients.add(response);
  response.on('close', () => clients.delete(response));
});
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});

serveCalls({
  listen: () => (server.address() as AddressInfo).port,
  clients: () => clients.size,
  publish(data: unknown) {
    const frame = Buffer.from(`id: ${++id}\nevent: prices\ndata: ${JSON.stringify(data)}\n\n`);
    for (const response of clients) response.write(frame);
  },
});
