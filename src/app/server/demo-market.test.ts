import { afterEach, describe, expect, test, vi } from 'vitest';
import { loadConfig } from '#kernel/config.ts';
import { startSandbox } from '#sandbox/sandbox.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { holdMarketLock, startDemoMarket } from './demo-market.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The environment as the operator configured it. */
async function demoOf(env: Record<string, string>) {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const { config, close } = await startDemoMarket(loadConfig(), 7);
  await close();
  return config;
}

test('the demo queries all three analysts, each via the sandbox with a dummy key', async () => {
  const config = await demoOf({});
  for (const name of ['VENICE', 'GROQ', 'HUGGINGFACE'] as const) {
    expect(config[`${name}_BASE_URL`]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
    expect(config[`${name}_API_KEY`]).toBe('demo');
  }
});

test('keeps an existing key and adds none for an operator-set address', async () => {
  const config = await demoOf({ VENICE_BASE_URL: 'https://venice.example/api/v1', GROQ_API_KEY: 'mine' });
  expect([config.VENICE_BASE_URL, config.VENICE_API_KEY]).toEqual(['https://venice.example/api/v1', undefined]);
  expect(config.GROQ_API_KEY).toBe('mine');
});

test('licensed series are simulated in the demo and requested elsewhere only on opt-in', async () => {
  expect(await demoOf({})).toMatchObject({ FRED_COPYRIGHTED: true, CONSENSUS_CALENDAR: true });
  const outside = { FRED_BASE_URL: 'https://fred.example', CONSENSUS_CALENDAR_BASE_URL: 'https://calendar.example' };
  expect(await demoOf(outside)).toMatchObject({ FRED_COPYRIGHTED: false, CONSENSUS_CALENDAR: false });
});

test('the demo has a sandbox Telegram bot and sends its token nowhere else', async () => {
  const config = await demoOf({});
  expect(config.TELEGRAM_API_BASE_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/telegram$/);
  expect(config.TELEGRAM_BOT_TOKEN).toBe('7246000001:demo');
  const outside = await demoOf({ TELEGRAM_API_BASE_URL: 'https://telegram.example' });
  expect(outside.TELEGRAM_BOT_TOKEN).toBeUndefined();
});

test('the demo has its own local push service', async () => {
  const { PUSH_TEST_ORIGIN: origin } = await demoOf({});
  expect(new URL(origin).origin).toBe(origin);
  expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:/);
});

test('multiple processes share the free-running market', async () => {
  const sandbox = await startSandbox({ seed: 7 });
  const shared = await demoOf({ DEMO_MARKET_URL: sandbox.origin });
  for (const name of ['COINGECKO_BASE_URL', 'TELEGRAM_API_BASE_URL', 'STRIPE_API_BASE'] as const)
    expect(shared[name]).toBe(sandbox.urls[name]);
  await sandbox.close();
});

describe('a market that would differ from the shared one', () => {
  const started = (env: Record<string, string>) => demoOf(env).then(() => 'started', String);

  test.each([
    ['no market at the address', 7, 'http://127.0.0.1:1', /No simulated market responds at DEMO_MARKET_URL/],
    ['a market of another seed', 8, undefined, /has seed 8, but this database uses 7\. Start it with DEMO_SEED=7/],
  ])('rejects %s with a one-sentence error', async (_, seed, address, words) => {
    const sandbox = await startSandbox({ seed });
    expect(await started({ DEMO_MARKET_URL: address ?? sandbox.origin })).toMatch(words);
    await sandbox.close();
  });

  test.each([['web'], ['worker'], ['all']])('rejects ROLE=%s with a one-sentence error', async (role) => {
    const database = await createTestDatabase();
    const config = (ROLE: string) => loadConfig({ ROLE });
    const letGo = await holdMarketLock(config('all'), database.connection);
    const words = role === 'all' ? /Another process runs the simulated market/ : new RegExp(`ROLE=${role} has none`);
    await expect(holdMarketLock(config(role), database.connection)).rejects.toThrow(words);
    await letGo();
    await (await holdMarketLock(config('all'), database.connection))();
    await database.drop();
  });
});
