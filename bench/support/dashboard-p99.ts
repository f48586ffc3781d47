import { Agent, request } from 'node:http';

import { sleep } from './browser.ts';

const PROBE_INTERVAL_MS = 3;

const agent = new Agent({ keepAlive: true });

/** Closes the keep-alive connections. */
export const closeConnections = (): void => agent.destroy();

function fetchStatus(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const target = { host: '127.0.0.1', port, path: '/api/dashboard', headers: { 'accept-encoding': 'br' }, agent };
    const outgoing = request(target, (response) =>
      response.resume().on('end', () => resolve(response.statusCode ?? 0)),
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** The 99th percentile of dashboard response times, requested one by one. */
export async function measureP99(port: number, ms: number): Promise<number> {
  const latencies: number[] = [];
  const deadline = performance.now() + ms;
  while (performance.now() < deadline) {
    const startedAt = performance.now();
    const status = await fetchStatus(port);
    if (status !== 200) throw new Error(`The dashboard answered ${status}`);
    latencies.push(performance.now() - startedAt);
    await sleep(PROBE_INTERVAL_MS);
  }
  return latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? Number.NaN;
}
