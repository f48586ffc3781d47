import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';

import { type Sandbox, type SandboxOptions, startSandbox } from './sandbox.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 3, 27);

const running: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((sandbox) => sandbox.close()));
});

async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ seed: 7, ...options });
  running.push(sandbox);
  return sandbox;
}

const lastOf = async ({ urls }: Sandbox): Promise<string> => {
  const response = await fetch(`${urls['OKX_BASE_URL']}/api/v5/market/ticker?instId=BTC-USDT`);
  return ((await response.json()) as { data: { last: string }[] }).data[0]?.last ?? '';
};

const bodyOf = async ({ urls }: Sandbox) =>
  (await fetch(`${urls['COINGECKO_BASE_URL']}/coins/markets?vs_currency=usd&sparkline=true`)).text();

const send = (sandbox: Sandbox, method: string, path: string, body?: unknown) =>
  fetch(`${sandbox.origin}/__sandbox${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

test('two sandboxes with the same seed and time return identical bytes', async () => {
  const [one, two] = [await start({ now: NOW }), await start({ now: NOW })];
  await lastOf(one);
  expect(await bodyOf(one)).toBe(await bodyOf(two));
});

describe('the control API', () => {
  test('sets the clock', async () => {
    const sandbox = await start();
    expect(await (await send(sandbox, 'POST', '/clock', { set: NOW })).json()).toEqual({ now: NOW });
    expect(await (await send(sandbox, 'POST', '/clock', { advance: 5 })).json()).toEqual({ now: NOW + 5 });
    expect(sandbox.clock.now()).toBe(NOW + 5);
  });

  test.each([
    ['POST', '/faults', { provider: 'nobody', kind: 'slow' }, 400],
    ['POST', '/faults', { provider: 'okx', kind: 'earthquake' }, 400],
    ['POST', '/clock', {}, 400],
    ['GET', '/nothing', undefined, 404],
  ])('rejects %s %s with %o', async (method, path, body, status) => {
    expect((await send(await start(), method, path, body)).status).toBe(status);
  });
});

test('closes immediately, even with a hanging request and an open feed', async () => {
  const sandbox = await startSandbox({ seed: 7 });
  sandbox.faults.set({ provider: 'coingecko', kind: 'timeout' });
  const hanging = expect(fetch(`${sandbox.urls['COINGECKO_BASE_URL']}/ping`)).rejects.toThrow();
  const socket = new WebSocket(`${sandbox.urls['OKX_WS_URL']}/public`);
  await once(socket, 'open');
  const start = performance.now();
  await sandbox.close();
  expect(performance.now() - start).toBeLessThan(500);
  await hanging;
});

test('rejects a port in use', async () => {
  const { origin } = await start();
  await expect(startSandbox({ port: Number(new URL(origin).port) })).rejects.toThrow('EADDRINUSE');
});

test('runs in a worker thread until instructed to close', async () => {
  const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: { seed: 7 } });
  const [message] = (await once(worker, 'message')) as [{ urls: Record<string, string> }];
  expect((await fetch(`${message.urls['COINGECKO_BASE_URL']}/ping`)).status).toBe(200);
  const exit = once(worker, 'exit');
  worker.postMessage('close', []);
  expect(await exit).toEqual([0]);
});
