import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { type WebSocket, WebSocketServer } from 'ws';

export type Replay = { urls: Record<string, string>; close: () => Promise<void> };

type Recording = { path: string; status: number; body: unknown };
type Message = Record<string, unknown>;

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

function readRecordings(dir: string): Recording[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir).map((name) => {
    const { url, status = 200, body } = readJson(join(dir, name)) as { url: string; status?: number; body: unknown };
    const { pathname, search } = new URL(url);
    return { path: pathname + search, status, body };
  });
}

/** The messages of a provider's socket in a recording, in order. */
export function readFrames(file: string): Message[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { dir?: string; msg?: unknown })
    .filter(({ dir, msg }) => dir !== 'client' && msg !== null && typeof msg === 'object')
    .map(({ msg }) => msg as Message);
}

/**
 * Serves real recorded bodies from `dir` at the providers' own paths, unchanged and with their original times. Anything
 * not recorded is a 404.
 */
export async function startReplay(dir: string, port = 0): Promise<Replay> {
  const coingecko = readRecordings(join(dir, 'coingecko/vcr-2021'));
  const markets = readJson(join(dir, 'coingecko/captured-2026/markets-4-of-9-ids.json'));
  const [okx, coinbase] = ['OKX', 'COINBASE'].map((name) => readRecordings(join(dir, 'rest-recordings', name))) as [
    Recording[],
    Recording[],
  ];
  const candles = readJson(join(dir, 'nautilus/okx/http_get_candlesticks.json'));
  const feeds = {
    okx: readFrames(join(dir, 'ws-recordings/OKX.ws.1.0.jsonl')),
    coinbase: readFrames(join(dir, 'ws-recordings/COINBASE.ws.28.0.jsonl')),
  };

  function findRecording(url: URL): Recording | undefined {
    const path = url.pathname.replace(/^\/(coingecko|okx|coinbase|coinpaprika)/, '');
    const ok = (body: unknown) => ({ path, status: 200, body });
    if (url.pathname.startsWith('/coingecko/')) {
      if (path === '/api/v3/ping') return ok({ gecko_says: '(V3) To the Moon!' });
      if (path === '/api/v3/coins/markets') return url.searchParams.has('vs_currency') ? ok(markets) : undefined;
      const matches = coingecko.filter((each) => each.path.split('?')[0] === path && each.status === 200);
      const isShort = Number(url.searchParams.get('days') ?? 1) <= 1;
      return matches.find((each) => each.path.includes('days=1&') === isShort) ?? matches[0];
    }
    if (url.pathname.startsWith('/okx/')) {
      if (path.startsWith('/api/v5/market/') && path.endsWith('candles')) return ok(candles);
      return okx.find((each) => each.path === path + url.search);
    }
    return coinbase.find((each) => each.path === path);
  }

  const server = createServer((request, response) => {
    const recording = findRecording(new URL(request.url ?? '/', 'http://127.0.0.1'));
    response.writeHead(recording?.status ?? 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(recording?.body ?? { error: 'never recorded' }));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, request) => replayFeed(socket, request, feeds));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    urls: {
      COINGECKO_BASE_URL: `http://${at}/coingecko/api/v3`,
      COINPAPRIKA_BASE_URL: `http://${at}/coinpaprika/v1`,
      OKX_BASE_URL: `http://${at}/okx`,
      OKX_WS_URL: `ws://${at}/okx/ws/v5`,
      COINBASE_BASE_URL: `http://${at}/coinbase`,
      COINBASE_WS_URL: `ws://${at}/coinbase/ws`,
    },
    async close() {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function replayFeed(socket: WebSocket, request: IncomingMessage, feeds: { okx: Message[]; coinbase: Message[] }): void {
  const isOkx = request.url?.startsWith('/okx') ?? false;
  socket.on('message', (data) => {
    const text = (data as Buffer).toString();
    if (text === 'ping') return socket.send('pong');
    const asked = JSON.parse(text) as {
      op?: string;
      type?: string;
      args?: { instId?: string }[];
      product_ids?: string[];
    };
    if (asked.op !== 'subscribe' && asked.type !== 'subscribe') return;
    const wanted = new Set(isOkx ? asked.args?.map((arg) => arg.instId) : asked.product_ids);
    const frames = isOkx ? feeds.okx : feeds.coinbase;
    for (const frame of frames) {
      const arg = frame['arg'] as { channel?: string; instId?: string } | undefined;
      const isTicker = isOkx ? arg?.channel === 'tickers' && 'data' in frame : frame['type'] === 'ticker';
      if (isTicker && wanted.has(isOkx ? arg?.instId : String(frame['product_id']))) socket.send(JSON.stringify(frame));
    }
  });
}
