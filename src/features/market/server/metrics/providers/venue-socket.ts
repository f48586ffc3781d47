import { type RawData, WebSocket } from 'ws';

import { wait } from '#kernel/clock.ts';
import { errorMessage } from '#kernel/errors.ts';
import { REGION_RETRY_MS, SourceError } from '#kernel/http/source-error.ts';

export type VenueSocketOptions = {
  /** Display name of the venue: 'Bybit'. */
  name: string;
  url: string;
  subscribe: unknown[];
  ping: string;
  /** Runs before every connection; an error counts as a failed connection. */
  prepare?: (signal: AbortSignal) => Promise<void>;
  /** Parsed JSON; an error drops the connection. */
  onMessage: (message: unknown) => void;
  /** The venue has responded on a new connection. */
  onUp: () => void;
  onDown: (error: SourceError) => void;
  pingMs?: number;
  silentAfterMs?: number;
};

export type VenueSocket = { isUp: () => boolean; stop: () => Promise<void> };

const PING_MS = 15_000;
const SILENT_AFTER_MS = 45_000;
const HANDSHAKE_MS = 10_000;
const MAX_MESSAGE_BYTES = 1 << 20;
const STEADY_MS = 60_000;
const RETRY_MS = [500, 1000, 2000, 5000, 10_000, 30_000, 60_000];

/** Maintains a websocket until stopped: reconnects with backoff, drops unresponsive connections. */
export function startVenueSocket(options: VenueSocketOptions): VenueSocket {
  const { name, url, subscribe, ping, pingMs = PING_MS, silentAfterMs = SILENT_AFTER_MS } = options;
  const stopping = new AbortController();
  let socket: WebSocket | null = null;
  let up = false;

  function onMessage(data: RawData): void {
    const text = Array.isArray(data) ? Buffer.concat(data).toString() : Buffer.from(data as Buffer).toString();
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      // Non-JSON messages such as 'pong' only show that the connection is alive.
      return;
    }
    options.onMessage(message);
  }

  /** Runs for the life of the connection; always rejects. */
  const session = () =>
    new Promise<never>((_, reject) => {
      const ws = new WebSocket(url, { handshakeTimeout: HANDSHAKE_MS, maxPayload: MAX_MESSAGE_BYTES });
      socket = ws;
      let lastMessageAt = performance.now();
      const end = (error: SourceError) => {
        clearInterval(beat);
        up = false;
        socket = null;
        ws.terminate();
        reject(error);
      };
      const beat = setInterval(() => {
        if (performance.now() - lastMessageAt > silentAfterMs)
          end(new SourceError('timeout', `${name}'s stream of liquidations went silent`));
        else if (ws.readyState === WebSocket.OPEN) ws.send(ping);
      }, pingMs);
      ws.on('open', () => {
        for (const message of subscribe) ws.send(JSON.stringify(message));
        ws.send(ping);
      });
      ws.on('message', (data) => {
        lastMessageAt = performance.now();
        try {
          onMessage(data);
        } catch (cause) {
          return end(new SourceError('body', `${name}'s stream refused: ${errorMessage(cause)}`, undefined, { cause }));
        }
        if (up) return;
        up = true;
        options.onUp();
      });
      ws.on('unexpected-response', (_, { statusCode = 0 }) =>
        end(
          statusCode === 451 || statusCode === 403
            ? new SourceError('refused_region', `${name} blocks this region (${statusCode})`, REGION_RETRY_MS)
            : new SourceError('network', `${name}'s stream failed: answered ${statusCode}`),
        ),
      );
      ws.on('error', (cause) =>
        end(
          new SourceError('network', `${name}'s stream failed: ${errorMessage(cause).slice(0, 160)}`, undefined, {
            cause,
          }),
        ),
      );
      ws.on('close', (code) => end(new SourceError('network', `${name} closed its stream of liquidations (${code})`)));
    });

  async function run(): Promise<void> {
    for (let attempt = 0; !stopping.signal.aborted; attempt++) {
      const started = performance.now();
      let restMs = 0;
      try {
        await options.prepare?.(stopping.signal);
        if (!stopping.signal.aborted) await session();
      } catch (error) {
        if (stopping.signal.aborted) break;
        if (error instanceof SourceError && error.kind === 'refused_region') restMs = REGION_RETRY_MS;
        options.onDown(
          error instanceof SourceError
            ? error
            : new SourceError('network', `${name}'s stream failed: ${errorMessage(error)}`, undefined, {
                cause: error,
              }),
        );
      }
      if (performance.now() - started > STEADY_MS) attempt = 0;
      await wait(restMs || (RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? STEADY_MS), stopping.signal);
    }
  }

  const running = run();
  return {
    isUp: () => up,
    async stop() {
      stopping.abort();
      socket?.terminate();
      await running;
    },
  };
}
