import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const HOST = 'localhost';
const READY_MS = 20_000;

export const hasCaddy = (): boolean => spawnSync('caddy', ['version']).status === 0;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** `from` is the visitor's address: all of 127/8 is this machine. */
export type ProxyRequest = { from?: string; method?: string; headers?: Record<string, string>; body?: Buffer };
export type ProxyResponse = { status: number; headers: IncomingHttpHeaders; raw: string[]; body: Buffer };

export type Proxy = {
  /** Resolves with the response once its headers arrive. */
  open: (path: string, options?: ProxyRequest) => Promise<IncomingMessage>;
  request: (path: string, options?: ProxyRequest) => Promise<ProxyResponse>;
  /** Like `ask`, by http without TLS. */
  requestPlain: (path: string) => Promise<ProxyResponse>;
  stop: () => Promise<void>;
};

async function readResponse(response: IncomingMessage): Promise<ProxyResponse> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  const { statusCode: status = 0, headers, rawHeaders: raw } = response;
  return { status, headers, raw, body: Buffer.concat(parts) };
}

/** Caddy with the shipped Caddyfile, on loopback ports and with a certificate of its own CA. */
export async function startCaddy(upstreams: string[]): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-caddy-'));
  const [https, http, admin] = [await freePort(), await freePort(), await freePort()];
  const child: ChildProcess = spawn('caddy', ['run', '--config', 'ops/caddy/Caddyfile', '--adapter', 'caddyfile'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      SITE_ADDRESS: HOST,
      UPSTREAMS: upstreams.join(' '),
      HTTPS_PORT: String(https),
      HTTP_PORT: String(http),
      CADDY_ADMIN: `127.0.0.1:${admin}`,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (part: string) => (log = (log + part).slice(-20_000)));
  const ended = once(child, 'exit');
  const root = join(folder, 'caddy/pki/authorities/local/root.crt');

  const open = (path: string, { from, method = 'GET', headers = {}, body }: ProxyRequest = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const ca = readFileSync(root);
      const target = { host: '127.0.0.1', port: https, servername: HOST, ca, path, method, agent: false as const };
      const outgoing = tlsRequest(
        { ...target, headers: { host: `${HOST}:${https}`, ...headers }, ...(from ? { localAddress: from } : {}) },
        resolve,
      );
      outgoing.once('error', reject);
      outgoing.end(body);
    });
  const proxy: Proxy = {
    open,
    request: async (path, options) => readResponse(await open(path, options)),
    requestPlain: async (path) =>
      readResponse(
        await new Promise<IncomingMessage>((resolve, reject) => {
          const outgoing = plainRequest({ host: '127.0.0.1', port: http, path, headers: { host: HOST } }, resolve);
          outgoing.once('error', reject);
          outgoing.end();
        }),
      ),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
  const deadline = performance.now() + READY_MS;
  for (;;) {
    const response = existsSync(root) ? await proxy.request('/api/health').catch(() => undefined) : undefined;
    if (response?.status === 200) return proxy;
    if (child.exitCode !== null || performance.now() > deadline) {
      await proxy.stop();
      throw new Error(`Caddy does not answer: ${log}`);
    }
    await sleep(50);
  }
}
