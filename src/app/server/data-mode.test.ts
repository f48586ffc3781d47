import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { loadConfig } from '#kernel/config.ts';
import { openDatabase } from '#kernel/db.ts';
import { claimInstallation } from '#kernel/installation.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { decideDataMode, hasLiveData, probeLive } from './data-mode.ts';

test.each([
  ['live by wish', { DATA_MODE: 'live' }, false, false, 'live'],
  ['demo by wish, also in production', { DATA_MODE: 'demo', NODE_ENV: 'production' }, true, true, 'demo'],
  ['production is live, whatever answers', { NODE_ENV: 'production' }, false, false, 'live'],
  ['a database that holds live data stays live', {}, true, false, 'live'],
  ['an empty database with a source that answers is live', {}, false, true, 'live'],
  ['an empty database that reaches nothing is demo', {}, false, false, 'demo'],
])('the data mode: %s', async (_what, env, liveData, answers, mode) => {
  const decided = await decideDataMode(loadConfig(env), {
    liveData: () => Promise.resolve(liveData),
    probe: () => Promise.resolve(answers),
  });
  expect(decided.mode).toBe(mode);
});

describe('source probe', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });
  const at = async (answer: (end: (status: number) => void) => void) => {
    server = createServer((_, response) => answer((status) => response.writeHead(status).end('{}')));
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return loadConfig({ COINGECKO_BASE_URL: url, COINPAPRIKA_BASE_URL: url, OKX_BASE_URL: url });
  };

  test('returns true as soon as any source responds', async () => {
    expect(await probeLive(await at((end) => end(404)))).toBe(true);
  });

  test('returns false when every source reports its own error', async () => {
    expect(await probeLive(await at((end) => end(503)))).toBe(false);
  });

  test('returns false after its timeout on a network that drops packets', async () => {
    const started = performance.now();
    expect(await probeLive({ ...(await at(() => undefined)), LIVE_PROBE_MS: 300 })).toBe(false);
    expect(performance.now() - started).toBeLessThan(1500);
  });
});

test('a database keeps its data mode permanently, rejects the other, and counts as live only with coins', async () => {
  const { connection, drop } = await createTestDatabase();
  const { db, close } = openDatabase(connection, () => undefined);
  const now = new Date('2026-11-20T12:00:00Z');
  const secrets = { held: () => ['ours'], useKeysOf: () => true };
  expect(await claimInstallation(db, { mode: 'live', seed: 7, secrets }, now)).toBe(7);
  await expect(claimInstallation(db, { mode: 'demo', seed: 7, secrets }, now)).rejects.toThrow(
    /contains live data, not demo data/,
  );
  expect(await hasLiveData(connection)).toBe(false);
  await db
    .insertInto('coins')
    .values({
      id: 'bitcoin',
      symbol: 'BTC',
      name: 'Bitcoin',
      rank: 1,
      circulating_supply: 1,
      max_supply: null,
      updated_at: now.toISOString(),
    })
    .execute();
  expect(await hasLiveData(connection)).toBe(true);
  await close();
  await drop();
});
