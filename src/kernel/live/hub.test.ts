import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openReader, type Reader } from './fixtures/reader.ts';
import { createHub, type Hub, type HubOptions, type StreamOwner } from './hub.ts';

const TOPICS = new Set(['prices', 'market']);

let server: Server;
let hub: Hub;
let url: string;
let port: number;
let readers: Reader[];
let sockets: Socket[];

async function serveHub(options: HubOptions = {}, owner: StreamOwner = null): Promise<void> {
  hub = createHub(options);
  server = createServer((request, response) => void hub.connect(request, response, { topics: TOPICS, owner }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  url = `http://127.0.0.1:${port}`;
}

beforeEach(() => {
  readers = [];
  sockets = [];
});
afterEach(async () => {
  for (const reader of readers) reader.close();
  for (const socket of sockets) socket.destroy();
  hub.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function read(headers: Record<string, string> = {}): Promise<Reader> {
  const before = hub.clients();
  const reader = await openReader(url, headers);
  readers.push(reader);
  await expect.poll(() => hub.clients()).toBe(before + 1);
  return reader;
}

/** A raw client that sends its request byte by byte. */
function speak(request: string): { socket: Socket; heard: () => string } {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  let heard = '';
  socket.on('data', (part) => (heard += part.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(request);
  return { socket, heard: () => heard };
}

const frame = (id: number, topic = 'prices', body = `{"n":${id}}`) => ({
  id,
  topic,
  body,
  recipient: null,
});
const deliver = async (...ids: number[]) => {
  for (const id of ids) await hub.deliver(frame(id));
};

describe('every reader', () => {
  test.each([
    ['plain', undefined, undefined],
    ['gzip', 'gzip, deflate, br', 'gzip'],
    ['gzip by a star', '*', 'gzip'],
    ['plain when gzip is refused', 'gzip;q=0, deflate', undefined],
  ])('%s: gets each frame once, in order, complete', async (_what, accepted, encoding) => {
    await serveHub();
    const reader = await read(accepted ? { 'accept-encoding': accepted } : {});
    expect(reader.response.statusCode).toBe(200);
    expect(reader.response.headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8' });
    expect(reader.response.headers['content-encoding']).toBe(encoding);
    await Promise.all(Array.from({ length: 40 }, (_, i) => hub.deliver(frame(i + 1, 'prices', `{"coin":"ö${i}"}`))));
    await expect.poll(() => reader.messages()).toHaveLength(40);
    expect(reader.messages()).toEqual(
      Array.from({ length: 40 }, (_, i) => ({ id: `${i + 1}`, event: 'prices', data: `{"coin":"ö${i}"}` })),
    );
  });

  test('gzip readers that connect at different times share one compressor and both can read', async () => {
    await serveHub();
    const early = await read({ 'accept-encoding': 'gzip' });
    await deliver(1, 2);
    const late = await read({ 'accept-encoding': 'gzip' });
    await deliver(3, 4);
    await expect.poll(() => late.ids()).toEqual([3, 4]);
    await expect.poll(() => early.ids()).toEqual([1, 2, 3, 4]);
  });

  test('an HTTP/1.0 proxy gets the frames without chunks', async () => {
    await serveHub();
    const { heard } = speak('GET / HTTP/1.0\r\nHost: x\r\n\r\n');
    await expect.poll(() => hub.clients()).toBe(1);
    await deliver(1, 2);
    await expect.poll(heard).toContain('"n":2');
    expect(heard().slice(heard().indexOf('\r\n\r\n') + 4)).toBe(
      'retry: 3000\n\nid: 1\nevent: prices\ndata: {"n":1}\n\nid: 2\nevent: prices\ndata: {"n":2}\n\n',
    );
  });

  test('a silent stream is kept alive with comments', async () => {
    await serveHub({ heartbeatMs: 20 });
    const [plain, zipped] = [await read(), await read({ 'accept-encoding': 'gzip' })];
    for (const reader of [plain, zipped]) {
      await expect.poll(() => reader.text().split(':\n\n').length).toBeGreaterThan(3);
      expect(reader.messages()).toEqual([]);
    }
  });

  test('closes its connection: a proxy sends nothing more along it', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await serveHub({}, { userId: 1, sessionId: 2 });
    const ask = () =>
      new Promise<IncomingMessage>((resolve, reject) => get(url, { agent }, resolve).once('error', reject));
    const first = await ask();
    await expect.poll(() => hub.clients()).toBe(1);
    hub.closeStreams(1, 'all');
    for await (const part of first) expect(part.length).toBeGreaterThan(0);
    const next = await ask();
    expect(next.statusCode).toBe(200);
    next.destroy();
    agent.destroy();
  });

  test('is removed on disconnect', async () => {
    await serveHub();
    const [one, two] = [await read(), await read({ 'accept-encoding': 'gzip' })];
    one.close();
    await expect.poll(() => hub.clients()).toBe(1);
    await deliver(1);
    await expect.poll(() => two.ids()).toEqual([1]);
    two.close();
    await expect.poll(() => hub.clients()).toBe(0);
  });
});

describe('a reconnecting reader', () => {
  test.each([{}, { 'accept-encoding': 'gzip' }])('gets what it missed, then continues on %o', async (headers) => {
    await serveHub();
    await deliver(1, 2, 3, 4);
    const reader = await read({ ...headers, 'last-event-id': '2' });
    await deliver(5);
    await expect.poll(() => reader.ids()).toEqual([3, 4, 5]);
  });

  test.each([
    ['its id is older than the ring', '2', [8, 9, 10], 'reset'],
    ['its id is of another installation', '999', [8, 9, 10], 'reset'],
    ['its id is no number', 'abc', [8, 9, 10], 'reset'],
    ['its id is just before the ring', '7', [8, 9, 10], null],
    ['it missed nothing', '10', [8, 9, 10], null],
    ['nothing was ever sent', '0', [], null],
  ])('reloads everything only when it must: %s', async (_what, lastId, kept, first) => {
    await serveHub({ keepFrames: 3 });
    if (kept.length > 0) await deliver(1, 2, 3, 4, 5, 6, 7, ...kept);
    const reader = await read({ 'last-event-id': lastId });
    await deliver(11);
    await expect.poll(() => reader.ids().at(-1)).toBe(11);
    const [opening] = reader.messages();
    if (first) expect(opening).toEqual({ id: '10', event: 'reset', data: '{}' });
    else expect(reader.ids()).toEqual([...kept.filter((id) => id > Number(lastId)), 11]);
  });

  test('loses no frame that arrives during the reload notice', async () => {
    await serveHub({ keepFrames: 50 });
    await deliver(101);
    server.once('request', () => void deliver(102, 103, 104));
    const reader = await read({ 'last-event-id': '1' });
    await deliver(105);
    await expect.poll(() => reader.ids()).toEqual([101, 102, 103, 104, 105]);
    expect(reader.messages()[0]?.event).toBe('reset');
  });

  test('every reader is notified to reload when frames were lost', async () => {
    await serveHub();
    const reader = await read();
    await deliver(4);
    await hub.reset(4);
    await expect.poll(() => reader.messages().at(-1)).toEqual({ id: '4', event: 'reset', data: '{}' });
  });
});

describe('a reader that stops reading', () => {
  const BODY = 'x'.repeat(200_000);

  test('is disconnected, and the others get everything', async () => {
    await serveHub({ maxBacklogBytes: 100_000 });
    const { socket } = speak('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.pause();
    await expect.poll(() => hub.clients()).toBe(1);
    const reader = await read();
    const sent: number[] = [];
    await expect
      .poll(
        async () => {
          sent.push(sent.length + 1);
          await hub.deliver(frame(sent.length, 'prices', BODY));
          await expect.poll(() => reader.ids().length).toBe(sent.length);
          return hub.clients();
        },
        { timeout: 20_000, interval: 1 },
      )
      .toBe(1);
    expect(reader.ids()).toEqual(sent);
  });

  test('does not delay server shutdown', async () => {
    await serveHub({ maxBacklogBytes: 1 << 30 });
    const { socket } = speak('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.pause();
    await expect.poll(() => hub.clients()).toBe(1);
    for (let id = 1; id <= 60; id++) await hub.deliver(frame(id, 'prices', BODY));
    const stopped = new Promise((resolve) => server.close(resolve));
    hub.close();
    await expect(stopped).resolves.toBeUndefined();
  }, 10_000);
});

describe('shutdown', () => {
  test('ends each response, and a later frame leaves no reader hanging', async () => {
    await serveHub();
    const reader = await read();
    const stopped = new Promise((resolve) => server.close(resolve));
    const last = hub.deliver(frame(1));
    hub.close();
    await expect(stopped).resolves.toBeUndefined();
    await last;
    await hub.deliver(frame(2));
    expect([reader.response.complete, hub.clients()]).toEqual([true, 0]);
  });

  test('includes a reader that is just connecting', async () => {
    await serveHub();
    server.once('request', () => hub.close());
    readers.push(await openReader(url));
    await expect.poll(() => readers[0]?.ended()).toBe(true);
    expect(hub.clients()).toBe(0);
  });
});
