import { connect, type Socket } from 'node:net';

import { serveCalls } from '../support/offer.ts';

type Target = { port: number; path: string; clients: number };
type Client = { socket: Socket; inBody: boolean; size: number; bytesLeft: number; newlines: number };

const BATCH = 100;
/** Heartbeats and the greeting are shorter, frames with 250 prices longer. */
const FRAME_BYTES = 1000;
const HEADER_END = Buffer.from('\r\n\r\n');
const [CR, LF] = [13, 10];

const buffer = Buffer.allocUnsafe(1 << 18);
const clients: Client[] = [];
let arrivals: number[][] = [];
let received = 0;
let closed = 0;

const nowMs = () => performance.timeOrigin + performance.now();

function recordFrame(client: Client): void {
  received++;
  (arrivals[client.newlines++] ??= []).push(nowMs());
}

/** Counts the chunks of a chunked response; the server writes one chunk per frame. */
function onData(client: Client, data: Buffer): void {
  let at = 0;
  if (!client.inBody) {
    const end = data.indexOf(HEADER_END);
    if (end < 0) throw new Error('The head of the stream came in pieces');
    client.inBody = true;
    at = end + HEADER_END.length;
  }
  while (at < data.length) {
    if (client.bytesLeft > 0) {
      const part = Math.min(client.bytesLeft, data.length - at);
      client.bytesLeft -= part;
      at += part;
      if (client.bytesLeft === 0) {
        if (client.size >= FRAME_BYTES) recordFrame(client);
        client.size = 0;
      }
      continue;
    }
    const byte = data[at++] as number;
    if (byte === LF) client.bytesLeft = client.size + 2;
    else if (byte !== CR) client.size = client.size * 16 + Number.parseInt(String.fromCharCode(byte), 16);
  }
}

function openClient(port: number, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const callback = (bytes: number) => {
      onData(client, buffer.subarray(0, bytes));
      return true;
    };
    const socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback } });
    const client: Client = { socket, inBody: false, size: 0, bytesLeft: 0, newlines: 0 };
    clients.push(client);
    socket.once('error', reject);
    socket.once('close', () => closed++);
    socket.once('connect', () => {
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nAccept-Encoding: gzip\r\n\r\n`,
      );
      resolve();
    });
  });
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

serveCalls({
  /** Opens connections until there are `target.clients`. */
  async connect({ port, path, clients: wanted }: Target) {
    while (clients.length < wanted) {
      const batch = Math.min(BATCH, wanted - clients.length);
      await Promise.all(Array.from({ length: batch }, () => openClient(port, path)));
    }
  },
  /** Ends every connection. */
  hangUp() {
    for (const { socket } of clients.splice(0)) socket.destroy();
  },
  reset() {
    arrivals = [];
    received = 0;
    for (const client of clients) client.newlines = 0;
  },
  /** Waits until `frames` frames have arrived in total; returns their number and times. */
  async collect(frames: number, limitMs: number, sentAt: number[]) {
    const deadline = performance.now() + limitMs;
    // oxlint-disable-next-line no-unmodified-loop-condition -- the sockets move it
    while (received < frames && performance.now() < deadline) await sleep(10);
    const delays = arrivals
      .flatMap((times, tick) => times.map((time) => time - (sentAt[tick] ?? Number.NaN)))
      .toSorted((a, b) => a - b);
    const quantile = (share: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))];
    return { received, closed, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
  },
});
