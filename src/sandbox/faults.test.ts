import { afterEach, describe, expect, test } from 'vitest';
import { fileSandbox } from '#tests/support/for-file.ts';

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
  test('truncated with cut drops the connection', async () => {
    sandbox.faults.set({ provider: 'coingecko', kind: 'truncated', cut: true });
    await expect(get()).rejects.toThrow();
  });

  test('affects its provider, its path and its count only', async () => {
    sandbox.faults.set({ provider: 'coingecko', path: '/coins/*/ohlc', kind: 'server_error', count: 2 });
    expect((await get()).status).toBe(200);
    expect((await fetch(`${sandbox.urls['COINPAPRIKA_BASE_URL']}/tickers?limit=1`)).status).toBe(200);
    const ohlc = async () => (await get('/coins/sui/ohlc?vs_currency=usd&days=1')).status;
    expect([await ohlc(), await ohlc(), await ohlc()]).toEqual([503, 503, 200]);
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

  test('responds, and differently at another time', async () => {
    const first = await ask();
    expect(first.status).toBe(200);
    expect(await ask()).toEqual(first);
    sandbox.clock.advance(40 * 86_400_000 + 1_900_000);
    expect((await ask()).text).not.toBe(first.text);
  });

  test('can be limited, broken, cut off, faked and stopped', async () => {
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
