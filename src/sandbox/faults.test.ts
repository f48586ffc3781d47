import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { fileSandbox } from '#tests/support/for-file.ts';
import { matchesPath } from './faults.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 3, 27);
const MARKETS = '/coins/markets?vs_currency=usd&per_page=20&price_change_percentage=7d';

const sandbox = fileSandbox(NOW);
afterEach(() => {
  sandbox.faults.clear();
  sandbox.clock.set(NOW);
});

async function get(path = MARKETS, init?: RequestInit) {
  const response = await fetch(`${sandbox.urls['COINGECKO_BASE_URL']}${path}`, init);
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() };
}

describe('an HTTP fault', () => {
  test.each([
    [{ kind: 'rate_limit' } as const, '30'],
    [{ kind: 'rate_limit', retryAfter: 0 } as const, '0'],
    [{ kind: 'rate_limit', retryAfter: null } as const, null],
  ])('%o answers 429 with retry-after %s', async (fault, retryAfter) => {
    sandbox.faults.set({ provider: 'coingecko', ...fault });
    const answer = await get();
    expect(answer).toMatchObject({ status: 429, retryAfter });
    expect(JSON.parse(answer.text)).toMatchObject({ status: { error_code: 429 } });
  });

  test('timeout never answers', async () => {
    sandbox.faults.set({ provider: 'coingecko', kind: 'timeout' });
    await expect(get(MARKETS, { signal: AbortSignal.timeout(120) })).rejects.toThrow(/timeout/i);
  });

  test('slow answers late', async () => {
    sandbox.faults.set({ provider: 'coingecko', kind: 'slow', delayMs: 120 });
    const start = performance.now();
    expect((await get()).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(110);
  });

  test('truncated with cut breaks the connection', async () => {
    sandbox.faults.set({ provider: 'coingecko', kind: 'truncated', cut: true });
    await expect(get()).rejects.toThrow();
  });

  test('malformed is not JSON, or a page', async () => {
    sandbox.faults.set({ provider: 'coingecko', kind: 'malformed', count: 1 });
    const broken = (await get()).text;
    expect(() => JSON.parse(broken)).toThrow(SyntaxError);
    sandbox.faults.set({ provider: 'coingecko', kind: 'malformed', html: true });
    const page = await get();
    expect(page.status).toBe(200);
    expect(page.text).toContain('Request Denied');
  });

  test('concerns its provider, its path and its count alone', async () => {
    sandbox.faults.set({ provider: 'coingecko', path: '/coins/*/ohlc', kind: 'server_error', count: 2 });
    expect((await get()).status).toBe(200);
    expect((await fetch(`${sandbox.urls['COINPAPRIKA_BASE_URL']}/tickers?limit=1`)).status).toBe(200);
    const ohlc = async () => (await get('/coins/sui/ohlc?vs_currency=usd&days=1')).status;
    expect([await ohlc(), await ohlc(), await ohlc()]).toEqual([503, 503, 200]);
  });
});

test('requests are counted per provider and path', async () => {
  const before = sandbox.faults.requests('coingecko', '/coins/*');
  await get();
  await get('/ping');
  expect(sandbox.faults.requests('coingecko', '/coins/*')).toBe(before + 1);
  expect(sandbox.faults.requests('coingecko', '/ping')).toBe(1);
  expect(sandbox.faults.requests('coinbase')).toBe(0);
});

test('a pattern matches whole paths and takes other signs as they are', () => {
  expect(matchesPath('/coins/*', '/coins/markets')).toBe(true);
  expect(matchesPath('/coins', '/coins/markets')).toBe(false);
  expect(matchesPath('/a.b', '/axb')).toBe(false);
});

type Line = {
  open: () => Promise<void>;
  messages: Record<string, unknown>[];
  until: (count: number) => Promise<void>;
  closed: Promise<number>;
  socket: WebSocket;
};

function connect(name: string, path: string, hello: unknown): Line {
  const socket = new WebSocket(`${sandbox.urls[name]}${path}`);
  const messages: Record<string, unknown>[] = [];
  const waiting: { count: number; done: () => void }[] = [];
  socket.on('message', (data: Buffer) => {
    const text = data.toString();
    messages.push(text === 'pong' ? { pong: true } : (JSON.parse(text) as Record<string, unknown>));
    for (const { count, done } of waiting) if (messages.length >= count) done();
  });
  const opened = new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => {
      socket.send(typeof hello === 'string' ? hello : JSON.stringify(hello));
      resolve();
    });
  });
  opened.catch(() => undefined);
  const closed = new Promise<number>((resolve) => {
    socket.once('close', resolve);
  });
  const until = (count: number) =>
    new Promise<void>((done) => {
      if (messages.length >= count) done();
      else waiting.push({ count, done });
    });
  return { open: () => opened, messages, until, closed, socket };
}

