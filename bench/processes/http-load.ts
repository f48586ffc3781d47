import { connect, type Socket } from 'node:net';

import { serveCalls } from '../support/offer.ts';

type Target = { port: number; path: string; headers: Record<string, string>; status: number; connections: number };

const buffer = Buffer.allocUnsafe(1 << 18);
let sockets: Socket[] = [];
let served = 0;
let wrongStatuses = 0;

const HEADER_END = Buffer.from('\r\n\r\n');
const CONTENT_LENGTH = /content-length: (\d+)/i;

/** Sends the next request on the same connection as soon as a response is complete. */
function openConnection(port: number, request: Buffer, expected: string): Promise<Socket> {
  let bytesLeft = 0;
  let header = '';

  function onData(data: Buffer): void {
    if (bytesLeft === 0) {
      const end = data.indexOf(HEADER_END);
      if (end < 0) {
        header += data.toString('latin1');
        return;
      }
      header += data.toString('latin1', 0, end);
      if (!header.startsWith(expected)) wrongStatuses++;
      bytesLeft = Number(CONTENT_LENGTH.exec(header)?.[1] ?? 0) - (data.length - end - HEADER_END.length);
      header = '';
    } else bytesLeft -= data.length;
    if (bytesLeft > 0) return;
    bytesLeft = 0;
    served++;
    socket.write(request);
  }
  const callback = (bytes: number) => {
    onData(buffer.subarray(0, bytes));
    return true;
  };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } });
  socket.on('error', () => wrongStatuses++);
  return new Promise((resolve) => {
    socket.once('connect', () => {
      socket.write(request);
      resolve(socket);
    });
  });
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

serveCalls({
  async open({ port, path, headers, status, connections }: Target) {
    const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`);
    const request = Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    wrongStatuses = 0;
    const openingConnections = Array.from({ length: connections }, () =>
      openConnection(port, request, `HTTP/1.1 ${status} `),
    );
    sockets = await Promise.all(openingConnections);
  },
  async count(ms: number) {
    const [before, startedAt] = [served, performance.now()];
    await sleep(ms);
    return { requests: served - before, seconds: (performance.now() - startedAt) / 1000, wrong: wrongStatuses };
  },
  close() {
    for (const socket of sockets) socket.destroy();
    sockets = [];
  },
});
