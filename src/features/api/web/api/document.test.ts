import { expect, test } from 'vitest';

import { byTag, callsIn, matching } from './document.ts';
import { openApi } from './fixtures.ts';
import { buildUrl, missingIn, SAMPLES } from './samples.ts';
import { exampleJson, limitsText, listFields, typeText } from './schema-tree.tsx';

const calls = callsIn(openApi);
const callOf = (id: string) => {
  const found = calls.find((call) => call.id === id);
  if (!found) throw new Error(`no call ${id}`);
  return found;
};
const prices = callOf('get-crypto-prices');
const rule = callOf('post-thresholds');
const sample = (
  name: string,
  ...[call, inputs]: Parameters<(typeof SAMPLES)[number][1]> extends [...infer A, string] ? A : never
) => SAMPLES.find(([each]) => each === name)?.[1](call, inputs, 'https://meridian.example');

test('lists every call in document order, by tag in tag order', () => {
  expect(byTag(openApi, calls).map(([tag, inside]) => [tag, inside.map(({ id }) => id)])).toEqual([
    ['Market', ['get-crypto-prices', 'get-crypto-prices-id', 'get-stream']],
    ['Alerts', ['post-thresholds']],
    ['Account', ['get-account']],
  ]);
});

test('references are resolved; scope and plan are found', () => {
  expect(prices.parameters.map(({ name }) => name)).toEqual(['limit', 'format', 'fields']);
  expect(prices.errors).toContainEqual(['403', 'The plan or the scope is too low']);
  expect(prices.answers.map(([kind]) => kind)).toEqual(['application/json', 'text/csv']);
  expect([prices.scope, prices.plan, rule.scope, rule.plan]).toEqual(['market', null, 'alerts:write', 'Pro']);
});

test.each([
  ['crypto price', ['get-crypto-prices', 'get-crypto-prices-id']],
  ['POST', ['post-thresholds']],
  ['fields', ['get-crypto-prices']],
  ['alert rule', ['post-thresholds']],
  ['nothing of it', []],
])('%s finds %j', (text, ids) => {
  expect(matching(calls, text).map(({ id }) => id)).toEqual(ids);
});

test('fields with types, nullable or optional values, and nested levels', () => {
  const [, schema] = prices.answers[0] ?? [];
  const rows = listFields(openApi, schema ?? {});
  expect(rows.map(({ name, type }) => [name, type])).toEqual([
    ['timestamp', 'date-time (ISO 8601, UTC)'],
    ['prices', 'array of object'],
  ]);
  expect(
    listFields(openApi, rows[1]?.inner ?? {}).map(({ name, type, optional, about }) => [name, type, optional, about]),
  ).toEqual([
    ['symbol', 'string', false, 'Such as BTC'],
    ['price', 'number', false, 'In USD'],
    ['high', 'number or null', true, ''],
    ['meta', 'object', true, ''],
  ]);
});

test('types and limits as text', () => {
  expect(typeText(openApi, { type: ['string', 'null'] })).toBe('string or null');
  expect(typeText(openApi, { enum: ['json', 'csv'] })).toBe('"json" | "csv"');
  expect(limitsText({ type: 'integer', minimum: 1, maximum: 500, default: 100 })).toBe('1 to 500, default 100');
  expect(limitsText({ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 })).toBe('');
});

test('the URL follows the input; a missing path parameter is reported', () => {
  expect(buildUrl(prices, { values: { limit: '5', format: '', fields: 'a,b' }, body: '' })).toBe(
    '/api/v1/crypto-prices?limit=5&fields=a%2Cb',
  );
  const one = callOf('get-crypto-prices-id');
  expect(buildUrl(one, { values: {}, body: '' })).toBe('/api/v1/crypto-prices/{id}');
  expect(missingIn(one, { values: {}, body: '' })).toEqual(['id']);
  expect(buildUrl(one, { values: { id: 'a/b' }, body: '' })).toBe('/api/v1/crypto-prices/a%2Fb');
  expect(missingIn(one, { values: { id: 'a' }, body: '' })).toEqual([]);
});

test('samples quote for their shell and language, and never contain the key', () => {
  const body = exampleJson(openApi, rule.body ?? { schema: {}, example: undefined });
  expect(JSON.parse(body)).toEqual({ metric: 'btc_price', value: 0 });
  expect(sample('curl', rule, { values: {}, body: `{"name":"it's"}` })).toBe(
    [
      `curl -X POST 'https://meridian.example/api/v1/thresholds' \\`,
      `  -H "X-API-Key: $MERIDIAN_KEY" \\`,
      `  -H 'Content-Type: application/json' \\`,
      String.raw`  -d '{"name":"it'\''s"}'`,
    ].join('\n'),
  );
  expect(sample('Python', rule, { values: {}, body: '{"a":true}' })).toContain(
    String.raw`json=json.loads("{\"a\":true}")`,
  );
  expect(sample('TypeScript', prices, { values: { limit: '5' }, body: '' })).toContain(
    'fetch("https://meridian.example/api/v1/crypto-prices?limit=5"',
  );
  expect(sample('TypeScript', prices, { values: { format: 'csv' }, body: '' })).toContain('await response.text()');
  const priced = { values: { limit: '5', format: 'csv' }, body: '' };
  expect(sample('Client', prices, priced)).toContain('const text = await meridian.getCryptoPricesCsv({ limit: 5 });');
  expect(sample('curl', callOf('get-stream'), { values: {}, body: '' })).toContain('curl -N ');
});
