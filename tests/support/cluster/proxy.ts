import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const LOOK_EVERY_MS = 200;
const PATIENCE_MS = 2_000;
const LONGEST_IDLE_MS = 600_000;
/** Hop-by-hop headers, which are not forwarded. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

export type Proxy = {
  url: string;
  /** The upstream processes, used in turn; those that are not ready are skipped. */
  use: (backends: readonly string[]) => void;
  /** Resolves when that process is ready. */
  ready: (backend: string, isReady?: boolean) => Promise<void>;
  close: () => Promise<void>;
};

const without = (headers: IncomingMessage['headers']) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name)));

/** A minimal proxy: each request goes to the next ready process, without affinity. */
export async function startProxy(port = 0): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true });
  let backends: readonly string[] = [];
  const serving = new Set<string>();
  let turn = 0;

  async function look(backend: string): Promise<void> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const isReady = await fetch(`${backend}/api/health/ready`, { signal }).then(
      async (response) => {
        await response.body?.cancel();
        return response.ok;
      },
      () => false,
    );
    if (isReady && backends.includes(backend)) serving.add(backend);
    else serving.delete(backend);
  }
  const lookAtAll = () => Promise.all(backends.map(look));
  const timer = setInterval(() => void lookAtAll(), LOOK_EVERY_MS);

  function pass(from: IncomingMessage, to: ServerResponse, tried = new Set<string>()): void {
    // When none is ready, as on an overloaded machine, a late response is better than none.
    const open = (serving.size > 0 ? [...serving] : backends).filter((backend) => !tried.has(backend));
    const backend = open[turn++ % Math.max(1, open.length)];
    if (backend === undefined) {
      to.writeHead(502, { 'content-type': 'text/plain' }).end('No process is ready');
      return;
    }
    tried.add(backend);
    const { host, hostname, port: backendPort } = new URL(backend);
    const forwarded = [from.headers['x-forwarded-for'], from.socket.remoteAddress].filter(Boolean).join(', ');
    const upstream = request({
      agent,
      hostname,
      port: backendPort,
      method: from.method,
      path: from.url,
      headers: { ...without(from.headers), host: from.headers.host ?? host, 'x-forwarded-for': forwarded },
    });
    upstream.on('response', (answer) => {
      to.writeHead(answer.statusCode ?? 502, { ...without(answer.headers), 'x-served-by': backend });
      to.flushHeaders();
      answer.pipe(to);
      answer.on('error', () => to.destroy());
      answer.on('close', () => answer.complete || to.destroy());
    });
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      // The request was not received, so another process can take it.
      if (error.code === 'ECONNREFUSED' && !to.headersSent && from.method === 'GET') return pass(from, to, tried);
      if (to.headersSent) to.destroy();
      else to.writeHead(502, { 'content-type': 'text/plain' }).end(error.message);
      return undefined;
    });
    to.on('close', () => upstream.destroy());
    from.pipe(upstream);
  }

  const server = createServer((from, to) => pass(from, to));
  // A client that reuses a connection just being closed would get a reset.
  server.keepAliveTimeout = LONGEST_IDLE_MS;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use(next) {
      backends = next;
      for (const backend of serving) if (!next.includes(backend)) serving.delete(backend);
      void lookAtAll();
    },
    async ready(backend, isReady = true) {
      while (serving.has(backend) !== isReady) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS / 4));
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
