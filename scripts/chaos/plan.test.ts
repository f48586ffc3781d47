import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { call } from './call.ts';
import { DISRUPTION_KINDS, planDisruptions } from './disruptions.ts';
import { openRelay, type Relay } from './relay.ts';

const describePlan = (seed: number) =>
  planDisruptions(seed, 3, DISRUPTION_KINDS).map(({ atMs, kind, durationMs, random }) => [
    atMs,
    kind,
    durationMs,
    random.integer(1, 1000),
  ]);

test('the same seed plans the same run, a different seed a different one', () => {
  expect(describePlan(5)).toEqual(describePlan(5));
  expect(describePlan(5)).not.toEqual(describePlan(6));
});

test('every fault occurs once before any repeats', () => {
  const kinds = planDisruptions(9, 5, DISRUPTION_KINDS).map(({ kind }) => kind);
  expect(kinds.length).toBeGreaterThan(2 * DISRUPTION_KINDS.length);
  expect(new Set(kinds.slice(0, DISRUPTION_KINDS.length)).size).toBe(DISRUPTION_KINDS.length);
  expect(new Set(kinds.slice(DISRUPTION_KINDS.length, 2 * DISRUPTION_KINDS.length)).size).toBe(DISRUPTION_KINDS.length);
});

test('a run has the requested duration and only the named faults', () => {
  const disruptions = planDisruptions(1, 1, ['cut', 'clock']);
  expect(Math.max(...disruptions.map(({ atMs }) => atMs))).toBeLessThan(60_000);
  expect(new Set(disruptions.map(({ kind }) => kind))).toEqual(new Set(['cut', 'clock']));
});

const servers: Server[] = [];
const sockets = new Set<Socket>();
let relay: Relay;
afterEach(async () => {
  await relay?.close();
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** Responds to every caller with its name. */
async function startInstance(name: string): Promise<number> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${name.length}\r\n\r\n${name}`));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

const requestOnce = async (limitMs = 5000) =>
  (await call(`http://127.0.0.1:${relay.port}`, '/', { limitMs })).body.toString();

test('the balancer rotates and skips unavailable instances', async () => {
  const ports = [await startInstance('one'), await startInstance('two')];
  relay = await openRelay(() => ports);
  const responses = [await requestOnce(), await requestOnce(), await requestOnce(), await requestOnce()];
  expect(responses.filter((name) => name === 'one')).toHaveLength(2);
  servers.shift()?.close();
  expect([await requestOnce(), await requestOnce()]).toEqual(['two', 'two']);
});

test('a disconnected instance receives nothing until it is reconnected', async () => {
  const port = await startInstance('one');
  relay = await openRelay(() => [port]);
  relay.freeze();
  await expect(requestOnce(150)).rejects.toThrow();
  const delayed = requestOnce();
  await new Promise((resolve) => setTimeout(resolve, 100));
  relay.resume();
  expect(await delayed).toBe('one');
});
