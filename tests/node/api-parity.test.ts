import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parsePath } from '#features/api/server/api/parity.ts';
import { apiCalls } from '#features/api/server/api/service.ts';
import { API_SCOPES } from '#shared/contract.ts';
import { type ApiFixture, createApiFixture, makeKey } from '#tests/support/api-fixture.ts';
import { MeridianClient } from '../../clients/typescript/client.ts';

import { parityRows } from '../../scripts/docs/generate.ts';

type Row = Record<string, unknown>;
type Step = string | { at: number; row: unknown };

let fixture: ApiFixture;
beforeAll(async () => {
  fixture = await createApiFixture();
}, 240_000);
afterAll(() => fixture.s.stop());

/** Every leaf in the response, with the list rows that contain it. */
function listLeaves(value: unknown, path: Step[] = []): { path: Step[]; value: unknown }[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [{ path, value }];
    return value.flatMap((row, at) => listLeaves(row, [...path, { at, row }]));
  }
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([name, each]) => listLeaves(each, [...path, name]));
}

/** Keys that identify the same row in another list. */
const KEY_FIELDS = [['id'], ['seq'], ['provider', 'model', 'horizon']];
const rowKey = (row: unknown): string | null => {
  if (typeof row !== 'object' || row === null) return null;
  const names = KEY_FIELDS.find((each) => each.every((name) => name in row));
  return names ? names.map((name) => String((row as Row)[name])).join(' ') : null;
};

/** The value at the same path of another response. */
function valueAt(response: unknown, path: readonly Step[]): unknown {
  let at = response;
  for (const step of path) {
    if (typeof step === 'string') at = (at as Row | undefined)?.[step];
    else {
      const key = rowKey(step.row);
      const list = (at ?? []) as unknown[];
      at = key === null ? list[step.at] : list.find((row) => rowKey(row) === key);
    }
  }
  return at;
}

describe('dashboard data', () => {
  test('every leaf of a complete payload has its call, which returns the same value', async () => {
    const { s, who: user, key } = fixture;
    const payload = (await user.get('/api/dashboard')).json<Row>();
    const payloadLeaves = listLeaves(payload);
    expect(payloadLeaves.length).toBeGreaterThan(3000);
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
    const responses = new Map<string, unknown>();
    const mismatches: string[] = [];
    for (const { path, value } of payloadLeaves) {
      const [first] = path;
      const location = parsePath([first as string]);
      const label = path.map((step) => (typeof step === 'string' ? step : step.at)).join('.');
      if (!location) {
        mismatches.push(`${label}: no call gives it`);
        continue;
      }
      if (!responses.has(location.path))
        responses.set(location.path, (await s.get(location.path, { 'x-api-key': key })).json());
      const actual = valueAt(responses.get(location.path), [...location.field, ...path.slice(1)]);
      if (JSON.stringify(actual) !== JSON.stringify(value))
        mismatches.push(`${label}: ${String(actual)} is not ${String(value)}`);
    }
    expect(mismatches.slice(0, 20)).toEqual([]);
  });

  test('the table in docs/api.md contains every field of the contract', () => {
    const rows = parityRows(apiCalls({} as never));
    expect(rows.length).toBeGreaterThan(300);
    expect(rows.every(({ path, location }) => path.startsWith('/api/v1/') && location.length > 0)).toBe(true);
  });
});

describe('the TypeScript client', () => {
  test('every documented call responds through its method', async () => {
    const { s, who: user } = fixture;
    const { port } = await s.product.listen();
    const seen: number[] = [];
    const { api_key: apiKey } = await makeKey(user, { scopes: [...API_SCOPES] });
    const client = new MeridianClient({
      baseUrl: `http://127.0.0.1:${port}`,
      apiKey,
      onResponse: ({ status }) => seen.push(status),
    });
    const rule = { name: 'High', metric: 'eth_price', condition: 'above', value: 1_000_000 } as const;
    const responses = {
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
    expect(names.toSorted()).toEqual([...Object.keys(responses), 'getStream'].toSorted());
    expect(new Set(seen)).toEqual(new Set([200]));
    expect(responses.getCryptoPrices.prices.map(({ symbol }) => symbol)).toEqual(['BTC', 'ETH']);
    expect(responses.getAccount.subscriptionStatus?.plan).toBe('premium');
    expect(responses.postThresholds.state).toBe('armed');
    const chosen = await client.getCryptoPrices({ limit: 1, fields: 'prices.price' });
    expect(chosen.prices?.[0]?.meta?.method).toBe('demo');
    expect(await client.getCryptoPricesCsv({ limit: 1, fields: 'prices.symbol' })).toMatch(/^symbol,meta\.source/);
    await expect(client.getCryptoPricesById('nothing')).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });
});
