import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import {
  type ChildHandle,
  dataDir,
  get,
  run,
  startAndServe,
  useProcesses,
  waitForExit,
} from '#tests/support/processes.ts';

useProcesses();

const PERSON = { email: 'ann@people.example', password: 'Three-Rivers-29!' };

async function command(...args: string[]): Promise<{ code: unknown; said: string }> {
  const running = run(['src/app/server/main.ts', ...args]);
  return { code: await waitForExit(running, 120_000), said: running.output() };
}

async function ended(product: ChildHandle): Promise<void> {
  product.kill('SIGTERM');
  expect(await waitForExit(product, 60_000)).toBe(0);
}

async function post(url: string): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(PERSON);
  return (await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(30_000) })).status;
}

const keyIn = (said: string) => /The secret key of this database is now ([0-9a-f]{16})\./.exec(said)?.[1];

test('a backup from before a secret key rotation is restored with the previous key and re-encrypted', async () => {
  const product = await startAndServe();
  expect(await post(`${product.url}/api/auth/register`)).toBe(200);
  const backups = join(dirname(dataDir), 'backups');
  expect((await command('backup', '--to', backups)).code).toBe(0);
  const [backup = ''] = readdirSync(backups).map((name) => join(backups, name));
  const rotated = await command('secrets:rotate');
  expect(rotated.code, rotated.said).toBe(0);
  await ended(product);

  const restored = await command('restore', '--from', backup, '--replace');
  expect(restored.said).toMatch(/^restored {2}database meridian on bundled PostgreSQL/m);
  expect(restored.code).toBe(0);
  const withKey = await command('backup', '--to', join(dirname(dataDir), 'with-key'), '--with-key');
  expect(withKey.said).toContain('included: anyone with this backup can read encrypted values');
  const again = await startAndServe();
  expect(await post(`${again.url}/api/auth/login`)).toBe(200);
  expect(await get(`${again.url}/api/ledger/verify`)).toMatchObject({ faults: [] });
  const anew = await command('secrets:rotate');
  expect(anew.code, anew.said).toBe(0);
  expect(keyIn(anew.said)).toBe(keyIn(rotated.said));
  await ended(again);

  for (const name of readdirSync(dataDir)) if (name.startsWith('secret.key.previous-')) rmSync(join(dataDir, name));
  const refused = await command('restore', '--from', backup, '--replace');
  expect(refused.said).toMatch(
    /^The backup was encrypted with secret key [0-9a-f]{16}, but the configured key is [0-9a-f]{16}\. [^\n]+SECRET_KEY_PREVIOUS[^\n]+\n$/,
  );
  expect(refused.code).toBe(1);
}, 300_000);
