import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';

import { createSourceClient, type SourceClient, type SourceOptions } from './http-client.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
let server: WebSocketServer | undefined;
afterEach(() => {
  for (const socket of server?.clients ?? []) socket.terminate();
  server?.close();
});

type Asked = { id: number; command: string };
const answer = z.object({ id: z.number(), result: z.string() });

/** A ledger with a custom handler for each message. */
async function source(
  handle: (socket: WebSocket, asked: Asked) => void,
  options: Partial<SourceOptions> = {},
): Promise<SourceClient> {
  const opened = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server = opened;
  opened.on('connection', (socket) => {
    socket.send(JSON.stringify({ type: 'welcome' }));
    socket.on('message', (data) => handle(socket, JSON.parse((data as Buffer).toString()) as Asked));
  });
  await new Promise((resolve) => opened.once('listening', resolve));
  const baseUrl = `ws://127.0.0.1:${(opened.address() as AddressInfo).port}`;
  return createSourceClient(
    { name: 'Ledger', baseUrl, perMinute: 6000, burst: 10, retries: 0, timeoutMs: 1000, ...options },
    () => NOW,
  );
}

const say = (socket: WebSocket, message: unknown) => socket.send(JSON.stringify(message));

test('a list of requests is answered in its own order, whatever the response order', async () => {
  const waiting: Asked[] = [];
  const client = await source((socket, asked) => {
    waiting.unshift(asked);
    if (waiting.length === 3) for (const { id, command } of waiting) say(socket, { id, result: command });
  });
  const asked = ['a', 'b', 'c'].map((command, id) => ({ id, command }));
  const { data } = await client.post('', asked, z.array(answer));
  expect(data.map(({ result }) => result)).toEqual(['a', 'b', 'c']);
});

test.each<[string, string, (socket: WebSocket) => void]>([
  ['silence', 'timeout', () => undefined],
  ['a connection that is closed', 'network', (socket) => socket.close()],
  ['a connection that is cut', 'network', (socket) => socket.terminate()],
  ['something that is not JSON', 'body', (socket) => socket.send('<html>')],
  ['an answer of another shape', 'body', (socket) => say(socket, { id: 1, result: 5 })],
  ['an error to nothing in particular', 'rate_limited', (socket) => say(socket, { error: 'slowDown' })],
])('%s is a failure: %s', async (_what, kind, handle) => {
  const refusal = (body: unknown) => ((body as { error?: string }).error === 'slowDown' ? 'rate_limited' : null);
  const client = await source(handle, { parseError: refusal });
  await expect(client.post('', { id: 1, command: 'ping' }, answer)).rejects.toMatchObject({ kind });
});

test('no listener, and a canceled call', async () => {
  const client = await source(() => undefined);
  const stopping = new AbortController();
  const call = client.post('', { id: 1, command: 'ping' }, answer, { signal: stopping.signal });
  setTimeout(() => stopping.abort(), 50);
  await expect(call).rejects.toMatchObject({ kind: 'cancelled' });
  await new Promise((resolve) => server?.close(resolve));
  await expect(client.post('', { id: 1, command: 'ping' }, answer)).rejects.toMatchObject({ kind: 'network' });
});
