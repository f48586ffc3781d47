import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { getLedger, verifyLedger } from '#features/analysis/contract/predictions.ts';
import { collectMarket } from '#tests/support/predictions.ts';
import { SECRET_KEY, start, type TestProduct } from '#tests/support/start.ts';

/** The lock of the ledger's appender. */
const APPEND_LOCK = 7_246_020;
const KEYS = { VENICE_API_KEY: 'v', GROQ_API_KEY: 'g', HUGGINGFACE_API_KEY: 'h' };
const CALLS = 5 * 5 * 4;

let s: TestProduct;
beforeAll(async () => {
  const at = new Date();
  s = await start({ at, env: { COIN_LIMIT: '40' } });
  await collectMarket(s);
  // The analyzing process uses the clock of this machine, so the bar of the price list must have closed by then.
  await sleep(Math.max(0, at.getTime() + 65_000 - Date.now()));
}, 180_000);
afterAll(() => s.stop());

/** As run by an operator, on the database of the running product. */
function analyse(): ChildProcess {
  const { user, password, host, port, database } = s.connection;
  const access = `${String(user)}:${encodeURIComponent(String(password))}`;
  const env = {
    ...process.env,
    ...s.sandbox.urls,
    ...KEYS,
    DATABASE_URL: `postgres://${access}@${encodeURIComponent(String(host))}:${port}/${database}`,
    DATA_MODE: 'live',
    COIN_LIMIT: '40',
    SECRET_KEY,
  };
  return spawn(process.execPath, ['src/app/server/main.ts', 'job', 'analysis.run'], { env, stdio: 'ignore' });
}

const stored = async () => {
  const { db } = s.product.predictions.ctx;
  const { rows } = await sql<Record<string, number>>`select
    (select count(*) from analyses) as analyses, (select count(*) from analysis_answers) as answers,
    (select count(*) from predictions) as calls, (select count(*) from prediction_ledger) as entries`.execute(db);
  return rows[0];
};

test('killed between the responses and the freeze: no partial prediction, and the next analysis is complete', async () => {
  const guard = new Client(s.connection);
  await guard.connect();
  await guard.query('select pg_advisory_lock($1)', [APPEND_LOCK]);
  const waiting = async () => {
    const { rows } = await guard.query<{ n: string }>(
      `select count(*) as n from pg_locks where locktype = 'advisory' and objid = $1 and not granted`,
      [APPEND_LOCK],
    );
    return Number(rows[0]?.n);
  };
  const killed = analyse();
  const gone = once(killed, 'exit');
  await expect.poll(waiting, { timeout: 120_000, interval: 100 }).toBe(1);
  // All models have responded, and the answers are in a transaction that waits for the append lock.
  expect(s.sandbox.faults.requests('groq')).toBeGreaterThan(0);
  killed.kill('SIGKILL');
  await gone;
  await guard.query('select pg_advisory_unlock($1)', [APPEND_LOCK]);
  await guard.end();
  await expect.poll(stored).toEqual({ analyses: 0, answers: 0, calls: 0, entries: 0 });

  const [code] = (await once(analyse(), 'exit')) as [number];
  expect(code).toBe(0);
  expect(await stored()).toEqual({ analyses: 1, answers: 4, calls: CALLS, entries: CALLS });
  expect(getLedger.reply.parse((await s.get('/api/ledger')).json()).newest).toBe(CALLS);
  expect(verifyLedger.reply.parse((await s.get('/api/ledger/verify')).json()).faults).toEqual([]);
}, 300_000);
