import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type WebSocket, WebSocketServer } from 'ws';

type Body = unknown;
type Answer = Body | ((query: URLSearchParams, posted: string) => Body);

export type Answers = {
  url: string;
  wsUrl: string;
  /** What a path answers from now on; a function may look at the query. */
  give: (path: string, answer: Answer, status?: number) => void;
  /** Paths asked for, with their queries. */
  asked: string[];
  /** Frames every new socket is sent, after its first message. */
  frames: unknown[];
  sockets: Set<WebSocket>;
  close: () => Promise<void>;
};

/** A provider that answers with exactly what it was given: recorded bodies, or bodies no provider should send. */
export async function startAnswers(): Promise<Answers> {
  const given = new Map<string, { answer: Answer; status: number }>();
  const asked: string[] = [];
  const frames: unknown[] = [];
  const sockets = new Set<WebSocket>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    asked.push(url.pathname + url.search);
    let posted = '';
    request.on('data', (part: Buffer) => {
      posted += part.toString();
    });
    request.on('end', () => {
      const found = given.get(url.pathname);
      const body = typeof found?.answer === 'function' ? found.answer(url.searchParams, posted) : found?.answer;
      response.writeHead(found?.status ?? 404, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body ?? { error: 'never given' }));
    });
  });
  const feed = new WebSocketServer({ server });
  feed.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.once('message', () => {
      for (const frame of frames) socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
    });
    socket.on('message', (data) => {
      if ((data as Buffer).toString() === 'ping') socket.send('pong');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${at}`,
    wsUrl: `ws://${at}`,
    give: (path, answer, status = 200) => void given.set(path, { answer, status }),
    asked,
    frames,
    sockets,
    async close() {
      for (const socket of sockets) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
