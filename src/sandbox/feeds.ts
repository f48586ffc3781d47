import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { type WebSocket, WebSocketServer } from 'ws';

import type { FaultRule, Faults } from './faults.ts';
import type { Beat, FeedSession, Provider } from './provider.ts';

const BEAT_MS = 100;

type Client = { provider: Provider; socket: WebSocket; session: FeedSession };

/** The websocket half: who is connected to which feed, and the beat that moves them. */
export class Feeds {
  readonly #faults: Faults;
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #clients = new Set<Client>();
  readonly #timer: NodeJS.Timeout;
  #beat = 0;

  constructor(faults: Faults) {
    this.#faults = faults;
    this.#timer = setInterval(() => {
      this.#beat += 1;
      this.#push(this.#beat);
    }, BEAT_MS);
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
    this.#server.handleUpgrade(request, stream, head, (socket) => this.#welcome(provider, socket, url));
  }

  /** Everybody is told at once. */
  clockMoved(): void {
    this.#push('moved');
  }

  #push(beat: Beat): void {
    for (const { provider, session } of this.#clients) {
      session.push(this.#faults.timeFor(provider.id, 'ws'), beat);
    }
  }

  faultSet(rule: FaultRule): void {
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

  #welcome(provider: Provider, socket: WebSocket, url: URL): void {
    if (!provider.feed) return socket.terminate();
    const send = (text: string) => {
      if (socket.readyState === socket.OPEN && !this.#faults.isOn('silent', provider.id, 'ws')) socket.send(text);
    };
    const session = provider.feed.open(send, url);
    const client = { provider, socket, session };
    this.#clients.add(client);
    socket.on('error', () => socket.terminate());
    socket.on('close', () => this.#clients.delete(client));
    socket.on('message', (data) => {
      const text = Array.isArray(data) ? Buffer.concat(data).toString() : Buffer.from(data as ArrayBuffer).toString();
      session.receive(text, this.#faults.timeFor(provider.id, 'ws'));
    });
  }
}
