import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';

import { DAY, floorTo, HOUR, MINUTE } from '#sandbox/market/time.ts';
import { fileSandbox } from '#tests/support/for-file.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 3, 27);
const repoRoot = resolve(import.meta.dirname, '..', '..', '..');
const recordings = process.env['RECORDINGS_DIR'] ?? resolve(repoRoot, '../shared/data');
const specFile = resolve(recordings, 'coingecko/openapi-demo-api.json');
const missing = existsSync(specFile) ? '' : ` — SKIPPED: ${specFile} is missing, set RECORDINGS_DIR`;
if (missing) process.stderr.write(`coingecko.test.ts${missing}\n`);

type Row = Record<string, number | string | null> & { sparkline_in_7d: { price: number[] } };

const sandbox = fileSandbox(NOW);

async function get(path: string): Promise<{ status: number; body: unknown; headers: Headers }> {
  const response = await fetch(`${sandbox.urls['COINGECKO_BASE_URL']}${path}`);
  return { status: response.status, body: await response.json(), headers: response.headers };
}

const rows = async (query = '') => (await get(`/coins/markets?vs_currency=usd&sparkline=true&${query}`)).body as Row[];

type Schema = { [key: string]: unknown; properties?: object; additionalProperties?: unknown };

/** Unknown fields are an error here, even where the spec would allow them. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: Schema = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  if (copy.properties && copy.additionalProperties === undefined) copy.additionalProperties = false;
  return copy;
}

function validator(path: string) {
  const spec: unknown = JSON.parse(readFileSync(specFile, 'utf8'));
  const { paths, components } = spec as { paths: Record<string, unknown>; components: { schemas: object } };
  const operation = paths[path] as { get: { responses: { 200: { content: Record<string, { schema: object }> } } } };
  const schema = operation.get.responses[200].content['application/json']?.schema;
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  return ajv.compile({ ...schema, components: { schemas: closed(components.schemas) } });
}

describe(`the official OpenAPI${missing}`, () => {
  test.skipIf(missing !== '').each([
    ['/ping', '/ping'],
    [
      '/coins/markets',
      '/coins/markets?vs_currency=usd&per_page=250&sparkline=true&price_change_percentage=1h,24h,7d,14d,30d,200d,1y',
    ],
    ['/coins/markets', '/coins/markets?vs_currency=usd&per_page=250&page=2'],
    ['/global', '/global'],
    ['/coins/{id}/market_chart', '/coins/bitcoin/market_chart?vs_currency=usd&days=1'],
    ['/coins/{id}/ohlc', '/coins/bitcoin/ohlc?vs_currency=usd&days=30'],
    ['/search/trending', '/search/trending'],
    ['/coins/categories', '/coins/categories'],
  ])('%s is answered as it says: %s', async (path, request) => {
    const { status, body } = await get(request);
    const validate = validator(path);
    expect(status).toBe(200);
    expect(validate(body), JSON.stringify(validate.errors?.slice(0, 5))).toBe(true);
  });

  test.skipIf(missing !== '')('allows every null sent by the nulls fault', async () => {
    sandbox.faults.set({ provider: 'coingecko', kind: 'nulls', count: 1 });
    const body = await rows('per_page=250&price_change_percentage=7d');
    const validate = validator('/coins/markets');
    expect(validate(body), JSON.stringify(validate.errors?.slice(0, 5))).toBe(true);
    for (const field of ['current_price', 'market_cap', 'total_volume', 'price_change_percentage_7d_in_currency']) {
      expect(body.filter((row) => row[field] === null).length, field).toBeGreaterThan(10);
      expect(body.filter((row) => row[field] !== null).length, field).toBeGreaterThan(100);
    }
  });
});

describe('GET /coins/markets', () => {
  test('200 matches the coin’s path in every field', async () => {
    const asOf = floorTo(NOW, MINUTE);
    for (const row of await rows('per_page=60&precision=full&price_change_percentage=1h,7d')) {
      const id = String(row['id']);
      const { price, open, high, low } = sandbox.market.dayStats(id, asOf);
      expect(row).toMatchObject({ current_price: price, high_24h: high, low_24h: low });
      expect(row['price_change_24h']).toBeCloseTo(price - open, 12);
      expect(row['price_change_percentage_24h']).toBeCloseTo(sandbox.market.changeAt(id, asOf, DAY), 4);
      expect(row['price_change_percentage_7d_in_currency']).toBe(sandbox.market.changeAt(id, asOf, 7 * DAY));
      expect(row['market_cap']).toBe(Math.round(price * Number(row['circulating_supply'])));
      expect(row.sparkline_in_7d.price).toHaveLength(168);
      expect(row.sparkline_in_7d.price.at(-1)).toBe(sandbox.market.priceAt(id, floorTo(NOW, HOUR)));
      expect(row.sparkline_in_7d.price[0]).toBe(sandbox.market.priceAt(id, floorTo(NOW, HOUR) - 167 * HOUR));
      expect(row['last_updated']).toBe(new Date(asOf).toISOString());
    }
  });

  test('304 for its own ETag, 200 once the minute is over', async () => {
    const url = `${sandbox.urls['COINGECKO_BASE_URL']}/coins/markets?vs_currency=usd&per_page=5`;
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    const again = () => fetch(url, { headers: { 'if-none-match': etag } });
    expect((await again()).status).toBe(304);
    sandbox.clock.advance(MINUTE);
    expect((await again()).status).toBe(200);
    sandbox.clock.set(NOW);
  });
});

test('GET /global sums the list of /coins/markets', async () => {
  const all = [...(await rows('per_page=250')), ...(await rows('per_page=250&page=2'))];
  const { data } = (await get('/global')).body as {
    data: { total_market_cap: { usd: number }; market_cap_percentage: { btc: number } };
  };
  const cap = all.reduce((sum, row) => sum + Number(row['market_cap']), 0);
  expect(data.total_market_cap.usd / cap).toBeCloseTo(1, 6);
  expect(data.market_cap_percentage.btc).toBeCloseTo((100 * Number(all[0]?.['market_cap'])) / cap, 3);
});
