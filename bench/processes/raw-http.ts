import { createServer, get, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { readOptions, serveCalls } from '../support/offer.ts';

type Answer = { headers: IncomingHttpHeaders; body: Buffer };

const { port } = readOptions<{ port: number }>();

const buildResponse = (headers: Record<string, string>) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/api/dashboard', headers, agent: false }, resolve).on('error', reject);
  });

const OF_THE_CONNECTION = new Set(['date', 'connection', 'keep-alive']);

async function read(headers: Record<string, string>): Promise<Answer> {
  const response = await buildResponse(headers);
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  const kept = Object.entries(response.headers).filter(([name]) => !OF_THE_CONNECTION.has(name));
  return { headers: Object.fromEntries(kept), body: Buffer.concat(parts) };
}

const br = await read({ 'accept-encoding': 'br' });
const identity = await read({});
const notModified = await read({ 'if-none-match': String(br.headers.etag) });
const value: unknown = JSON.parse(identity.body.toString());

const WRITERS: Record<string, (response: ServerResponse) => void> = {
  '/br'(response) {
    response.writeHead(200, br.headers);
    response.end(br.body);
  },
  '/304'(response) {
    response.writeHead(304, notModified.headers);
    response.end();
  },
  '/stringify'(response) {
    const body = JSON.stringify(value);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  },
};

const server = createServer((request, response) => WRITERS[request.url ?? '']?.(response));
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});

serveCalls({
  port: () => (server.address() as AddressInfo).port,
  etag: () => br.headers.etag,
  sizes: () => ({ br: br.body.length, identity: identity.body.length }),
});
