import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Result, Webhook } from '#features/notifications/contract/webhooks.ts';

import type { Certificate } from './certificate.ts';
import { type TestUser, withReauthentication } from './people.ts';

export type Call = { path: string; headers: IncomingHttpHeaders; body: string };

/** Responses by path. */
const FAULTS = {
  ok: (response) => response.writeHead(204).end(),
  slow: async (response) => {
    await sleep(300);
    response.end('late but fine');
  },
  gone: (response) => response.writeHead(410).end(),
  busy: (response) => response.writeHead(429, { 'retry-after': '90' }).end(),
  patient: (response) => response.writeHead(503, { 'retry-after': '86400' }).end(),
  broken: (response) => response.writeHead(500, { 'content-type': 'text/plain' }).end('our database\nis away'),
  refusing: (response) =>
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"message": "Unknown Webhook"}'),
  redirect: (response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  huge: async (response) => {
    response.writeHead(500, { 'content-type': 'text/plain' });
    const part = 'x'.repeat(64 * 1024);
    for (let i = 0; i < 1600 && !response.destroyed; i++)
      if (!response.write(part)) await Promise.race([sleep(200), new Promise((done) => response.once('drain', done))]);
    response.end();
  },
  hang: () => undefined,
  cut: (response) => response.destroy(),
} satisfies Record<string, (response: ServerResponse) => unknown>;
export type Fault = keyof typeof FAULTS;

export type Receiver = {
  url: string;
  port: number;
  calls: Call[];
  /** Response bytes written so far. */
  written: () => number;
  /** Sets the response of a path; by default it is chosen by the first segment, or `/ok`. */
  say: (path: string, fault: Fault) => void;
  close: () => Promise<void>;
};

/** An external webhook receiver on loopback. It stores requests, and fails on demand. */
export async function startReceiver(certificate?: Certificate): Promise<Receiver> {
  const calls: Call[] = [];
  const faultByPath = new Map<string, Fault>();
  let bytesWritten = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const path = request.url ?? '/';
    calls.push({ path, headers: request.headers, body: Buffer.concat(parts).toString('utf8') });
    const firstSegment = path.split(/[/?]/)[1] ?? '';
    const fault = faultByPath.get(path) ?? (firstSegment in FAULTS ? (firstSegment as Fault) : 'ok');
    response.once('close', () => (bytesWritten += response.socket?.bytesWritten ?? 0));
    await FAULTS[fault](response);
  }
  // Disconnecting callers are no error of the receiver.
  const onRequest = (request: IncomingMessage, response: ServerResponse) =>
    void handle(request, response).catch(() => {});
  const server = certificate ? createTlsServer(certificate, onRequest) : createServer(onRequest);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    calls,
    written: () => bytesWritten,
    say: (path, fault) => void faultByPath.set(path, fault),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

type WebhookOptions = { name?: string; url: string; format?: Webhook['format'] };

/** Adds a webhook, and returns how to test it and its secret. */
export async function createWebhook(user: TestUser, { name = 'Desk', url, format = 'generic' }: WebhookOptions) {
  const response = await withReauthentication(user, () => user.post('/api/webhooks', { name, url, format }));
  if (response.statusCode !== 200) throw new Error(`No webhook was added: ${response.body}`);
  const { webhook, secret } = response.json<{ webhook: Webhook; secret: string | null }>();
  const path = `/api/webhooks/${webhook.id}`;
  return {
    id: webhook.id,
    at: path,
    secret: secret ?? '',
    tryOut: async () => (await user.post(`${path}/test`)).json<Result>(),
    now: async () =>
      (await user.get('/api/webhooks')).json<{ webhooks: Webhook[] }>().webhooks.find(({ id }) => id === webhook.id),
  };
}
