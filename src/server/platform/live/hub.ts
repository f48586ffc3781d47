import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { chunk, createSharedDeflate, GZIP_HEADER, LAST_CHUNK } from './encode.ts';

export type Frame = { id: number; topic: string; body: string };

type Client = { socket: Socket; gzip: boolean; topics: ReadonlySet<string> };
type Kept = { id: number; topic: string; plain: Buffer; zipped: Buffer };

export type HubOptions = { keepFrames?: number; heartbeatMs?: number; maxBacklogBytes?: number };

export type Hub = {
  /** Sends a frame to every subscriber of its topic, and keeps it for those who come back. */
  deliver: (frame: Frame) => Promise<void>;
  /** Takes over a response: subscribes it and replays what its Last-Event-ID has missed. */
  connect: (request: IncomingMessage, response: ServerResponse, topics: ReadonlySet<string>) => Promise<void>;
  /** Tells every client to read everything again: frames may have been lost. */
  reset: () => Promise<void>;
  clients: () => number;
  newestId: () => number;
  close: () => void;
};

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
};

export const sse = (frame: Frame): string => `id: ${frame.id}\nevent: ${frame.topic}\ndata: ${frame.body}\n\n`;

/**
 * Fan-out of live frames over SSE: each frame is built and compressed once, then written raw to every socket.
 * A reader that falls a megabyte behind is dropped; it reconnects with Last-Event-ID.
 */
export function createHub({ keepFrames = 60, heartbeatMs = 15_000, maxBacklogBytes = 1 << 20 }: HubOptions = {}): Hub {
  const clients = new Set<Client>();
  const deflate = createSharedDeflate();
  const ring: Kept[] = [];

  async function encode(text: string): Promise<{ plain: Buffer; zipped: Buffer }> {
    const body = Buffer.from(text);
    return { plain: chunk(body), zipped: chunk(await deflate.pack(body)) };
  }

  function write(client: Client, frame: { plain: Buffer; zipped: Buffer }): void {
    if (client.socket.writableLength > maxBacklogBytes) client.socket.destroy();
    else client.socket.write(client.gzip ? frame.zipped : frame.plain);
  }

  async function broadcast(text: string): Promise<void> {
    const frame = await encode(text);
    for (const client of clients) write(client, frame);
  }

  const heartbeat = setInterval(() => void broadcast(':\n\n'), heartbeatMs);
  heartbeat.unref();

  const resetText = () => `id: ${ring.at(-1)?.id ?? 0}\nevent: reset\ndata: {}\n\n`;

  /** Frames after `lastId`, or null when some of them are gone. */
  function missed(lastId: number): Kept[] | null {
    const newest = ring.at(-1)?.id ?? 0;
    const oldest = ring[0]?.id ?? 0;
    if (lastId > newest || (lastId < newest && lastId < oldest - 1)) return null;
    return ring.filter((kept) => kept.id > lastId);
  }

  return {
    clients: () => clients.size,
    newestId: () => ring.at(-1)?.id ?? 0,

    async deliver(frame) {
      const encoded = await encode(sse(frame));
      ring.push({ id: frame.id, topic: frame.topic, ...encoded });
      if (ring.length > keepFrames) ring.shift();
      for (const client of clients) if (client.topics.has(frame.topic)) write(client, encoded);
    },

    async connect(request, response, topics) {
      const gzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
      response.writeHead(200, { ...HEADERS, ...(gzip ? { 'content-encoding': 'gzip' } : {}) });
      if (gzip) response.write(GZIP_HEADER);
      else response.flushHeaders();
      const socket = response.socket;
      if (!socket) return;
      socket.setNoDelay(true);
      socket.setTimeout(0);
      const client: Client = { socket, gzip, topics };
      const hello = await encode('retry: 3000\n\n');
      const given = request.headers['last-event-id'];
      const replay = given === undefined ? [] : missed(Number(given));
      const frames = replay ? replay.filter((kept) => topics.has(kept.topic)) : [await encode(resetText())];
      if (socket.destroyed) return;
      write(client, hello);
      for (const frame of frames) write(client, frame);
      clients.add(client);
      socket.once('close', () => clients.delete(client));
    },

    reset: () => broadcast(resetText()),

    close() {
      clearInterval(heartbeat);
      for (const { socket } of clients) socket.end(LAST_CHUNK);
      clients.clear();
      deflate.close();
    },
  };
}