const OKX_BTC = { op: 'subscribe', args: [{ channel: 'tickers', instId: 'BTC-USDT' }] };
const COINBASE_BTC = { type: 'subscribe', product_ids: ['BTC-USD', 'SUI-USD'], channels: ['ticker', 'heartbeat'] };

describe('the OKX feed', () => {
  test('answers ping, and an error for a channel or instrument it does not have', async () => {
    const line = connect('OKX_WS_URL', '/public', 'ping');
    await line.open();
    line.socket.send(JSON.stringify({ op: 'subscribe', args: [{ channel: 'news', instId: 'BTC-USDT' }] }));
    line.socket.send(JSON.stringify({ op: 'subscribe', args: [{ channel: 'tickers', instId: 'NO-USDT' }] }));
    line.socket.send('nonsense');
    await line.until(4);
    expect(line.messages[0]).toEqual({ pong: true });
    expect(line.messages.slice(1).map(({ event, code }) => [event, code])).toEqual([
      ['error', '60018'],
      ['error', '60018'],
      ['error', '60012'],
    ]);
    line.socket.close();
  });
});

test('a running clock moves the feed about once a second, and no unchanged price is repeated', async () => {
  const line = connect('OKX_WS_URL', '/public', OKX_BTC);
  await line.until(2);
  sandbox.clock.run();
  const start = performance.now();
  await line.until(4);
  expect(performance.now() - start).toBeGreaterThan(800);
  const prices = line.messages.slice(1).map((message) => (message['data'] as { last: string }[])[0]?.last);
  for (const [i, price] of prices.entries()) if (i > 0) expect(price).not.toBe(prices[i - 1]);
  line.socket.close();
});

describe('a feed fault', () => {
  test('drop closes every connection and refuses new ones until it is cleared', async () => {
    const line = connect('OKX_WS_URL', '/public', OKX_BTC);
    const other = connect('COINBASE_WS_URL', '', COINBASE_BTC);
    await Promise.all([line.until(2), other.until(2)]);
    sandbox.faults.set({ provider: 'okx', kind: 'drop' });
    await line.closed;
    expect(other.socket.readyState).toBe(WebSocket.OPEN);
    await expect(connect('OKX_WS_URL', '/public', OKX_BTC).open()).rejects.toThrow('503');
    sandbox.faults.clear('okx');
    const again = connect('OKX_WS_URL', '/public', OKX_BTC);
    await again.until(2);
    expect(sandbox.connections('okx')).toBe(1);
    again.socket.close();
    other.socket.close();
  });

  test('silent keeps the connection and says nothing', async () => {
    const line = connect('OKX_WS_URL', '/public', OKX_BTC);
    await line.until(2);
    sandbox.faults.set({ provider: 'okx', path: 'ws', kind: 'silent' });
    sandbox.clock.advance(5000);
    line.socket.send('ping');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(line.messages).toHaveLength(2);
    expect(line.socket.readyState).toBe(WebSocket.OPEN);
    sandbox.faults.clear();
    sandbox.clock.advance(5000);
    await line.until(3);
    line.socket.close();
  });

  test('stale stops the prices', async () => {
    const line = connect('OKX_WS_URL', '/public', OKX_BTC);
    await line.until(2);
    sandbox.faults.set({ provider: 'okx', kind: 'stale' });
    sandbox.clock.advance(60_000);
    line.socket.send('ping');
    await line.until(3);
    expect(line.messages[2]).toEqual({ pong: true });
    line.socket.close();
  });
});

