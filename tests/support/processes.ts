import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { makeScratchFolder } from '#kernel/postgres/fixtures/scratch.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';
import { COMPILED } from './compiled.ts';

/** A process from the operator's view: its output, and how it ends. */
export type ChildHandle = {
  pid: number;
  output: () => string;
  /** Resolves with the exit code, or the name of the signal that ended it. */
  ended: Promise<number | string>;
  isRunning: () => boolean;
  kill: (signal: NodeJS.Signals) => void;
  /** The first match in its output; rejects when it ends first, or on timeout. */
  waitForOutput: (pattern: RegExp, limitMs?: number) => Promise<RegExpExecArray>;
};

/** The sandbox of a suite, and a new data folder for every test. */
export let sandbox: Sandbox;
export let dataDir: string;
let folder: string;
const children = new Set<{ child: ChildProcess; ended: Promise<unknown> }>();

/** Steps that run after the test, when its processes have ended and its folder still exists. */
export const cleanUps: (() => void)[] = [];

/** Everything a test started is stopped after it. */
export function useProcesses(): void {
  vi.setConfig({ testTimeout: 240_000 });
  beforeAll(async () => {
    sandbox = await startSandbox({ seed: 7 });
  });
  afterAll(async () => {
    vi.resetConfig();
    await sandbox.close();
  });
  beforeEach(() => {
    folder = makeScratchFolder();
    dataDir = `${folder}/data`;
  });
  afterEach(async () => {
    sandbox.faults.clear();
    for (const { child, ended } of children) {
      child.kill('SIGKILL');
      await ended;
    }
    children.clear();
    await waitUntil(5000, () => processesOf(folder).length === 0).catch(() => undefined);
    for (const pid of processesOf(folder)) process.kill(pid, 'SIGKILL');
    for (const step of cleanUps.splice(0).toReversed()) step();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** Runs `node ARGS` with nothing of this process's environment except the path. */
export function run(args: string[], env: Record<string, string> = {}): ChildHandle {
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
      ...sandbox.urls,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (output += part));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  children.add({ child, ended });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    pid: child.pid ?? 0,
    output: () => output,
    ended,
    isRunning,
    kill: (signal) => child.kill(signal),
    async waitForOutput(pattern, limitMs = 60_000) {
      await waitUntil(limitMs, () => pattern.test(output) || !isRunning()).catch(() => undefined);
      const match = pattern.exec(output);
      if (!match) throw new Error(`${pattern} was not printed, but: ${output}`);
      return match;
    },
  };
}

export const spawnProduct = (env: Record<string, string> = {}): ChildHandle => run(['src/app/server/main.ts'], env);

/** Starts the product and waits until it serves. */
export async function startAndServe(env: Record<string, string> = {}): Promise<ChildHandle & { url: string }> {
  const product = spawnProduct(env);
  const [, url = ''] = await product.waitForOutput(/address\s+(http:\S+)[\s\S]*database[^\n]*\n/);
  return { ...product, url };
}

/** Waits for the end of a process, within a limit. */
export async function waitForExit(spawned: ChildHandle, limitMs: number): Promise<number | string> {
  const timeout = sleep(limitMs, undefined, { ref: false }).then(() => {
    throw new Error(`Still running after ${limitMs} ms: ${spawned.output()}`);
  });
  return Promise.race([spawned.ended, timeout]);
}

/** Polls until the result is true; an exception counts as false. */
export async function waitUntil(limitMs: number, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + limitMs;
  let lastError: unknown;
  while (performance.now() < deadline) {
    try {
      if (await condition()) return;
    } catch (error) {
      lastError = error;
    }
    await sleep(50);
  }
  throw new Error(`Not within ${limitMs} ms`, { cause: lastError });
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

export const fetchDashboard = (url: string): Promise<Dashboard> => get(`${url}/api/dashboard`);
export const fetchHealth = (url: string): Promise<Health> => get(`${url}/api/health`);

export async function waitForCollection(url: string, limitMs = 60_000): Promise<Dashboard> {
  let dashboard: Dashboard | undefined;
  await waitUntil(limitMs, async () => {
    dashboard = await fetchDashboard(url);
    return dashboard.cryptoPrices.length > 0;
  });
  return dashboard as Dashboard;
}

function readProc<T>(read: () => T, fallback: T): T {
  try {
    return read();
  } catch {
    return fallback;
  }
}

/** Every PostgreSQL process that uses the folder, including its shell and initdb. */
export function processesOf(target: string): number[] {
  if (!existsSync('/proc/self')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      const command = readProc(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '');
      const workingDirectory = readProc(() => readlinkSync(`/proc/${pid}/cwd`), '');
      return command.includes(target) || workingDirectory.startsWith(target);
    })
    .map(Number);
}

export const serverPid = (): number =>
  Number(readFileSync(`${dataDir}/postgres/cluster/postmaster.pid`, 'utf8').split('\n')[0]);
