import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createClock, type SandboxClock } from './clock.ts';
import { CONTROL_BASE, control } from './control.ts';
import { Faults } from './faults.ts';
import { Feeds } from './feeds.ts';
import { serve } from './http.ts';
import { Market } from './market/market.ts';
import type { Feed, Provider } from './provider.ts';
import { PROVIDERS } from './providers/list.ts';

export type Sandbox = {
  /** Environment names (`COINGECKO_BASE_URL` …) and where each leads. */
  urls: Record<string, string>;
  /** Root of the server; its switches are below `/__sandbox`. */
  origin: string;
  clock: SandboxClock;
  faults: Faults;
  market: Market;
  /** Open websocket connections. */
  connections: (provider?: string) => number;
  close: () => Promise<void>;
};

export type SandboxOptions = { seed?: number; now?: number | (() => number); port?: number };

const belongsTo = (provider: Provider, path: string) => path === provider.base || path.startsWith(`${provider.base}/`);

const leadsTo = ({ path, deep }: Feed, pathname: string) =>
  pathname === path || (deep === true && pathname.startsWith(`${path}/`));

function urlsOf(providers: readonly Provider[], port: number): Record<string, string> {
  const entries = providers.flatMap(({ env }) => Object.entries(env));
  return Object.fromEntries(entries.map(([name, { scheme, path }]) => [name, `${scheme}://127.0.0.1:${port}${path}`]));
}

/** Plays the outside world on loopback. */
export async function startSandbox({ seed = 1, now, port = 0 }: SandboxOptions = {}): Promise<Sandbox> {
  const clock = createClock(now, () => feeds.clockMoved());
  const faults = new Faults(clock.now, (rule) => feeds.faultSet(rule));
  const feeds = new Feeds(faults);
  const market = new Market(seed);
  const providers = PROVIDERS.map((create) => create(market));
  let bound = port;
  const told = () => ({ seed, urls: urlsOf(providers, bound) });
  const world = { clock, faults, providers: providers.map(({ id }) => id), told };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const provider = providers.find((candidate) => belongsTo(candidate, url.pathname));
    if (provider) return serve(provider, faults, request, response, url);
    const { status = 200, body } = url.pathname.startsWith(`${CONTROL_BASE}/`)
      ? await control(request, url, world)
      : { status: 404, body: { error: 'No provider lives here' } };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(`The sandbox failed: ${String(error)}`);
    });
  });
  server.on('upgrade', (request, stream, head) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const provider = providers.find(({ feed }) => feed && leadsTo(feed, pathname));
    stream.on('error', () => stream.destroy());
    if (provider) feeds.upgrade(provider, request, stream, head);
    else stream.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n');
  });
  const sockets = new Set<{ destroy: () => void }>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  bound = (server.address() as AddressInfo).port;

  return {
    urls: urlsOf(providers, bound),
    origin: `http://127.0.0.1:${bound}`,
    clock,
    faults,
    market,
    connections: (provider) => feeds.connections(provider),
    async close() {
      feeds.close();
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
