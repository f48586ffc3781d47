import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { constants, createDeflateRaw } from 'node:zlib';

import { accepts } from '../accept-encoding.ts';
import { wait } from '../clock.ts';
import { createCounter } from '../route-figures.ts';

/** First bytes of every gzip stream: each client gets them once, then the same deflate blocks as all others. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);

/** An HTTP/1.1 chunk, framed once for all sockets. */
function chunk(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]);
}

/** The body of a chunk, for clients without chunked encoding. */
function unchunk(framed: Buffer): Buffer {
  return framed.subarray(framed.indexOf('\n') + 1, -2);
}

const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/**
 * One compressor for every client. Z_FULL_FLUSH ends each message on a byte boundary with an empty window,
 * so that a client may join or skip at any message.
 */
function createSharedDeflate(): { pack: (body: Buffer) => Promise<Buffer>; close: () => void } {
  const deflate = createDeflateRaw({ level: 6 });
  let parts: Buffer[] = [];
  let queue = Promise.resolve();
  deflate.on('data', (part: Buffer) => parts.push(part));

  const packNow = (body: Buffer) =>
    new Promise<Buffer>((resolve) => {
      parts = [];
      deflate.write(body);
      deflate.flush(constants.Z_FULL_FLUSH, () => resolve(Buffer.concat(parts)));
    });

  return {
    pack(body) {
      const packed = queue.then(() => packNow(body));
      queue = packed.then(() => undefined);
      return packed;
    },
    close: () => deflate.destroy(),
  };
}

/** `recipient` is the account a frame is for; null for everyone. */
export type Frame = { id: number; topic: string; body: string; recipient: number | null };
/** Whose stream it is; null for a visitor. */
export type StreamOwner = { userId: number; sessionId: number | null } | null;

/** `chunked` is false for HTTP/1.0, still used by proxies, which has no chunked encoding. */
type Client = {
  socket: Socket;
  gzip: boolean;
  chunked: boolean;
  topics: ReadonlySet<string>;
  owner: StreamOwner;
};
type Encoded = { plain: Buffer; zipped: Buffer };
/** Encoded for the first reader: most frames for one account match no stream in a process. */
type BufferedFrame = Frame & { encoded: Encoded | null };

/** Frames of other accounts are never sent, whatever topics are requested. */
const isRecipient = (client: Client, { topic, recipient }: Pick<Frame, 'topic' | 'recipient'>) =>
  client.topics.has(topic) && (recipient === null || recipient === client.owner?.userId);

const framesReceived = createCounter('meridian_stream_frames_total', 'Live frames that reached this process.');
const framesWritten = createCounter(
  'meridian_stream_writes_total',
  'Live frames written to streams: one for each stream.',
);
const dropped = createCounter('meridian_stream_dropped_total', 'Streams closed because the client was too slow.');

export type HubOptions = { keepFrames?: number; heartbeatMs?: number; maxBacklogBytes?: number };

export type Hub = {
  /**
   * Sends a frame to every subscriber of its topic, and retains it for clients that reconnect. Returns the number of
   * streams it was written to.
   */
  deliver: (frame: Frame) => Promise<number>;
  /** Takes over a response: subscribes it and replays frames missed since `lastEventId`. */
  connect: (
    request: IncomingMessage,
    response: ServerResponse,
    subscription: {
      topics: ReadonlySet<string>;
      owner?: StreamOwner;
      lastEventId?: string | undefined;
      /** When the stream ends, so that access is checked again; null for never. */
      endsInMs?: number | null;
    },
  ) => Promise<void>;
  /** Ends the streams of an account: all of them, or those of the given sessions. Visitors keep theirs. */
  closeStreams: (userId: number | 'everyone', sessions: 'all' | readonly number[]) => void;
  /** Makes every client reload everything: frames up to that id may have been lost. */
  reset: (lastLostId: number) => Promise<void>;
  clients: () => number;
  newestId: () => number;
  close: () => void;
};

const HEADERS = {
  // The connection ends with its stream: a proxy that reused it for another request would lose that request.
  connection: 'close',
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
};

/** A reader still connected this long after shutdown began is cut off. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Processes receive a frame within less than this of each other. */
const CATCH_UP_MS = 1_000;
const POLL_MS = 25;
/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const sse = (frame: Frame): string => `id: ${frame.id}\nevent: ${frame.topic}\ndata: ${frame.body}\n\n`;

/**
 * Fan-out of live frames over SSE: each frame is built and compressed once, then written raw to every socket.
 * A reader that falls a megabyte behind is dropped; it reconnects with Last-Event-ID.
 */
