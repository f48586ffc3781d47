import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSandbox } from '#sandbox/sandbox.ts';

import { startCluster } from '#tests/support/cluster/processes.ts';

/**
 * Two web processes and two workers of a demo behind one address, until stopped or until the command after `--` ends.
 */
const SEED = 7;
const [, , ...args] = process.argv;
const command = args[0] === '--' ? args.slice(1) : args;
const minutes = Number(process.env['CLUSTER_MINUTES'] ?? 60);
const port = Number(process.env['PORT'] ?? (command.length > 0 ? 0 : 3000));
const database = process.env['DATABASE_URL'] ?? process.env['TEST_DATABASE_URL'];

if (database === undefined) {
  // Debian's PostgreSQL, while this runs.
  const rerunArgs = ['scripts/on-debian-postgresql.sh', process.execPath, 'scripts/cluster.ts', ...args];
  process.exit(spawnSync('bash', rerunArgs, { stdio: 'inherit' }).status ?? 1);
}

const folder = mkdtempSync(join(tmpdir(), 'meridian-cluster-'));
const sandbox = await startSandbox({ seed: SEED, port: 0 });
const env = {
  ...process.env,
  DATABASE_URL: database,
  DATA_MODE: 'demo',
  DEMO_SEED: String(SEED),
  DEMO_MARKET_URL: sandbox.origin,
  DEMO_RECORD_DAYS: process.env['DEMO_RECORD_DAYS'] ?? '20',
  METRIC_PAST_DAYS: process.env['METRIC_PAST_DAYS'] ?? '100',
  SECRET_KEY: process.env['SECRET_KEY'] ?? randomBytes(32).toString('hex'),
  DATA_DIR: folder,
  EXPORTS_DIR: join(folder, 'exports'),
  // Tests set the network of their requests themselves.
  TRUST_PROXY: command.length > 0 ? '2' : '1',
};
const abortController = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => abortController.abort());
const stopRequested = new Promise<void>((resolve) => abortController.signal.addEventListener('abort', () => resolve()));
const timeLimit = setTimeout(() => abortController.abort(), minutes * 60_000);

let status = 0;
try {
  const cluster = await startCluster({ env, port });
  console.log(`\n  address   ${cluster.url}, for ${minutes} minutes (CLUSTER_MINUTES)`);
  for (const { role, pid, url } of [...cluster.webs, ...cluster.workers])
    console.log(`  ${role.padEnd(8)}  ${pid} ${url}`);
  try {
    const [program, ...rest] = command;
    if (program === undefined) await stopRequested;
    else {
      const child = spawn(program, rest, { stdio: 'inherit', env: { ...env, BASE_URL: cluster.url } });
      void stopRequested.then(() => child.kill('SIGTERM'));
      const [code] = (await once(child, 'exit')) as [number | null];
      status = code ?? 1;
    }
  } finally {
    await cluster.stop();
  }
} finally {
  clearTimeout(timeLimit);
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(status);
