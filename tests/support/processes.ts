import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { makeScratchFolder } from '#kernel/postgres/fixtures/scratch.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';
import { COMPILED } from './compiled.ts';

/** A process from the operator's view: its output, and how it ends. */
export type Spawned = {
  pid: number;
  output: () => string;
  /** Resolves with the exit code, or the name of the signal that ended it. */
  ended: Promise<number | string>;
  isRunning: () => boolean;
  kill: (signal: NodeJS.Signals) => void;
  /** The first match in its output; rejects when it ends first, or on timeout. */
  prints: (pattern: RegExp, limitMs?: number) => Promise<RegExpExecArray>;
};

/** The sandbox of a suite, and a new data folder for every test. */
export let world: Sandbox;
export let dataDir: string;
let folder: string;
const children = new Set<{ child: ChildProcess; ended: Promise<unknown> }>();

/** Steps that run after the test, when its processes have ended and its folder still exists. */
export const cleanUps: (() => void)[] = [];

/** Everything a test started is stopped after it. */
export function useProcesses(): void {
  vi.setConfig({ testTimeout: 240_000 });
  beforeAll(async () => {
    world = await startSandbox({ seed: 7 });
  });
  afterAll(async () => {
    vi.resetConfig();
    await world.close();
  });
  beforeEach(() => {
    folder = makeScratchFolder();
    dataDir = `${folder}/data`;
  });
  afterEach(async () => {
    world.faults.clear();
    for (const { child, ended } of children) {
      child.kill('SIGKILL');
      await ended;
    }
    children.clear();
    await within(5000, () => processesOf(folder).length === 0).catch(() => undefined);
    for (const pid of processesOf(folder)) process.kill(pid, 'SIGKILL');
    for (const step of cleanUps.splice(0).toReversed()) step();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** Runs `node ARGS` with nothing of this process's environment except the path. */
export function run(args: string[], env: Record<string, string> = {}): Spawned {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, args, {
    env: {
      PATH,
      HOME,
      ...COMPILED,
      DATA_DIR: dataDir,
      DATA_MODE: 'live',
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...world.urls,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (text += part));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  children.add({ child, ended });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    pid: child.pid ?? 0,
    output: () => text,
    ended,
    isRunning,
    kill: (signal) => child.kill(signal),
    async prints(pattern, limitMs = 60_000) {
      await within(limitMs, () => pattern.test(text) || !isRunning()).catch(() => undefined);
      const match = pattern.exec(text);
      if (!match) throw new Error(`${pattern} was not printed, but: ${text}`);
      return match;
    },
  };
}

export const runProduct = (env: Record<string, string> = {}): Spawned => run(['src/app/server/main.ts'], env);

/** Starts the product and waits until it serves. */
export async function serve(env: Record<string, string> = {}): Promise<Spawned & { url: string }> {
  const product = runProduct(env);
  const [, url = ''] = await product.prints(/address\s+(http:\S+)[\s\S]*database[^\n]*\n/);
  return { ...product, url };
}

/** Waits for the end of a process, within a limit. */
export async function endOf(spawned: Spawned, limitMs: number): Promise<number | string> {
  const late = sleep(limitMs, undefined, { ref: false }).then(() => {
    throw new Error(`Still running after ${limitMs} ms: ${spawned.output()}`);
  });
  return Promise.race([spawned.ended, late]);
}

/** Polls until the result is true; an exception counts as false. */
export async function within(limitMs: number, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + limitMs;
  let last: unknown;
  while (performance.now() < end) {
    try {
      if (await isSo()) return;
    } catch (error) {
      last = error;
    }
    await sleep(50);
  }
  throw new Error(`Not within ${limitMs} ms`, { cause: last });
}

export type Coin = {
  symbol: string;
  price: number;
  meta: { source: string; observedAt: string };
  listing: { observedAt: string };
};
export type Dashboard = { timestamp: string; lastCollectionTime: string | null; cryptoPrices: Coin[] };
export type Health = {
  status: string;
  role: string;
  database: { version: string; writable: boolean; note: string | null };
};

export async function get<T>(url: string): Promise<T> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
  expect(response.status, url).toBe(200);
  return (await response.json()) as T;
}

export const dashboardOf = (url: string): Promise<Dashboard> => get(`${url}/api/dashboard`);
export const healthOf = (url: string): Promise<Health> => get(`${url}/api/health`);

export async function untilCollected(url: string, limitMs = 60_000): Promise<Dashboard> {
  let seen: Dashboard | undefined;
  await within(limitMs, async () => {
    seen = await dashboardOf(url);
    return seen.cryptoPrices.length > 0;
  });
  return seen as Dashboard;
}

function readProc<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** Every PostgreSQL process that uses the folder, including its shell and initdb. */
export function processesOf(where: string): number[] {
  if (!existsSync('/proc/self')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      const command = readProc(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '');
      const place = readProc(() => readlinkSync(`/proc/${pid}/cwd`), '');
      return command.includes(where) || place.startsWith(where);
    })
    .map(Number);
}

export const serverPid = (): number =>
  Number(readFileSync(`${dataDir}/postgres/cluster/postmaster.pid`, 'utf8').split('\n')[0]);