export function createHub({ keepFrames = 60, heartbeatMs = 15_000, maxBacklogBytes = 1 << 20 }: HubOptions = {}): Hub {
  const clients = new Set<Client>();
  /** Taken over, with missed frames not yet sent. */
  const opening = new Set<Client>();
  const deflate = createSharedDeflate();
  const ring: BufferedFrame[] = [];
  const closing = new AbortController();

  async function encode(text: string): Promise<Encoded> {
    const body = Buffer.from(text);
    return { plain: chunk(body), zipped: chunk(await deflate.pack(body)) };
  }

  function write(client: Client, frame: Encoded): boolean {
    const body = client.gzip ? frame.zipped : frame.plain;
    const isBehind = client.socket.writableLength > maxBacklogBytes;
    if (isBehind && !client.socket.destroyed) {
      dropped.inc();
      client.socket.destroy();
    } else if (!isBehind) client.socket.write(client.chunked ? body : unchunk(body));
    return !isBehind;
  }

  function closeGracefully({ socket, chunked }: Client): void {
    if (chunked) socket.write(LAST_CHUNK);
    socket.end();
    setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
  }

  async function broadcast(text: string): Promise<void> {
    const frame = await encode(text);
    for (const client of clients) write(client, frame);
  }

  const heartbeat = setInterval(() => void broadcast(':\n\n'), heartbeatMs);
  heartbeat.unref();

  function disconnect(client: Client): void {
    clients.delete(client);
    closeGracefully(client);
  }

  /** Every frame of this process after `floor` is in the ring, up to `newest`. */
  let [floor, newest, resets] = [0, 0, 0];

  const withoutEncoding = (frames: BufferedFrame[]) => frames.filter(({ encoded }) => encoded === null);
  const newestId = () => newest;
  const resetText = () => `id: ${newest}\nevent: reset\ndata: {}\n\n`;

  /** Every frame after `lastId` is still in the ring. */
  const canResume = (lastId: number) => lastId >= floor && lastId <= newest;

  return {
    clients: () => clients.size,
    newestId,

    async deliver(frame) {
      const isRead = [...clients].some((client) => isRecipient(client, frame));
      const encoded = isRead ? await encode(sse(frame)) : null;
      if (newest === 0) floor = frame.id - 1;
      newest = frame.id;
      ring.push({ ...frame, encoded });
      if (ring.length > keepFrames) floor = ring.shift()?.id ?? floor;
      let written = 0;
      if (encoded) for (const client of clients) if (isRecipient(client, frame) && write(client, encoded)) written += 1;
      framesReceived.inc();
      framesWritten.inc(written);
      return written;
    },

    async connect(request, response, { topics, owner = null, lastEventId, endsInMs = null }) {
      const gzip = accepts(request.headers['accept-encoding'] ?? '', 'gzip');
      response.writeHead(200, { ...HEADERS, ...(gzip ? { 'content-encoding': 'gzip' } : {}) });
      if (gzip) response.write(GZIP_HEADER);
      else response.flushHeaders();
      const socket = response.socket;
      if (!socket) return;
      socket.setNoDelay(true);
      socket.setTimeout(0);
      const client: Client = { socket, gzip, chunked: request.httpVersion !== '1.0', topics, owner };
      const given = request.headers['last-event-id'] ?? lastEventId;
      const lastId = given === undefined ? newestId() : Number(given);
      opening.add(client);
      // The client may come from a process that is slightly ahead of this one.
      for (let left = CATCH_UP_MS; left > 0 && lastId > newestId() && !closing.signal.aborted; left -= POLL_MS)
        await wait(POLL_MS);
      let [known, from] = [resets, 0];
      const missed = () => ring.filter((buffered) => buffered.id > from && isRecipient(client, buffered));
      const buildGreeting = () => {
        const resumes = canResume(lastId);
        [known, from] = [resets, resumes ? lastId : newest];
        return encode(`retry: 3000\n\n${resumes ? '' : resetText()}`);
      };
      let greeting = await buildGreeting();
      // Repeat until nothing is left to compress and no frame was lost in between: the steps below must not yield.
      const wasReset = () => known !== resets;
      for (let open = withoutEncoding(missed()); open.length > 0 || wasReset(); open = withoutEncoding(missed())) {
        if (wasReset()) greeting = await buildGreeting();
        else for (const buffered of open) buffered.encoded = await encode(sse(buffered));
      }
      opening.delete(client);
      if (closing.signal.aborted) socket.destroy();
      if (socket.destroyed || socket.writableEnded) return;
      write(client, greeting);
      for (const { encoded } of missed()) if (encoded) write(client, encoded);
      clients.add(client);
      const end =
        endsInMs === null ? undefined : setTimeout(() => disconnect(client), Math.min(endsInMs, MAX_TIMER_MS)).unref();
      socket.once('close', () => {
        clearTimeout(end);
        clients.delete(client);
      });
    },

    closeStreams(userId, sessions) {
      for (const client of [...clients, ...opening]) {
        const { owner } = client;
        if (!owner || (userId !== 'everyone' && owner.userId !== userId)) continue;
        if (sessions !== 'all' && (owner.sessionId === null || !sessions.includes(owner.sessionId))) continue;
        disconnect(client);
      }
    },

    reset(lastLostId) {
      resets += 1;
      ring.length = 0;
      floor = newest = Math.max(newest, lastLostId);
      return broadcast(resetText());
    },

    close() {
      closing.abort();
      clearInterval(heartbeat);
      for (const client of clients) closeGracefully(client);
      clients.clear();
      deflate.close();
    },
  };
}
