import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';

import { createExport, getExport } from '#features/exports/contract/exports.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { SECRET_KEY } from '#tests/support/start.ts';

const ROWS = 200_000;

const s = fileProduct({ at: new Date(), env: { EXPORT_ROWS_AT_ONCE: '100' } });
const premium = member(s, 'premium', 'premium');
beforeAll(async () => {
  const at = s.clock.now().toISOString();
  await sql`insert into metric_observations (metric, source, observed_at, value, fetched_at, method)
    select 'hash_rate', 'mempool', ${at}::timestamptz - n * interval '1 second', n, ${at}, 'measured'
    from generate_series(1, ${ROWS}::int) n`.execute(s.product.auth.ctx.db);
}, 180_000);

/** As run by an operator, with the database and the folder of the running product. */
function makeElsewhere() {
  const { user, password, host, port, database } = s.connection;
  const access = `${String(user)}:${encodeURIComponent(String(password))}`;
  const env = {
    ...process.env,
    ...s.sandbox.urls,
    DATABASE_URL: `postgres://${access}@${encodeURIComponent(String(host))}:${port}/${database}`,
    DATA_MODE: 'live',
    EXPORTS_DIR: s.product.auth.ctx.config.exportsDir,
    SECRET_KEY,
  };
  return spawn(process.execPath, ['src/app/server/main.ts', 'job', 'exports.make'], { env, stdio: 'ignore' });
}

const itemOf = async (id: string) => getExport.reply.parse((await premium.get(`/api/exports/${id}`)).json());

test('killed mid-file: no partial file is offered, and the next process completes the export', async () => {
  const folder = s.product.auth.ctx.config.exportsDir;
  const body = { dataTypes: ['market_data'], dateRange: 'all', format: 'json' };
  const { id, url } = createExport.reply.parse((await premium.post('/api/exports/create', body)).json());
  const killed = makeElsewhere();
  const gone = once(killed, 'exit');
  const piece = join(folder, `${id}-1.part`);
  await expect
    .poll(() => statSync(piece, { throwIfNoEntry: false })?.size ?? 0, { timeout: 120_000, interval: 20 })
    .toBeGreaterThan(100_000);
  killed.kill('SIGKILL');
  await gone;
  expect(readdirSync(folder)).toEqual([`${id}-1.part`]);
  expect((await itemOf(id)).state).toBe('running');
  expect((await premium.get(url)).statusCode).toBe(409);

  // The thirty seconds of silence after which a process counts as dead.
  await sql`update exports set beat_at = beat_at - interval '30 seconds'`.execute(s.product.auth.ctx.db);
  const [code] = (await once(makeElsewhere(), 'exit')) as [number];
  expect(code).toBe(0);
  const item = await itemOf(id);
  expect(item).toMatchObject({ state: 'done', rows: ROWS });
  expect(readdirSync(folder)).toEqual([`${id}-2`]);
  const file = await premium.get(url);
  expect(createHash('sha256').update(file.rawPayload).digest('hex')).toBe(item.sha256);
  expect(file.json<{ tables: { market_data: unknown[] } }>().tables.market_data).toHaveLength(ROWS);
}, 300_000);
