import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { fileProduct } from '#tests/support/for-file.ts';
import { collectMarket, createStatement, issue } from '#tests/support/predictions.ts';
import { SECRET_KEY } from '#tests/support/start.ts';

const run = promisify(execFile);

const s = fileProduct({ env: { COIN_LIMIT: '40' } });
beforeAll(async () => {
  await collectMarket(s);
  await issue(s, [createStatement('alpha', { up: 0.7, flat: 0.2, down: 0.1 })]);
});

/** As run by an operator, on the database of the running product. */
async function verify(): Promise<{ code: number; out: string; err: string }> {
  const { user, password, host, port, database } = s.connection;
  const access = `${String(user)}:${encodeURIComponent(String(password))}`;
  const env = {
    ...process.env,
    DATABASE_URL: `postgres://${access}@${encodeURIComponent(String(host))}:${port}/${database}`,
    DATA_MODE: 'live',
    SECRET_KEY,
    ...s.sandbox.urls,
  };
  return run(process.execPath, ['src/app/server/main.ts', 'ledger:verify'], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      out: stdout,
      err: stderr,
    }),
  );
}

test('a valid ledger: entries, head and roots, exit code 0', async () => {
  const { code, out, err } = await verify();
  expect(out, err).toMatch(/^entries {3}20\nhead {6}[0-9a-f]{64}\nroots {5}0\nfaults {4}none\naudit log intact\n$/);
  expect(code).toBe(0);
});

test('names a changed entry, exit code 1', async () => {
  const { db } = s.product.predictions.ctx;
  await sql`alter table prediction_ledger disable trigger user`.execute(db);
  await sql`update prediction_ledger set body = replace(body, '"up":0.7', '"up":0.8') where seq = 2`.execute(db);
  const { code, out, err } = await verify();
  expect(out, err).toContain('Entry 2 was modified: its hash does not match');
  expect(err).toBe('The ledger is damaged.\n');
  expect(code).toBe(1);
});
