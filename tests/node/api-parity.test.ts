import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parsePath } from '#features/api/server/api/parity.ts';
import { apiCalls } from '#features/api/server/api/service.ts';
import { API_SCOPES } from '#shared/contract.ts';
import { type ApiFixture, createApiFixture, makeKey } from '#tests/support/api-fixture.ts';
import { MeridianClient } from '../../clients/typescript/client.ts';

import { parityRows } from '../../scripts/docs/generate.ts';

type Row = Record<string, unknown>;
type Step = string | { at: number; row: unknown };

let world: ApiFixture;
beforeAll(async () => {
  world = await createApiFixture();
}, 240_000);
afterAll(() => world.s.stop());

/** Every leaf in the response, with the list rows that contain it. */
function leaves(value: unknown, path: Step[] = []): { path: Step[]; value: unknown }[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [{ path, value }];
    return value.flatMap((row, at) => leaves(row, [...path, { at, row }]));
  }
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([name, each]) => leaves(each, [...path, name]));
}

/** Keys that identify the same row in another list. */
const KEYS = [['id'], ['seq'], ['provider', 'model', 'horizon']];
const keyOf = (row: unknown): string | null => {
  if (typeof row !== 'object' || row === null) return null;
  const names = KEYS.find((each) => each.every((name) => name in row));
  return names ? names.map((name) => String((row as Row)[name])).join(' ') : null;
};

/** The value at the same path of another response. */
function found(answer: unknown, path: readonly Step[]): unknown {
  let at = answer;
  for (const step of path) {
    if (typeof step === 'string') at = (at as Row | undefined)?.[step];
    else {
      const key = keyOf(step.row);
      const list = (at ?? []) as unknown[];
      at = key === null ? list[step.at] : list.find((row) => keyOf(row) === key);
    }
  }
  return at;
}

describe('dashboard data', () => {
  test('every leaf of a complete payload has its call, which returns the same value', async () => {
    const { s, who, key } = world;
    const payload = (await who.get('/api/dashboard')).json<Row>();
    const all = leaves(payload);
    expect(all.length).toBeGreaterThan(3000);
    expect(Object.keys(payload).toSorted()).toEqual(
      [
        'advancedMetrics',
        'aiAnalysis',
        'backtestResults',
        'cryptoPrices',
        'dataMode',
        'lastCollectionTime',
        'layer1Data',
        'nextCollectionTime',
        'sources',
        'subscriptionStatus',
        'timestamp',
        'totals',
        'trendingNarratives',
        'upcomingCounts',
        'upcomingEvents',
      ].toSorted(),
    );
    const answers = new Map<string, unknown>();
    const wrong: string[] = [];
    for (const { path, value } of all) {
      const [first] = path;
      const place = parsePath([first as string]);
      const shown = path.map((step) => (typeof step === 'string' ? step : step.at)).join('.');
      if (!place) {
        wrong.push(`${shown}: no call gives it`);
        continue;
      }
      if (!answers.has(place.path)) answers.set(place.path, (await s.get(place.path, { 'x-api-key': key })).json());
      const there = found(answers.get(place.path), [...place.field, ...path.slice(1)]);
      if (JSON.stringify(there) !== JSON.stringify(value))
        wrong.push(`${shown}: ${String(there)} is not ${String(value)}`);
    }
    expect(wrong.slice(0, 20)).toEqual([]);
  });

  test('the table in docs/api.md contains every field of the contract', () => {
    const rows = parityRows(apiCalls({} as never));
    expect(rows.length).toBeGreaterThan(300);
    expect(rows.every(({ path, place }) => path.startsWith('/api/v1/') && place.length > 0)).toBe(true);
  });
});

describe('the TypeScript client', () => {
  test('every documented call responds through its method', async () => {
    const { s, who } = world;
    const { port } = await s.product.listen();
    const seen: number[] = [];
    const { api_key: apiKey } = await makeKey(who, { scopes: [...API_SCOPES] });
    const client = new MeridianClient({
      baseUrl: `http://127.0.0.1:${port}`,
      apiKey,
      onResponse: ({ status }) => seen.push(status),
    });
    const rule = { name: 'High', metric: 'eth_price', condition: 'above', value: 1_000_000 } as const;
    const answers = {
      getMarketData: await client.getMarketData(),
      getCryptoPrices: await client.getCryptoPrices({ limit: 2 }),
      getCryptoPricesById: await client.getCryptoPricesById('bitcoin'),
      getCryptoPricesByIdRanges: await client.getCryptoPricesByIdRanges('bitcoin'),
      getBrief: await client.getBrief(),
      getCandles: await client.getCandles({ symbol: 'BTC', interval: 'D', limit: 3 }),
      getSources: await client.getSources(),
      getAnalysis: await client.getAnalysis(),
      getPredictions: await client.getPredictions(),
      getTrackRecord: await client.getTrackRecord(),
      getTrackRecordReplay: await client.getTrackRecordReplay(),
      getTrackRecordCalls: await client.getTrackRecordCalls({ asset: 'BTC', limit: 3 }),
      getTrackRecordRanges: await client.getTrackRecordRanges(),
      postForecasts: await client.postForecasts({
        forecaster: 'client-forecasts',
        forecasts: [{ asset: 'BTC', horizon: '24h', probabilities: { up: 0.3, flat: 0.4, down: 0.3 } }],
      }),
      getLeague: await client.getLeague({ horizon: '7d' }),
      getLeagueByName: await client.getLeagueByName('client-forecasts'),
      getAnalyticsSummary: await client.getAnalyticsSummary(),
      getAnalyticsRisk: await client.getAnalyticsRisk({ days: '30' }),
      getAnalyticsCorrelation: await client.getAnalyticsCorrelation({ days: '30' }),
      getEvents: await client.getEvents(),
      getInflation: await client.getInflation(),
      getInflationReleases: await client.getInflationReleases({ days: '90' }),
      getInflationForecasts: await client.getInflationForecasts(),
      getInflationExpectations: await client.getInflationExpectations(),
      getInflationSentiment: await client.getInflationSentiment(),
      getAlerts: await client.getAlerts(),
      getThresholds: await client.getThresholds(),
      postThresholds: await client.postThresholds(rule),
      postThresholdsPreview: await client.postThresholdsPreview(rule),
      getHistoryByType: await client.getHistoryByType('CRYPTO_PRICE', { symbol: 'BTC', limit: 3 }),
      getAccount: await client.getAccount(),
    };
    const stream = await client.getStream({ topics: 'prices' });
    await stream.body?.cancel();
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const document = (await s.get('/api/openapi.json')).json<{
      paths: Record<string, Record<string, { operationId: string }>>;
    }>();
    const names = Object.values(document.paths).flatMap((byMethod) =>
      Object.values(byMethod).map(({ operationId }) => operationId),
    );
    expect(names.toSorted()).toEqual([...Object.keys(answers), 'getStream'].toSorted());
    expect(new Set(seen)).toEqual(new Set([200]));
    expect(answers.getCryptoPrices.prices.map(({ symbol }) => symbol)).toEqual(['BTC', 'ETH']);
    expect(answers.getAccount.subscriptionStatus?.plan).toBe('premium');
    expect(answers.postThresholds.state).toBe('armed');
    const chosen = await client.getCryptoPrices({ limit: 1, fields: 'prices.price' });
    expect(chosen.prices?.[0]?.meta?.method).toBe('demo');
    expect(await client.getCryptoPricesCsv({ limit: 1, fields: 'prices.symbol' })).toMatch(/^symbol,meta\.source/);
    await expect(client.getCryptoPricesById('nothing')).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });
});
