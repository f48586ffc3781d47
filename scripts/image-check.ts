import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { healthCheckPath, lintCompose, lintDockerfile, lintRestarts, lintUnits, readStages } from './image/lint.ts';
import { build, canSimulate, measureSizes, parseArguments, type Running, start } from './image/simulate.ts';

const ROOT = join(import.meta.dirname, '..');
const PORT = process.env['IMAGE_CHECK_PORT'] ?? '23380';
const READY_MS = 90_000;
const STOP_MS = 25_000;
const SECRET_KEY = 'the secret key that the check of the image starts with';
/** Requests of users and proxies to a web process: rendering, data, files, an icon, an unknown page. */
const PATHS: [path: string, status: number][] = [
  ['/', 200],
  ['/app', 200],
  ['/api/dashboard', 200],
  ['/api/health', 200],
  ['/og.png', 200],
  ['/sw.js', 200],
  ['/app/no-such-page', 404],
];

const log = (line: string) => console.log(line);
const fail = (faults: string[]) => {
  for (const fault of faults) console.error(`FAIL ${fault}`);
  if (faults.length > 0) process.exit(1);
};

/** A check by an external program; if it is missing, prints that, and fails where all programs are required. */
function runCheck(program: string, args: string[]): void {
  const { error, status, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
  if (error) {
    log(`not checked: there is no ${program} here`);
    if (process.env['CI'] === 'true') process.exit(1);
  } else if (status !== 0) fail([`${program} ${args.join(' ')}: ${stderr}`]);
  else log(`ok   ${program} ${args.join(' ')}`);
}

/** Debian's PostgreSQL is the external database: the script runs again inside its wrapper. */
function rerunWithDatabase(): never {
  const env = { ...process.env, TEST_POSTGRES_PORT: process.env['TEST_POSTGRES_PORT'] ?? '23381' };
  const args = [join(ROOT, 'scripts/on-debian-postgresql.sh'), process.execPath, import.meta.filename];
  process.exit(spawnSync('bash', args, { cwd: ROOT, env, stdio: 'inherit' }).status ?? 1);
}

async function waitUntilServing(product: Running): Promise<void> {
  const deadline = performance.now() + READY_MS;
  while (performance.now() < deadline) {
    const done = await Promise.race([product.ended, sleep(200)]);
    if (done !== undefined) throw new Error(`The product exited with ${done}:\n${product.output()}`);
    const response = await fetch(`http://127.0.0.1:${PORT}/api/dashboard`).catch(() => undefined);
    if (response?.ok && ((await response.json()) as { cryptoPrices: unknown[] }).cryptoPrices.length > 0) return;
  }
  throw new Error(`No prices within ${READY_MS / 1000} s:\n${product.output()}`);
}

async function checkResponses(): Promise<string[]> {
  const faults: string[] = [];
  for (const [path, status] of PATHS) {
    const response = await fetch(`http://127.0.0.1:${PORT}${path}`);
    const { byteLength } = new Uint8Array(await response.arrayBuffer());
    log(`  GET ${path}: ${response.status}, ${byteLength} B`);
    if (response.status !== status || byteLength === 0)
      faults.push(`${path} answered ${response.status}, not ${status}`);
  }
  return faults;
}

async function simulate(databaseUrl: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-image-'));
  const stages = readStages(ROOT);
  const steps = stages.at(-1)?.steps ?? [];
  const command = (name: string) =>
    (parseArguments(steps.findLast((step) => step.name === name)?.value ?? '') ?? [])
      .map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
      .join(' ');
  let product: Running | undefined;
  try {
    const image = await build(stages, { root: ROOT, folder, log });
    const sizes = measureSizes(image);
    log(
      `size: ${Object.entries(sizes)
        .map(([name, mb]) => `${name} ${mb} MB`)
        .join(', ')}, and the base image`,
    );
    const env = { DATABASE_URL: databaseUrl, SECRET_KEY, PORT, HOST: '127.0.0.1', DATA_MODE: 'demo' };
    const shortDemo = { DEMO_RECORD_DAYS: '1', METRIC_PAST_DAYS: '3', LOG_LEVEL: 'warn' };
    const volumes = ['/data', '/exports'];
    product = start(image, `exec ${command('CMD')}`, {
      readOnly: true,
      volumes,
      env: { ...env, ...shortDemo },
    });
    await waitUntilServing(product);
    const faults = await checkResponses();
    const healthCheck = start(image, command('HEALTHCHECK'), { readOnly: true, env: { PORT } });
    const healthCode = await healthCheck.ended;
    if (healthCode !== 0) faults.push(`HEALTHCHECK (${healthCheckPath(stages)}) ended with ${healthCode}`);
    const writeAttempt = start(image, 'touch /app/x /x', { readOnly: true });
    if ((await writeAttempt.ended) === 0) faults.push('The file system can be written to');
    product.stop();
    const code = await Promise.race([product.ended, sleep(STOP_MS, 'nothing, it still runs')]);
    if (code !== 0) faults.push(`STOPSIGNAL: it ended with ${code}:\n${product.output()}`);
    const healthAfterStop = start(image, command('HEALTHCHECK'), { readOnly: true, env: { PORT } });
    if ((await healthAfterStop.ended) === 0) faults.push('HEALTHCHECK is content with a product that has ended');
    return faults;
  } finally {
    product?.stop();
    await product?.ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

fail([...lintDockerfile(ROOT), ...lintCompose(ROOT), ...lintUnits(ROOT), ...lintRestarts(ROOT)]);
const databaseUrl = process.env['TEST_DATABASE_URL'];
if (canSimulate() && !databaseUrl) rerunWithDatabase();
log('ok   Dockerfile, .dockerignore, compose.yaml, units');
runCheck('caddy', ['validate', '--config', 'ops/caddy/Caddyfile', '--adapter', 'caddyfile']);
runCheck('systemd-analyze', [
  'verify',
  'ops/systemd/meridian.service',
  'ops/systemd/meridian-web@.service',
  'ops/systemd/meridian-worker@.service',
  'ops/systemd/meridian.target',
  'ops/systemd/meridian-backup.service',
  'ops/systemd/meridian-backup.timer',
]);
if (!databaseUrl || !canSimulate()) {
  log('not run: the steps of the Dockerfile need root and mounts');
  process.exit(process.env['CI'] === 'true' ? 1 : 0);
}
fail(await simulate(databaseUrl));
log('ok   built by the steps of the Dockerfile, run as an unprivileged user on a read-only file system');
