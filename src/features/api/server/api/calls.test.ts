import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type ApiFixture, createApiFixture, makeKey } from '#tests/support/api-fixture.ts';
import { sendRequest } from '#tests/support/people.ts';
import { storeReplay } from '#tests/support/replay.ts';

let world: ApiFixture;
beforeAll(async () => {
  world = await createApiFixture();
}, 240_000);
afterAll(() => world.s.stop());

type Headers = Record<string, string>;
const read = (path: string, headers: Headers = {}) =>
  world.s.get(`/api/v1/${path}`, { 'x-api-key': world.key, ...headers });
const refused = async (path: string, headers: Headers = {}) => {
  const answer = await read(path, headers);
  return [answer.statusCode, answer.json()];
};

const READS = [
  'market-data',
  'brief',
  'crypto-prices',
  'crypto-prices/bitcoin',
  'crypto-prices/bitcoin/ranges',
  'candles?symbol=BTC',
  'sources',
  'analysis',
  'predictions',
  'track-record',
  'track-record/replay',
  'track-record/calls',
  'track-record/ranges',
  'league',
  'analytics/summary',
  'analytics/risk',
  'analytics/correlation',
  'events',
  'inflation',
  'inflation/releases',
  'inflation/forecasts',
  'inflation/expectations',
  'inflation/sentiment',
  'alerts',
  'thresholds',
  'history/CRYPTO_PRICE',
  'account',
];

