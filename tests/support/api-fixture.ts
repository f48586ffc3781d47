import type { ApiKey } from '#features/api/contract/api-keys.ts';
import type { ApiScope } from '#shared/contract.ts';

import { registerUser, type TestUser, withReauthentication } from './people.ts';
import { start, type TestProduct } from './start.ts';

/** A plain read of the public API. */
export const KEYED_READ = '/api/v1/crypto-prices';

export async function makeKey(user: TestUser, overrides: { name?: string; scopes?: ApiScope[] } = {}): Promise<ApiKey> {
  const response = await withReauthentication(user, () => user.post('/api/keys', { name: 'Desk', ...overrides }));
  if (response.statusCode !== 200) throw new Error(`No key was made: ${response.body}`);
  return response.json<ApiKey>();
}

/** One call with a key. */
export const call = (s: Pick<TestProduct, 'product'>, key: string, headers: Record<string, string> = {}) =>
  s.product.app.inject({ url: KEYED_READ, headers: { 'x-api-key': key, ...headers } });

const DAY_MS = 86_400_000;
const TRACKED = ['bitcoin', 'ethereum', 'solana', 'sui', 'ripple'];
const ENV = {
  COIN_LIMIT: '40',
  VENICE_API_KEY: 'v',
  GROQ_API_KEY: 'g',
  FINNHUB_API_KEY: 'demo',
  EMAIL_CONFIRMATION: 'off',
  API_BURST_PER_SECOND: '0',
  API_CALLS_PER_DAY_PREMIUM: '0',
};

export type ApiFixture = { s: TestProduct; who: TestUser; key: string };

/**
 * A demo with current and past prices, metrics, an analysis, a graded record, events and inflation, and a Premium+ key.
 */
export async function createApiFixture(): Promise<ApiFixture> {
  const s = await start({ mode: 'demo', env: ENV });
  await s.job('market.listing');
  for (const coinId of TRACKED) await s.job('market.backfill', { coinId });
  for (const name of ['metrics.listing', 'metrics.slow']) await s.job(name);
  s.advance(60_000);
  await s.job('market.listing');
  s.advance(60_000);
  await s.job('analysis.run');
  s.advance(DAY_MS);
  await s.job('market.listing');
  s.advance(120_000);
  for (const name of ['predictions.resolve', 'analysis.run', 'inflation.refresh', 'events.collect', 'market.collect'])
    await s.job(name);
  const user = await registerUser(s, 'ann', 'premium');
  return { s, who: user, key: (await makeKey(user)).api_key };
}
