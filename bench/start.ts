import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

import { startBundledPostgres } from '#kernel/postgres/bundled-postgres.ts';

import { type Benchmark, type Context, median } from './benchmark.ts';
import { sleep } from './support/browser.ts';
import { createTempFolder } from './support/child.ts';

const POLL_MS = 5;
const LIMIT_MS = 60_000;
const READY = /\n {2}database .*\n/;

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

type Reply = { aiAnalysis: { providers: object } | null };
/** The first page, and the page with the analysis, which requires the demo's whole record. */
const UNTIL = {
  page: {
    path: '/app',
    everyMs: 5,
    isThere: async (response: Response) => (await response.arrayBuffer()).byteLength > 0,
  },
  analysis: {
    path: '/api/dashboard',
    everyMs: 250,
    isThere: async (response: Response) =>
      Object.keys(((await response.json()) as Reply).aiAnalysis?.providers ?? {}).length > 0,
  },
} as const;

/**
 * Runs `npm start` on the demo market, so that nothing leaves the machine. Returns ms until the expected page is
 * served.
 */
async function startOnce(dataDir: string, until: keyof typeof UNTIL = 'page'): Promise<number> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, ['scripts/bootstrap.mjs', 'start'], {
    env: { ...process.env, DATA_DIR: dataDir, DATA_MODE: 'demo', PORT: String(port), LOG_LEVEL: 'error', NODE_ENV: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (part: Buffer) => {
    output += part.toString();
  });
  const exited = once(child, 'exit');
  const { path, everyMs, isThere } = UNTIL[until];
  const url = `http://127.0.0.1:${port}${path}`;
  let ms = Number.NaN;
  while (Number.isNaN(ms)) {
    if (child.exitCode !== null) throw new Error(`The start ended with ${child.exitCode}: ${output}`);
    if (performance.now() - began > LIMIT_MS) break;
    const isReady = await fetch(url).then(
      async (response) => response.ok && (await isThere(response)),
      () => false,
    );
    if (isReady) ms = performance.now() - began;
    else await sleep(everyMs);
  }
  // A signal during the start would stop a partly started product.
  while (child.exitCode === null && !READY.test(output) && performance.now() - began < LIMIT_MS) await sleep(POLL_MS);
  child.kill('SIGTERM');
  await exited;
  if (Number.isNaN(ms)) throw new Error(`No answer within ${LIMIT_MS / 1000} s: ${output}`);
  return ms;
}

/** Only the bundled database, with the durability settings of the product. */
async function databaseAlone(dataDir: string): Promise<number> {
  const began = performance.now();
  const server = await startBundledPostgres({ dataDir, log: () => undefined });
  const ms = performance.now() - began;
  await server.stop();
  return ms;
}

/**
 * The budgets are 5 s and 2 s. On a shared machine, seconds are not comparable: creating and starting the bundled
 * database takes about one second on an idle machine, so it is the unit of measure here.
 */
async function run(context: Context): Promise<void> {
  const rounds = context.ci ? 3 : 5;
  const alone: number[] = [];
  const first: number[] = [];
  const second: number[] = [];
  const analysis: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const [ours, bare] = [createTempFolder(context), createTempFolder(context)];
    first.push(await startOnce(ours));
    alone.push(await databaseAlone(bare));
    second.push(await startOnce(ours));
    analysis.push(await startOnce(createTempFolder(context), 'analysis'));
  }
  const emit = (name: string, times: number[], limit: number) => {
    context.emit({
      name,
      n: rounds,
      unit: 'ms',
      subject: median(times),
      baseline: median(alone),
      ratio: median(times.map((ms, round) => ms / (alone[round] ?? Number.NaN))),
      goal: { atMost: limit },
    });
  };
  emit('start.first', first, 5);
  emit('start.second', second, 2);
  emit('start.analysis', analysis, 25);
}

export const start: Benchmark = { names: ['start'], run };