describe('every read', () => {
  test.each(READS)('GET /api/v1/%s: 200 with ETag, limits and CORS, then 304 by its ETag', async (path) => {
    const first = await read(path);
    expect([first.statusCode, first.json().dataMode ?? 'demo']).toEqual([200, 'demo']);
    expect(first.headers).toMatchObject({
      etag: expect.stringMatching(/^"[\w-]{20,}"$/),
      'cache-control': 'private, no-cache',
      vary: 'accept, accept-encoding, authorization, x-api-key',
      'access-control-allow-origin': '*',
    });
    const again = await read(path, { 'if-none-match': String(first.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const head = await sendRequest(world.s, 'HEAD' as 'GET', `/api/v1/${path}`, undefined, { token: world.key });
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', first.headers.etag]);
  });

  test('is compressed on request', async () => {
    const [plain, chosen] = [
      await read('market-data', { 'accept-encoding': 'br' }),
      await read('market-data?fields=advancedMetrics', { 'accept-encoding': 'gzip' }),
    ];
    expect([plain.headers['content-encoding'], chosen.headers['content-encoding']]).toEqual(['br', 'gzip']);
  });

  test('errors have the wire format, with CORS: an unknown call, wrong method, unknown parameter', async () => {
    expect(await refused('nothing')).toEqual([404, { error: 'Unknown endpoint', code: 'not_found' }]);
    const put = await sendRequest(world.s, 'PUT', '/api/v1/market-data', {}, { token: world.key });
    expect([put.statusCode, put.json().code, put.headers['access-control-allow-origin']]).toEqual([
      404,
      'not_found',
      '*',
    ]);
    expect(await refused('market-data?pretty=1')).toEqual([
      400,
      { error: 'Unknown parameter "pretty"', code: 'bad_request' },
    ]);
    const keyless = await world.s.get('/api/v1/market-data');
    expect([keyless.statusCode, keyless.headers['access-control-allow-origin']]).toEqual([401, '*']);
  });

  test('OPTIONS lets any origin send a key', async () => {
    const { statusCode, headers } = await world.s.product.app.inject({ method: 'OPTIONS', url: '/api/v1/market-data' });
    expect([statusCode, headers['access-control-allow-origin'], headers['access-control-allow-headers']]).toEqual([
      204,
      '*',
      expect.stringContaining('X-API-Key'),
    ]);
  });
});

describe('the replay', () => {
  test('GET /api/v1/track-record/replay: null, then as on the page; the live record is unchanged', async () => {
    const live = (await read('track-record')).json();
    expect((await read('track-record/replay')).json()).toEqual({ dataMode: 'demo', replay: null });
    const replay = await storeReplay(world.s);
    expect((await read('track-record/replay')).json()).toEqual({ dataMode: 'demo', replay });
    expect((await read('track-record')).json().cells).toEqual(live.cells);
  });

  test('a past point in time is rejected', async () => {
    expect(await refused('track-record/replay?asOf=2026-11-19T00:00:00Z')).toEqual([
      400,
      { error: 'Unknown parameter "asOf"', code: 'bad_request' },
    ]);
  });
});

describe('fields', () => {
  test('only the chosen ones, plus source and age', async () => {
    const answer = (await read('crypto-prices?limit=1&fields=prices.symbol,prices.price')).json();
    expect(Object.keys(answer).toSorted()).toEqual(['dataMode', 'nextCursor', 'prices', 'timestamp']);
    expect(Object.keys(answer.prices[0]).toSorted()).toEqual(['meta', 'price', 'symbol']);
    const volume = (await read('crypto-prices?limit=1&fields=prices.volume_24h')).json();
    expect(Object.keys(volume.prices[0]).toSorted()).toEqual(['listing', 'meta', 'volume_24h']);
  });

  test('a value in a list has its own certificate; candles have that of the response', async () => {
    const { advancedMetrics } = (await read('market-data?fields=advancedMetrics.totalMarketCap.value')).json();
    expect(advancedMetrics.totalMarketCap).toEqual({
      value: expect.any(Number),
      meta: { value: expect.objectContaining({ method: 'demo', source: expect.any(String) }) },
    });
    const chart = (await read('candles?symbol=BTC&interval=D&limit=2&fields=candles.close')).json();
    expect(chart.candles[0]).toEqual({ close: expect.any(Number) });
    expect(chart.meta).toMatchObject({ method: 'demo' });
  });

  test.each([
    ['fields=nothing', 'Unknown field "nothing"'],
    ['fields=prices.nothing', 'Unknown field "prices.nothing"'],
    ['fields=prices.__proto__', 'Unknown field "prices.__proto__"'],
    ['fields=', 'Specify at least one field'],
  ])('%s is rejected by name', async (query, error) => {
    expect(await refused(`crypto-prices?${query}`)).toEqual([400, { error, code: 'bad_request' }]);
  });
});

describe('pages', () => {
  test.each([
    ['crypto-prices', 'prices', 7],
    ['candles?symbol=BTC&interval=D', 'candles', 6],
    ['events', 'events', 9],
    ['sources', 'sources', 4],
    ['track-record/calls?asset=BTC', 'calls', 5],
    ['history/CRYPTO_PRICE?symbol=BTC', 'records', 50],
  ])('%s: all pages joined equal the whole', async (path, list, limit) => {
    const join = path.includes('?') ? '&' : '?';
    const whole = (await read(`${path}${join}limit=100`)).json()[list] as unknown[];
    expect(whole.length).toBeGreaterThan(limit);
    const rows: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null && rows.length < whole.length) {
      const page = await read(`${path}${join}limit=${limit}${cursor && `&cursor=${cursor}`}`);
      rows.push(...(page.json()[list] as unknown[]));
      cursor = page.json().nextCursor as string | null;
      const link = page.headers.link ?? '';
      expect(link).toContain(cursor === null ? '' : `cursor=${cursor}`);
      if (cursor === null) expect(link).toBe('');
    }
    expect(rows.slice(0, whole.length)).toEqual(whole);
  });

  test('a cursor of another list and an invalid one are rejected', async () => {
    const { nextCursor } = (await read('crypto-prices?limit=1')).json();
    const refusal = [400, { error: 'Invalid cursor for this list', code: 'bad_request' }];
    expect(await refused(`events?cursor=${nextCursor}`)).toEqual(refusal);
    expect(await refused('track-record/calls?cursor=MTI')).toEqual(refusal);
    expect(await refused('history/CRYPTO_PRICE?cursor=MTI')).toEqual(refusal);
    expect(await refused('crypto-prices?limit=501')).toEqual([
      400,
      { error: 'limit: must be a whole number from 1 to 500', code: 'bad_request' },
    ]);
  });
});

describe('a past point in time', () => {
  test('matches the screen', async () => {
    const asOf = new Date(world.s.clock.now().getTime() - 3_600_000).toISOString();
    const shown = (await world.who.get(`/api/dashboard?asOf=${asOf}`)).json();
    expect((await read(`crypto-prices?asOf=${asOf}`)).json()).toMatchObject({ prices: shown.cryptoPrices, asOf });
    expect((await read(`market-data?asOf=${asOf}`)).json()).toMatchObject({
      totals: shown.totals,
      advancedMetrics: shown.advancedMetrics,
      asOf,
    });
    expect((await read(`analysis?asOf=${asOf}`)).json().aiAnalysis).toEqual(shown.aiAnalysis);
    expect((await read(`track-record?asOf=${asOf}`)).json()).toMatchObject(shown.backtestResults);
    const inflation = (await world.who.get(`/api/inflation/at?asOf=${asOf}`)).json();
    expect((await read(`inflation?asOf=${asOf}`)).json()).toMatchObject(inflation.latest);
    expect((await read(`inflation/sentiment?asOf=${asOf}`)).json().data).toEqual(inflation.reading);
    expect((await read(`inflation/releases?asOf=${asOf}`)).json().releases).toEqual(inflation.releases);
  });

  test('in the future or malformed is rejected', async () => {
    const later = new Date(world.s.clock.now().getTime() + 1000).toISOString();
    expect(await refused(`market-data?asOf=${later}`)).toEqual([
      400,
      { error: 'This time is in the future', code: 'bad_request' },
    ]);
    expect(await refused('inflation?asOf=yesterday')).toEqual([
      400,
      { error: 'asOf: must be an ISO 8601 time such as 2026-11-20T12:00:00Z', code: 'bad_request' },
    ]);
  });
});

describe('CSV', () => {
  test.each([
    ['by Accept', 'crypto-prices?limit=2&fields=prices.symbol,prices.price', { accept: 'text/csv' }],
    [
      'by Accept with weights',
      'crypto-prices?limit=2&fields=prices.symbol,prices.price',
      { accept: 'application/json;q=0.5, text/csv' },
    ],
    ['by format', 'crypto-prices?limit=2&fields=prices.symbol,prices.price&format=csv', {}],
  ])('%s: one column per leaf, with ETag and link', async (_how, path, headers) => {
    const answer = await read(path, headers);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    const lines = answer.body.split('\r\n');
    expect(lines[0]).toMatch(/^symbol,price,meta\.source,meta\.observedAt,/);
    expect(lines[1]).toMatch(/^BTC,\d/);
    expect(lines).toHaveLength(4);
    expect(answer.headers.link).toMatch(/rel="next"$/);
    const again = await read(path, { ...headers, 'if-none-match': String(answer.headers.etag) });
    expect(again.statusCode).toBe(304);
  });

  test('an unsupported format is 406', async () => {
    const words = (more = '') => [406, { error: `This endpoint returns application/json${more}`, code: 'bad_request' }];
    expect(await refused('market-data', { accept: 'text/csv' })).toEqual(words());
    expect(await refused('crypto-prices', { accept: 'image/png' })).toEqual(words(' or text/csv'));
    expect(await refused('crypto-prices', { accept: 'application/json;q=0' })).toEqual(words(' or text/csv'));
  });
});

describe('plans and scopes', () => {
  test('a rule is tested and created with the checks of the screen, under a separate scope', async () => {
    const { s, who } = world;
    const body = { name: 'High', metric: 'eth_price', condition: 'above', value: 1_000_000 };
    const post = (path: string, key: string, payload: object = body) =>
      s.product.app.inject({ method: 'POST', url: `/api/v1/${path}`, headers: { 'x-api-key': key }, payload });
    expect((await post('thresholds', world.key)).json()).toMatchObject({ code: 'forbidden' });
    const { api_key: key } = await makeKey(who, { scopes: ['alerts', 'alerts:write'] });
    expect((await post('thresholds/preview', key)).json()).toMatchObject({ metric: 'eth_price', dataMode: 'demo' });
    const made = await post('thresholds', key);
    expect([made.statusCode, made.json()]).toEqual([200, expect.objectContaining({ name: 'High', state: 'armed' })]);
    expect((await who.get('/api/alerts/thresholds')).json()).toMatchObject([{ name: 'High' }]);
    expect((await read('thresholds')).json().thresholds).toMatchObject([{ name: 'High' }]);
    const same = { ...body, metric: 'nothing' };
    const [there, here] = [await post('thresholds', key, same), await who.post('/api/alerts/thresholds/rules', same)];
    expect([there.statusCode, there.json()]).toEqual([here.statusCode, here.json()]);
  });
});
