import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const CHECK_INTERVAL_MS = 200;
const CHECK_TIMEOUT_MS = 2_000;
const KEEP_ALIVE_MS = 600_000;
/** Hop-by-hop headers, which are not forwarded. */
const HOP_BY_HOP_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

export type Proxy = {
  url: string;
  /** The upstream processes, used in turn; those that are not ready are skipped. */
  setBackends: (backends: readonly string[]) => void;
  /** Resolves when that process is ready. */
  waitUntilReady: (backend: string, isReady?: boolean) => Promise<void>;
  close: () => Promise<void>;
};

const forwardedHeaders = (headers: IncomingMessage['headers']) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP_HEADERS.has(name)));

/** A minimal proxy: each request goes to the next ready process, without affinity. */
export async function startProxy(port = 0): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true });
  let backends: readonly string[] = [];
  const readyBackends = new Set<string>();
  let nextBackend = 0;

  async function checkBackend(backend: string): Promise<void> {
    const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
    const isReady = await fetch(`${backend}/api/health/ready`, { signal }).then(
      async (response) => {
        await response.body?.cancel();
        return response.ok;
      },
      () => false,
    );
    if (isReady && backends.includes(backend)) readyBackends.add(backend);
    else readyBackends.delete(backend);
  }
  const checkAll = () => Promise.all(backends.map(checkBackend));
  const timer = setInterval(() => void checkAll(), CHECK_INTERVAL_MS);

  function forward(from: IncomingMessage, to: ServerResponse, attempted = new Set<string>()): void {
    // When none is ready, as on an overloaded machine, a late response is better than none.
    const candidates = (readyBackends.size > 0 ? [...readyBackends] : backends).filter(
      (backend) => !attempted.has(backend),
    );
    const backend = candidates[nextBackend++ % Math.max(1, candidates.length)];
    if (backend === undefined) {
      to.writeHead(502, { 'content-type': 'text/plain' }).end('No process is ready');
      return;
    }
    attempted.add(backend);
    const { host, hostname, port: backendPort } = new URL(backend);
    const forwardedFor = [from.headers['x-forwarded-for'], from.socket.remoteAddress].filter(Boolean).join(', ');
    const upstream = request({
      agent,
      hostname,
      port: backendPort,
      method: from.method,
      path: from.url,
      headers: { ...forwardedHeaders(from.headers), host: from.headers.host ?? host, 'x-forwarded-for': forwardedFor },
    });
    upstream.on('response', (response) => {
      to.writeHead(response.statusCode ?? 502, { ...forwardedHeaders(response.headers), 'x-served-by': backend });
      to.flushHeaders();
      response.pipe(to);
      response.on('error', () => to.destroy());
      response.on('close', () => response.complete || to.destroy());
    });
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      // The request was not received, so another process can take it.
      if (error.code === 'ECONNREFUSED' && !to.headersSent && from.method === 'GET')
        return forward(from, to, attempted);
      if (to.headersSent) to.destroy();
      else to.writeHead(502, { 'content-type': 'text/plain' }).end(error.message);
      return undefined;
    });
    to.on('close', () => upstream.destroy());
    from.pipe(upstream);
  }

  const server = createServer((from, to) => forward(from, to));
  // A client that reuses a connection just being closed would get a reset.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setBackends(next) {
      backends = next;
      for (const backend of readyBackends) if (!next.includes(backend)) readyBackends.delete(backend);
      void checkAll();
    },
    async waitUntilReady(backend, isReady = true) {
      while (readyBackends.has(backend) !== isReady)
        await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS / 4));
    },
    async close() {
      clearInterval(timer);
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}
