import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import {
  type ChildHandle,
  dataDir,
  fetchDashboard,
  get,
  processesOf,
  run,
  sandbox,
  startAndServe,
  useProcesses,
  waitForCollection,
  waitForExit,
  waitUntil,
} from '#tests/support/processes.ts';

useProcesses();

const PASSWORD = 'Three-Rivers-29!';
const MAIN = 'src/app/server/main.ts';

/** The final output of a command, and its exit code. */
async function command(args: string[], env: Record<string, string> = {}): Promise<{ code: unknown; said: string }> {
  const running = run([MAIN, ...args], env);
  return { code: await waitForExit(running, 120_000), said: running.output() };
}

async function ended(product: ChildHandle): Promise<void> {
  product.kill('SIGTERM');
  expect(await waitForExit(product, 60_000)).toBe(0);
}

async function post(url: string, body: object): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  return { status: response.status, body: await response.json() };
}

const signIn = (url: string) => post(`${url}/api/auth/login`, { email: 'ann@people.example', password: PASSWORD });

test('an empty machine matches the old one: backup while it collects, restore, start', async () => {
  const product = await startAndServe();
  await waitForCollection(product.url, 60_000);
  // A later list may end with another coin: both machines show the one in the backup.
  for (const provider of ['coingecko', 'coinpaprika']) sandbox.faults.set({ provider, kind: 'server_error' });
  expect(
    (await post(`${product.url}/api/auth/register`, { email: 'ann@people.example', password: PASSWORD })).status,
  ).toBe(200);
  const backups = join(dirname(dataDir), 'backups');

  const made = await command(['backup', '--to', backups, '--keep', '3']);
  expect(made.said).toMatch(
    /^backup {4}\S+meridian-backup-\S+Z\ncontents {2}live data of \S+Z\nsize {6}[\d,]+ rows in \d+ tables, /,
  );
  expect(made.said).toContain(`not included: keep a copy of ${dataDir}/secret.key elsewhere`);
  expect(made.code).toBe(0);
  const [backup = ''] = readdirSync(backups).map((name) => join(backups, name));
  const prices = (await fetchDashboard(product.url)).cryptoPrices.map(({ symbol }) => symbol);

  const refused = await command(['restore', '--from', backup, '--replace']);
  expect(refused.said).toMatch(/^Another Meridian is already running on DATA_DIR [^\n]+\n$/);
  expect(refused.code).toBe(1);
  const rehearsed = await command(['restore', '--from', backup, '--dry-run']);
  expect(rehearsed.said).toMatch(/^verified {2}[\d,]+ rows in \d+ tables match the backup, \d+ ledger entries/m);
  expect(rehearsed.said).toContain('temporary database dropped; nothing was changed');
  expect(rehearsed.code).toBe(0);
  await ended(product);

  const fresh = join(dirname(dataDir), 'fresh');
  const without = await command(['restore', '--from', backup], { DATA_DIR: fresh });
  expect(without.said).toMatch(
    /^The backup was encrypted with secret key [0-9a-f]{16}, which it does not include\. Restore/,
  );
  expect(without.code).toBe(1);
  expect(existsSync(join(fresh, 'secret.key'))).toBe(false);
  cpSync(join(dataDir, 'secret.key'), join(fresh, 'secret.key'));
  const restored = await command(['restore', '--from', backup], { DATA_DIR: fresh });
  expect(restored.said).toMatch(/^restored {2}database meridian on bundled PostgreSQL/m);
  expect(restored.code).toBe(0);

  const again = await startAndServe({ DATA_DIR: fresh });
  await waitUntil(60_000, async () => (await fetchDashboard(again.url)).cryptoPrices.length === prices.length);
  expect((await fetchDashboard(again.url)).cryptoPrices.map(({ symbol }) => symbol).toSorted()).toEqual(
    prices.toSorted(),
  );
  expect((await signIn(again.url)).status).toBe(200);
  expect(await get(`${again.url}/api/ledger/verify`)).toMatchObject({ faults: [] });
  await ended(again);
  expect((await command(['db:stop'], { DATA_DIR: fresh })).said).toBe('No bundled PostgreSQL is running.\n');
  expect(processesOf(dirname(dataDir))).toEqual([]);
}, 600_000);

test('failures are reported in one sentence, and a killed backup leaves nothing that looks like one', async () => {
  const product = await startAndServe();
  await waitForCollection(product.url, 60_000);
  const backups = join(dirname(dataDir), 'backups');
  const killed = run([MAIN, 'backup', '--to', backups]);
  await waitUntil(60_000, () => existsSync(backups) && readdirSync(backups).length > 0);
  killed.kill('SIGKILL');
  await killed.ended;
  expect(readdirSync(backups).filter((name) => name.startsWith('meridian-backup'))).toEqual([]);
  expect(readdirSync(backups)).toHaveLength(1);

  const made = await command(['backup', '--to', backups, '--with-key']);
  expect(made.code).toBe(0);
  expect(made.said).toContain('included: anyone with this backup can read encrypted values');
  const [name = ''] = readdirSync(backups);
  expect(readdirSync(backups)).toHaveLength(1);
  expect(readFileSync(join(backups, name, 'secret.key'), 'utf8')).toBe(
    readFileSync(join(dataDir, 'secret.key'), 'utf8'),
  );

  for (const [args, words] of [
    [['backup', '--keep', 'none'], /^--keep needs a number of at least 1, not none\./],
    [['move-db', '--to', 'postgres://nobody@127.0.0.1:1/x'], /^Another Meridian is already running on DATA_DIR/],
  ] as const) {
    const { code, said } = await command([...args]);
    expect(said).toMatch(words);
    expect(said.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(1);
  }
  const demo = await command(['restore', '--from', join(backups, name), '--dry-run'], { DATA_MODE: 'demo' });
  expect(demo.said).toBe('The backup contains live data, but DATA_MODE is demo.\n');
  await ended(product);
  const nowhere = await command(['move-db', '--to', 'postgres://nobody@127.0.0.1:1/x']);
  expect([nowhere.code, nowhere.said]).toEqual([
    1,
    expect.stringMatching(/^Cannot connect to the [^\n]*ECONNREFUSED 127\.0\.0\.1:1\.\n$/),
  ]);

  rmSync(dataDir, { recursive: true });
  const restored = await command(['restore', '--from', join(backups, name)]);
  expect(restored.code, restored.said).toBe(0);
  expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe(
    readFileSync(join(backups, name, 'secret.key'), 'utf8'),
  );
  await ended(await startAndServe());
}, 600_000);
