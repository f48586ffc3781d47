import { connect, type Socket } from 'node:net';

import { offer } from '../support/offer.ts';

type Target = { port: number; path: string; headers: Record<string, string>; status: number; connections: number };

const buffer = Buffer.allocUnsafe(1 << 18);
let sockets: Socket[] = [];
let served = 0;
let wrong = 0;

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const LENGTH = /content-length: (\d+)/i;

/** Sends the next request on the same connection as soon as a response is complete. */
function openConnection(port: number, request: Buffer, expected: string): Promise<Socket> {
  let left = 0;
  let head = '';

  function take(data: Buffer): void {
    if (left === 0) {
      const end = data.indexOf(END_OF_HEAD);
      if (end < 0) {
        head += data.toString('latin1');
        return;
      }
      head += data.toString('latin1', 0, end);
      if (!head.startsWith(expected)) wrong++;
      left = Number(LENGTH.exec(head)?.[1] ?? 0) - (data.length - end - END_OF_HEAD.length);
      head = '';
    } else left -= data.length;
    if (left > 0) return;
    left = 0;
    served++;
    socket.write(request);
  }
  const callback = (bytes: number) => {
    take(buffer.subarray(0, bytes));
    return true;
  };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } });
  socket.on('error', () => wrong++);
  return new Promise((resolve) => {
    socket.once('connect', () => {
      socket.write(request);
      resolve(socket);
    });
  });
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

offer({
  async open({ port, path, headers, status, connections }: Target) {
    const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`);
    const request = Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    wrong = 0;
    const opening = Array.from({ length: connections }, () => openConnection(port, request, `HTTP/1.1 ${status} `));
    sockets = await Promise.all(opening);
  },
  async count(ms: number) {
    const [before, began] = [served, performance.now()];
    await sleep(ms);
    return { requests: served - before, seconds: (performance.now() - began) / 1000, wrong };
  },
  close() {
    for (const socket of sockets) socket.destroy();
    sockets = [];
  },
});
