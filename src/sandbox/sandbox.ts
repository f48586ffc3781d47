import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

import { createClock, type SandboxClock } from './clock.ts';
import { FAULT_KINDS, type FaultRule, Faults } from './faults.ts';
import { serveProvider } from './http.ts';
import { Market, simulationOf } from './market/market.ts';
import type { Feed, FeedSession, Provider, Reply, Tick } from './provider.ts';
import { PROVIDERS } from './providers/list.ts';

const TICK_MS = 100;

type Client = { provider: Provider; socket: WebSocket; stream: Duplex; session: FeedSession };

/** The websocket part: connected clients per feed, and the tick that drives them. */
class Feeds {
  readonly #faults: Faults;
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #clients = new Set<Client>();
  readonly #timer: NodeJS.Timeout;
  #tick = 0;

  constructor(faults: Faults) {
    this.#faults = faults;
    this.#timer = setInterval(() => {
      this.#tick += 1;
      this.#push(this.#tick);
    }, TICK_MS);
    this.#timer.unref();
  }

  upgrade(provider: Provider, request: IncomingMessage, stream: Duplex, head: Buffer): void {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    this.#faults.count(provider.id, 'ws');
    const rules = this.#faults.take(provider.id, 'ws');
    if (rules.some((rule) => rule.kind === 'timeout')) return;
    const limited = rules.some((rule) => rule.kind === 'rate_limit');
    if (limited || rules.some((rule) => rule.kind === 'drop' || rule.kind === 'server_error')) {
      stream.end(
        `HTTP/1.1 ${limited ? '429 Too Many Requests' : '503 Service Unavailable'}\r\nconnection: close\r\n\r\n`,
      );
      return;
    }
    this.#server.handleUpgrade(request, stream, head, (socket) => this.#accept(provider, socket, stream, url));
  }

  /** Notifies all clients at once. */
  onClockMoved(): void {
    this.#push('moved');
  }

  #push(tick: Tick): void {
    for (const { provider, session, stream } of this.#clients) {
      stream.cork();
      session.push(this.#faults.timeFor(provider.id, 'ws'), tick);
      stream.uncork();
    }
  }

  onFaultSet(rule: FaultRule): void {
    if (rule.kind !== 'drop') return;
    for (const { provider, socket } of this.#clients) {
      if (rule.provider === '*' || rule.provider === provider.id) socket.terminate();
    }
  }

  connections(provider?: string): number {
    return [...this.#clients].filter((client) => provider === undefined || client.provider.id === provider).length;
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { socket } of this.#clients) socket.terminate();
    this.#server.close();
  }

  #accept(provider: Provider, socket: WebSocket, stream: Duplex, url: URL): void {
    if (!provider.feed) return socket.terminate();
    const send = (text: string) => {
      if (socket.readyState === socket.OPEN && !this.#faults.isOn('silent', provider.id, 'ws')) socket.send(text);
    };
    const session = provider.feed.open(send, url);
    const client = { provider, socket, stream, session };
    this.#clients.add(client);
    socket.on('error', () => socket.terminate());
    socket.on('close', () => this.#clients.delete(client));
    socket.on('message', (data) => {
      const text = Array.isArray(data) ? Buffer.concat(data).toString() : Buffer.from(data as ArrayBuffer).toString();
      session.receive(text, this.#faults.timeFor(provider.id, 'ws'));
    });
  }
}

const CONTROL_BASE = '/__sandbox';

async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRule(value: unknown, providers: readonly string[]): value is FaultRule {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('provider' in value)) return false;
  const isKnownKind = FAULT_KINDS.some((kind) => kind === value.kind);
  return isKnownKind && (value.provider === '*' || providers.some((id) => id === value.provider));
}

function moveClock(clock: SandboxClock, body: unknown): Reply {
  const command = typeof body === 'object' && body !== null ? body : {};
  if ('set' in command && typeof command.set === 'number') clock.set(command.set);
  else if ('advance' in command && typeof command.advance === 'number') clock.advance(command.advance);
  else if ('run' in command && command.run === true) clock.run();
  else return { status: 400, body: { error: 'Give { set: ms }, { advance: ms } or { run: true }' } };
  return { body: { now: clock.now() } };
}

/** The same switches as in-process, for tests in another process. */
async function control(
  request: IncomingMessage,
  url: URL,
  controls: {
    clock: SandboxClock;
    faults: Faults;
    providers: readonly string[];
    /** The seed of the market, and the settings that point to it. */
    describe: () => { seed: number; urls: Record<string, string> };
  },
): Promise<Reply> {
  const { clock, faults, providers } = controls;
  const endpoint = `${request.method} ${url.pathname.slice(CONTROL_BASE.length)}`;
  if (endpoint === 'GET /requests') return { body: { requests: faults.allRequests() } };
  if (endpoint === 'GET /faults') return { body: { faults: faults.list() } };
  if (endpoint === 'GET /world') return { body: controls.describe() };
  if (endpoint === 'GET /clock') return { body: { now: clock.now() } };
  if (endpoint === 'POST /clock') return moveClock(clock, await readJsonBody(request));
  if (endpoint === 'DELETE /faults') {
    faults.clear(url.searchParams.get('provider') ?? undefined);
    return { body: { faults: faults.list() } };
  }
  if (endpoint === 'POST /faults') {
    const body = await readJsonBody(request);
    const rules: unknown[] = Array.isArray(body) ? body : [body];
    if (!rules.every((rule) => isRule(rule, providers))) {
      return {
        status: 400,
        body: { error: `Each rule needs a provider (${providers.join(', ')}) and a kind (${FAULT_KINDS.join(', ')})` },
      };
    }
    for (const rule of rules) faults.set(rule);
    return { body: { faults: faults.list() } };
  }
  return { status: 404, body: { error: 'No such switch' } };
}

export type Sandbox = {
  /** Environment names (`COINGECKO_BASE_URL` …) and their URLs. */
  urls: Record<string, string>;
  /** Origin of the server; its switches are below `/__sandbox`. */
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

const matchesFeed = ({ path, deep }: Feed, pathname: string) =>
  pathname === path || (deep === true && pathname.startsWith(`${path}/`));

function urlsOf(providers: readonly Provider[], port: number): Record<string, string> {
  const entries = providers.flatMap(({ env }) => Object.entries(env));
  return Object.fromEntries(entries.map(([name, { scheme, path }]) => [name, `${scheme}://127.0.0.1:${port}${path}`]));
}

/** Simulates the external providers on loopback. */
export async function startSandbox({ seed = 1, now, port = 0 }: SandboxOptions = {}): Promise<Sandbox> {
  const clock = createClock(now, () => feeds.onClockMoved());
  const faults = new Faults(clock.now, (rule) => feeds.onFaultSet(rule));
  const feeds = new Feeds(faults);
  const market = new Market(seed, simulationOf(seed));
  const providers = PROVIDERS.map((create) => create(market));
  let boundPort = port;
  const describe = () => ({ seed, urls: urlsOf(providers, boundPort) });
  const controls = { clock, faults, providers: providers.map(({ id }) => id), describe };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const provider = providers.find((candidate) => belongsTo(candidate, url.pathname));
    if (provider) return serveProvider(provider, faults, request, response, url);
    const { status = 200, body } = url.pathname.startsWith(`${CONTROL_BASE}/`)
      ? await control(request, url, controls)
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
    const provider = providers.find(({ feed }) => feed && matchesFeed(feed, pathname));
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
  boundPort = (server.address() as AddressInfo).port;

  return {
    urls: urlsOf(providers, boundPort),
    origin: `http://127.0.0.1:${boundPort}`,
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
