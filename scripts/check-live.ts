import { parseArgs } from 'node:util';

import { configuredProviders } from '#features/analysis/server/analysis/providers.ts';
import { ADAPTERS as EVENT_ADAPTERS, EVENT_SOURCES } from '#features/events/server/sources.ts';
import {
  AGENCY_SOURCES,
  EXPECTATION_SOURCES,
  INDEX_SOURCES,
  INFLATION_SOURCES,
} from '#features/inflation/server/sources.ts';
import { coingeckoCandles, coingeckoListing } from '#features/market/server/market/providers/coingecko.ts';
import { coinpaprikaListing } from '#features/market/server/market/providers/coinpaprika.ts';
import { okxCandles, okxTickers } from '#features/market/server/market/providers/okx.ts';
import { SOURCES as MARKET_SOURCES } from '#features/market/server/market/sources.ts';
import type { KnownCoin } from '#features/market/server/market/types.ts';
import { METRIC_ADAPTERS, METRIC_SOURCES } from '#features/market/server/metrics/sources.ts';
import { loadConfig } from '#kernel/config.ts';
import { errorMessage } from '#kernel/errors.ts';
import { createSourceClient, type SourceClient } from '#kernel/http/http-client.ts';
import { createRecorder, normalizeEndpoint } from '#kernel/source-set.ts';
import { US_SERIES } from '#shared/us-series.ts';

// Calls every endpoint of every source once and prints which of the live responses still match our schemas.
const { values } = parseArgs({ options: { record: { type: 'string' }, only: { type: 'string' } } });
const config = loadConfig();
const recorder = values.record ? createRecorder(values.record) : null;
const signal = AbortSignal.timeout(10 * 60_000);
const DAY_MS = 86_400_000;
const results = new Map<string, { source: string; endpoint: string; problem: string | null }>();

function note(source: string, path: string, problem: string | null): void {
  const endpoint = normalizeEndpoint(path);
  const key = `${source} ${endpoint}`;
  if (problem === null && results.get(key)?.problem) return;
  results.set(key, { source, endpoint, problem });
}

function recordResults(source: string, client: SourceClient): SourceClient {
  const watch = async <T>(path: string, query: object | undefined, responsePromise: Promise<T>): Promise<T> => {
    const names = Object.keys(query ?? {});
    const pathWithQuery = names.length > 0 ? `${path}?${names.map((name) => `${name}=`).join('&')}` : path;
    try {
      const response = await responsePromise;
      note(source, pathWithQuery, null);
      return response;
    } catch (error) {
      note(source, pathWithQuery, errorMessage(error));
      throw error;
    }
  };
  return {
    name: client.name,
    get: (path, schema, options) => watch(path, options?.query, client.get(path, schema, options)),
    post: (path, body, schema, options) => watch(path, options?.query, client.post(path, body, schema, options)),
  };
}

const clients = new Map(
  [
    ...MARKET_SOURCES,
    ...METRIC_SOURCES,
    ...INFLATION_SOURCES,
    ...EVENT_SOURCES,
    ...configuredProviders(config).map(({ source }) => source),
  ]
    .filter(({ id, off }: { id: string; off?: (of: typeof config) => string | null }) => {
      const why = off?.(config) ?? null;
      if (why !== null) console.log(`--   ${id}: skipped. ${why}`);
      return why === null && (!values.only || values.only === id);
    })
    .map(({ id, name, options }) => {
      const onBody = recorder ? (call: { path: string; body: unknown }) => recorder.record(id, call) : undefined;
      const client = createSourceClient(
        { name, ...options(config), retries: 0, ...(onBody ? { onBody } : {}) },
        () => new Date(),
      );
      return [id, recordResults(id, client)] as const;
    }),
);

const prices = new Map<string, number>();
const bitcoin: KnownCoin = { id: 'bitcoin', symbol: 'BTC', name: 'Bitcoin', price: null, circulating_supply: null };
const now = new Date();
const ignoreFailure = async (request: Promise<unknown> | undefined): Promise<void> => {
  await request?.catch(() => undefined);
};
const checkClient = (id: string, check: (client: SourceClient) => Promise<unknown>): Promise<void> => {
  const client = clients.get(id);
  return client ? ignoreFailure(check(client)) : Promise.resolve();
};
const listOptions = { limit: 250, sparkline: true, known: [bitcoin], signal };
const weekAgo = new Date(now.getTime() - 7 * DAY_MS);

await checkClient('coingecko', async (client) => {
  const { coins } = await coingeckoListing(client).list(listOptions);
  for (const { symbol, price } of coins) if (!prices.has(symbol)) prices.set(symbol, price);
  await coingeckoCandles(client).bars(bitcoin, '1h', weekAgo, now, signal);
});
await checkClient('coinpaprika', (client) => coinpaprikaListing(client).list(listOptions));
await checkClient('okx', async (client) => {
  await okxTickers(client, signal);
  await okxCandles(client, () => 1).bars(bitcoin, '1h', weekAgo, now, signal);
});
const checks = {
  now,
  config,
  signal,
  market: { listed: () => undefined, priceOf: (symbol: string) => prices.get(symbol) ?? null },
  stored: async () => [],
};
for (const adapter of METRIC_ADAPTERS) {
  await checkClient(adapter.source, (client) => adapter.read(client, checks));
  await checkClient(adapter.source, async (client) => adapter.past?.(client, weekAgo, checks));
}

const yearAgo = new Date(now.getTime() - 365 * DAY_MS).toISOString().slice(0, 7);
for (const source of [...INDEX_SOURCES, ...AGENCY_SOURCES])
  await checkClient(source.source, (client) => source.read(client, US_SERIES.filter(source.gives), yearAgo, checks));
for (const { source, read } of EXPECTATION_SOURCES) await checkClient(source, (client) => read(client, checks));
const calendar = { now, config, signal, daysOf: async () => [] };
for (const { source, read } of EVENT_ADAPTERS) await checkClient(source, (client) => read(client, calendar));

// Only their model lists, because a completion costs money.
for (const { source, choice } of configuredProviders(config))
  await checkClient(source.id, (client) => choice(config).list(client, now, signal));

const rows = [...results.values()].toSorted((a, b) => a.source.localeCompare(b.source));
for (const { source, endpoint, problem } of rows)
  console.log(`${problem === null ? 'ok  ' : 'FAIL'} ${source} ${endpoint}${problem === null ? '' : `: ${problem}`}`);
const failed = rows.filter(({ problem }) => problem !== null).length;
console.log(`${rows.length - failed} of ${rows.length} endpoints match our schemas`);
process.exitCode = failed > 0 || rows.length === 0 ? 1 : 0;