/** [provider, name of its address, path, posted body] */
const ENDPOINTS: [id: string, name: string, path: string, posted?: object][] = [
  ['coingecko', 'COINGECKO_BASE_URL', '/global'],
  ['coinpaprika', 'COINPAPRIKA_BASE_URL', '/global'],
  ['alternative-me', 'ALTERNATIVE_ME_BASE_URL', '/fng/?limit=5'],
  ['stablecoins-llama', 'STABLECOINS_LLAMA_BASE_URL', '/stablecoins?includePrices=true'],
  ['llama', 'LLAMA_BASE_URL', '/protocol/binance-cex'],
  ['okx', 'OKX_BASE_URL', '/api/v5/public/open-interest?instType=SWAP'],
  ['bybit', 'BYBIT_BASE_URL', '/v5/market/tickers?category=linear&symbol=BTCUSDT'],
  ['binance-futures', 'BINANCE_FUTURES_BASE_URL', '/fapi/v1/openInterest?symbol=BTCUSDT'],
  ['deribit', 'DERIBIT_BASE_URL', '/api/v2/public/ticker?instrument_name=BTC-PERPETUAL'],
  ['kraken-futures', 'KRAKEN_FUTURES_BASE_URL', '/derivatives/api/v3/tickers'],
  ['hyperliquid', 'HYPERLIQUID_BASE_URL', '/info', { type: 'metaAndAssetCtxs' }],
  ['mempool', 'MEMPOOL_BASE_URL', '/api/v1/mining/hashrate/3d'],
  ['blockchain-charts', 'BLOCKCHAIN_CHARTS_BASE_URL', '/charts/n-unique-addresses?timespan=30days&format=json'],
  ['blockchain-info', 'BLOCKCHAIN_INFO_BASE_URL', '/latestblock'],
  ['ethereum', 'ETHEREUM_RPC_BASE_URL', '', { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }],
  ['coinmetrics', 'COINMETRICS_BASE_URL', '/v4/timeseries/asset-metrics?assets=btc&metrics=FlowInExNtv&page_size=30'],
  ['fred', 'FRED_BASE_URL', '/graph/fredgraph.csv?id=DGS10'],
  [
    'fred-api',
    'FRED_API_BASE_URL',
    '/fred/series/observations?series_id=PPIFIS&api_key=demo&realtime_start=2026-10-01',
  ],
  ['bls', 'BLS_BASE_URL', '/publicAPI/v1/timeseries/data/', { seriesid: ['CUUR0000SA0'] }],
  [
    'bls',
    'BLS_BASE_URL',
    '/publicAPI/v2/timeseries/data/',
    { seriesid: ['CUSR0000SA0', 'WPSFD4'], registrationkey: 'demo', startyear: '2025', endyear: '2026' },
  ],
  ['bea', 'BEA_BASE_URL', '/api/data?UserID=demo&TableName=T20804&Year=2025,2026'],
  ['cleveland-fed', 'CLEVELAND_FED_BASE_URL', '/-/media/files/webcharts/inflationnowcasting/nowcast_month.json'],
  ['faireconomy', 'CONSENSUS_CALENDAR_BASE_URL', '/ff_calendar_thisweek.json'],
  ['federal-reserve', 'FEDERAL_RESERVE_BASE_URL', '/feeds/press_all.xml'],
  ['bls-schedule', 'BLS_SCHEDULE_BASE_URL', '/schedule/news_release/bls.ics'],
  ['bea-schedule', 'BEA_SCHEDULE_BASE_URL', '/API/signup/release_dates.json'],
  ['sec', 'SEC_BASE_URL', '/news/pressreleases.rss'],
  ['cftc', 'CFTC_BASE_URL', '/RSS/RSSGP/rssgp.xml'],
  ['finnhub', 'FINNHUB_BASE_URL', '/calendar/earnings?token=k'],
  ['solana', 'SOLANA_RPC_BASE_URL', '', { jsonrpc: '2.0', id: 1, method: 'getRecentPerformanceSamples', params: [10] }],
  ['sui', 'SUI_GRAPHQL_BASE_URL', '', { query: '{ checkpoint(sequenceNumber: null) { sequenceNumber } }' }],
];

describe.each(ENDPOINTS)('%s %s%s', (provider, name, path, posted) => {
  async function ask() {
    const headers = { 'user-agent': 'Meridian/1.0 (support@meridian.example)' };
    const init = posted === undefined ? { headers } : { method: 'POST', body: JSON.stringify(posted) };
    const response = await fetch(`${sandbox.urls[name]}${path}`, init);
    return { status: response.status, text: await response.text() };
  }

  test('answers, and another time otherwise', async () => {
    const first = await ask();
    expect(first.status).toBe(200);
    expect(await ask()).toEqual(first);
    sandbox.clock.advance(40 * 86_400_000 + 1_900_000);
    expect((await ask()).text).not.toBe(first.text);
  });

  test('can be limited, broken, cut off, made up and stopped', async () => {
    const good = (await ask()).text;
    sandbox.faults.set({ provider, kind: 'rate_limit', count: 1 });
    expect((await ask()).status).toBe(429);
    for (const kind of ['rate_limit_200', 'error_200', 'truncated', 'malformed'] as const) {
      sandbox.faults.set({ provider, kind, count: 1 });
      const { status, text } = await ask();
      expect(status, kind).toBe(200);
      expect(text, kind).not.toBe(good);
    }
    sandbox.faults.set({ provider, kind: 'server_error', count: 1 });
    expect((await ask()).status).toBe(503);
    sandbox.faults.set({ provider, kind: 'nulls', count: 1 });
    expect((await ask()).status).toBe(200);
    sandbox.faults.set({ provider, kind: 'stale' });
    sandbox.clock.advance(3_600_000);
    expect((await ask()).text).toBe(good);
  });
});
