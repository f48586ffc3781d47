import { Agent, request } from 'node:http';

import { sleep } from './browser.ts';

const PROBE_EVERY_MS = 3;

const agent = new Agent({ keepAlive: true });

/** Closes the keep-alive connections. */
export const hangUp = (): void => agent.destroy();

function statusOf(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const target = { host: '127.0.0.1', port, path: '/api/dashboard', headers: { 'accept-encoding': 'br' }, agent };
    const call = request(target, (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)));
    call.on('error', reject);
    call.end();
  });
}

/** The 99th percentile of dashboard response times, requested one by one. */
export async function p99(port: number, ms: number): Promise<number> {
  const taken: number[] = [];
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const began = performance.now();
    const status = await statusOf(port);
    if (status !== 200) throw new Error(`The dashboard answered ${status}`);
    taken.push(performance.now() - began);
    await sleep(PROBE_EVERY_MS);
  }
  return taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.99)] ?? Number.NaN;
}
