import { readdirSync, readFileSync, statSync } from 'node:fs';

import pg from 'pg';
import { expect, test } from 'vitest';

import { findBundledPostgres } from '#kernel/postgres/bundled-postgres.ts';
import { dataDir, run, startAndServe, useProcesses, waitForExit } from '#tests/support/processes.ts';

useProcesses();

const PERSON = { email: 'ann@example.com', password: 'a password of some length 1' };
const MAILS = 3000;

const rotate = () => run(['src/app/server/main.ts', 'secrets:rotate']);
const keyFiles = () => readdirSync(dataDir).filter((name) => name.startsWith('secret.key'));

async function query<T extends pg.QueryResultRow>(text: string): Promise<T[]> {
  const client = new pg.Client({ ...findBundledPostgres(dataDir), database: 'meridian' });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

const keysOfMails = async () =>
  (
    await query<{ key: string }>(`select distinct substr(body, 4, 16) as key from mail_outbox where body is not null`)
  ).map(({ key }) => key);

async function forgetPassword(url: string): Promise<number> {
  const body = JSON.stringify({ email: PERSON.email });
  const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  return (await fetch(`${url}/api/auth/forgot-password`, asked)).status;
}

test('an interrupted rotation continues when rerun, while the product keeps serving', async () => {
  const product = await startAndServe();
  const headers = { 'content-type': 'application/json' };
  const joined = await fetch(`${product.url}/api/auth/register`, {
    method: 'POST',
    headers,
    body: JSON.stringify(PERSON),
  });
  expect(joined.status).toBe(200);
  expect(await forgetPassword(product.url)).toBe(200);
  await expect.poll(keysOfMails).toHaveLength(1);
  await query(`insert into mail_outbox (kind, address, subject, state, body, created_at)
    select kind, address, subject, state, body, created_at from mail_outbox, generate_series(1, ${MAILS})
    where id = (select min(id) from mail_outbox where body is not null)`);
  const [old = ''] = await keysOfMails();
  const before = readFileSync(`${dataDir}/secret.key`, 'utf8');

  const killed = rotate();
  await expect.poll(async () => (await keysOfMails()).length, { interval: 5, timeout: 30_000 }).toBe(2);
  killed.kill('SIGKILL');
  expect(await waitForExit(killed, 10_000)).toBe('SIGKILL');
  expect(keyFiles().toSorted()).toEqual(['secret.key', 'secret.key.next']);
  expect(await keysOfMails()).toHaveLength(2);
  expect(await forgetPassword(product.url)).toBe(200);

  const again = rotate();
  expect(await waitForExit(again, 60_000), again.output()).toBe(0);
  expect(again.output()).toMatch(/^mail_outbox +\d+$/m);
  expect(again.output()).toMatch(/^remaining +0$/m);
  const [, kept = ''] = /^The previous key is stored in (.+)\.$/m.exec(again.output()) ?? [];
  expect(kept).toBe(`${dataDir}/secret.key.previous-${old.slice(0, 8)}`);
  expect(readFileSync(kept, 'utf8')).toBe(before);
  expect(readFileSync(`${dataDir}/secret.key`, 'utf8')).not.toBe(before);
  for (const name of keyFiles()) expect(statSync(`${dataDir}/${name}`).mode & 0o777).toBe(0o600);

  expect(await forgetPassword(product.url)).toBe(200);
  await expect.poll(async () => (await query(`select 1 from mail_outbox`)).length).toBeGreaterThan(MAILS);
  expect(await keysOfMails()).toEqual([expect.not.stringContaining(old)]);
  product.kill('SIGTERM');
  expect(await waitForExit(product, 30_000)).toBe(0);
  const later = await startAndServe();
  expect(await forgetPassword(later.url)).toBe(200);
});
