import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { COMPILED } from './compiled.ts';

/** As `npm start` runs it. */
const MAIN_MODULE = 'dist/process/main.js';

/** The product as run by an operator: its own process, its own database, the sandbox as its providers. */
export type RunningProduct = {
  url: string;
  pid: number;
  dataDir: string;
  /** Activates a fault of the sandbox; `clear` ends them all. */
  setFault: (rule: Record<string, unknown>) => Promise<void>;
  clearFaults: () => Promise<void>;
  /** Runs one job manually next to the product, with its database and sandbox. */
  job: (name: string) => Promise<void>;
  output: () => string;
  stop: () => Promise<void>;
};

export type RunningOptions = { env?: Record<string, string>; dataDir?: string; mode?: 'live' | 'demo' | 'auto' };

async function waitForOutput(
  child: ChildProcess,
  pattern: RegExp,
  label: string,
): Promise<{ text: () => string; match: RegExpExecArray }> {
  let text = '';
  return new Promise((resolve, reject) => {
    const onOutput = (part: Buffer) => {
      text += part.toString();
      const match = pattern.exec(text);
      if (match) resolve({ text: () => text, match });
    };
    child.stdout?.on('data', onOutput);
    child.stderr?.on('data', onOutput);
    child.once('exit', (code) => reject(new Error(`${label} ended with ${code}: ${text}`)));
  });
}

async function terminate(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function callControl(origin: string, method: string, path: string, body?: unknown): Promise<void> {
  const response = await fetch(`${origin}/__sandbox/${path}`, {
    method,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`The sandbox answered ${response.status}: ${await response.text()}`);
}

async function runJob(name: string, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [MAIN_MODULE, 'job', name], { env });
  await waitForOutput(child, /: done\n/, `The job ${name}`);
  await terminate(child);
}

export async function startProductProcess({
  env = {},
  dataDir,
  mode = 'live',
}: RunningOptions = {}): Promise<RunningProduct> {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'meridian-'));
  const sandbox = spawn(process.execPath, ['scripts/sandbox.ts'], {
    env: { ...process.env, ...COMPILED, SANDBOX_PORT: '0' },
  });
  const sandboxOutput = await waitForOutput(sandbox, /OKX_WS_URL=\S+/, 'The sandbox');
  await new Promise((resolve) => setTimeout(resolve, 50));
  const urls = Object.fromEntries(
    [...sandboxOutput.text().matchAll(/^(\w+_URL)=(\S+)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  const origin = new URL(urls['COINGECKO_BASE_URL'] ?? '').origin;
  const productEnv = {
    ...process.env,
    ...COMPILED,
    ...urls,
    DATA_MODE: mode,
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'warn',
    ...env,
  };
  const product = spawn(process.execPath, [MAIN_MODULE], { env: productEnv });
  const started = await waitForOutput(product, /address\s+(http:\S+)[\s\S]*database[^\n]*\n/, 'The product').catch(
    async (error: unknown) => {
      await terminate(sandbox);
      throw error;
    },
  );
  return {
    url: started.match[1] ?? '',
    pid: product.pid ?? 0,
    dataDir: folder,
    setFault: (rule) => callControl(origin, 'POST', 'faults', rule),
    clearFaults: () => callControl(origin, 'DELETE', 'faults'),
    job: (name) => runJob(name, productEnv),
    output: started.text,
    async stop() {
      await terminate(product);
      await terminate(sandbox);
      if (!dataDir) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A product that is already running, as started by `npm run cluster -- COMMAND`: BASE_URL is its address,
 * DEMO_MARKET_URL its sandbox.
 */
export function attachToProduct(url: string): RunningProduct {
  const { DATA_DIR: dataDir = '', DEMO_MARKET_URL: controlUrl = '' } = process.env;
  return {
    url,
    pid: 0,
    dataDir,
    setFault: (rule) => callControl(controlUrl, 'POST', 'faults', rule),
    clearFaults: () => callControl(controlUrl, 'DELETE', 'faults'),
    job: (name) => runJob(name, { ...process.env, ...COMPILED }),
    output: () => '',
    stop: async () => undefined,
  };
}

/** Waits until the page shows the first collection. */
export async function waitForCollection(url: string, limitMs = 120_000): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline) {
    const response = await fetch(`${url}/api/dashboard`).catch(() => null);
    const body = response?.ok ? ((await response.json()) as { cryptoPrices: unknown[] }) : null;
    // The page is rendered after the response it shows.
    const page = body && body.cryptoPrices.length > 0 ? await fetch(`${url}/app`).catch(() => null) : null;
    if ((await page?.text())?.includes('data-coin')) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('No collection within the limit');
}
