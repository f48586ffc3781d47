import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  getHistory,
  HISTORY_TYPES,
  type HistoryRecord,
  type HistoryReply,
} from '#features/exports/contract/history.ts';
import { TRACKED } from '#features/market/contract/market.ts';
import { type Db, openDatabase } from '#kernel/db.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { NOON, start, type TestProduct } from '#tests/support/start.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let s: TestProduct;
let db: Db;
let close: () => Promise<void>;
let pro: TestUser;
let free: TestUser;

const at = (daysAgo: number): string => new Date(NOON.getTime() - daysAgo * DAY_MS).toISOString();

type Written = { metric: string; source: string; value: number; at: string; method?: string };
async function write(rows: Written[]): Promise<void> {
  for (const { metric, source, value, at: observed, method = 'measured' } of rows)
    await sql`insert into metric_observations (metric, source, observed_at, value, fetched_at, method)
      values (${metric}, ${source}, ${observed}, ${value}, ${at(0)}, ${method})`.execute(db);
}
const days = (metric: string, source: string, values: readonly number[], method?: string): Written[] =>
  values.map((value, i) => ({ metric, source, value, at: at(i), ...(method ? { method } : {}) }));
const row = (length: number, first: number, step = 0) => Array.from({ length }, (_, i) => first + i * step);

async function read(path: string, who: Pick<TestUser, 'get'> = pro): Promise<HistoryReply> {
  const answer = await who.get(`/api/history/${path}`);
  expect([answer.statusCode, answer.body.slice(0, 200)]).toEqual([200, expect.anything()]);
  return getHistory.reply.parse(answer.json());
}
async function readAll(path: string, limit: number, between?: () => Promise<void>): Promise<HistoryRecord[]> {
  const records: HistoryRecord[] = [];
  const sign = path.includes('?') ? '&' : '?';
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: HistoryReply = await read(`${path}${sign}limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`);
    expect(page.records.length).toBeLessThanOrEqual(limit);
    records.push(...page.records);
    cursor = page.nextCursor;
    await between?.();
  }
  return records;
}
const values = ({ records }: HistoryReply) => records.map(({ value }) => value);

beforeAll(async () => {
  s = await start({ env: { COIN_LIMIT: '40' } });
  await s.job('market.listing');
  for (const id of [...TRACKED.map((coin) => coin.id), 'cardano'])
    await s.product.scheduler.runManually('market.backfill', { coinId: id });
  ({ db, close } = openDatabase(s.connection, () => undefined, 2));
  pro = await registerUser(s, 'pro', 'pro');
  free = await registerUser(s, 'free');
  await write([
    ...days('macro.sp500', 'fred', [6600, 6550, 6500]),
    ...days('macro.dollar_broad', 'fred', [121, 120]),
    ...days('macro.us10y', 'fred', [4.2, 4]),
    ...days('macro.us2y', 'fred', [3.7]),
    ...days('macro.vix', 'fred', [20, 16]),
    ...days('macro.oil_wti', 'fred', [70, 80]),
    ...days('market.cap', 'coingecko', [3e12, 2.9e12, 2.8e12]),
    ...days('market.cap', 'coinpaprika', row(60, 2e12, 1)),
    ...days('altcoin_season', 'meridian', [80, 75, 74, 25, 24], 'computed'),
    ...days('oi.btc', 'meridian', [2e10, 1e10], 'computed'),
    ...days('funding.btc', 'meridian', [0.01, -0.02, 0], 'computed'),
    ...days('flow.btc.net', 'llama', [-50, 100]),
    ...days('hash_rate', 'blockchain-charts', row(41, 9e20, 1e18)),
    ...days('hash_rate', 'mempool', row(40, 8e20, 1e18)),
    ...days('difficulty', 'mempool', row(10, 1e14)),
    ...days('difficulty', 'blockchain-charts', row(60, 2e14)).slice(20),
  ]);
});
afterAll(async () => {
  await close?.();
  await s?.stop();
});

describe('GET /api/history/:type', () => {
  test('each of the 11 types returns values with unit, source and method', async () => {
    for (const type of HISTORY_TYPES) {
      const { records, symbols, reason } = await read(type);
      expect([type, records.length > 0, reason]).toEqual([type, true, null]);
      for (const record of records) {
        expect(symbols).toContain(record.symbol);
        expect(record).toMatchObject({ unit: expect.any(String), source: expect.stringMatching(/./) });
      }
      const times = records.map(({ timestamp }) => timestamp);
      expect(times).toEqual(times.toSorted().toReversed());
    }
  });

  test('a record as stored, with its change from the previous one', async () => {
    const { records } = await read('EQUITY_INDEX?symbol=sp500&limit=2');
    expect(records).toEqual([
      {
        id: `SP500@${at(0)}`,
        timestamp: at(0),
        symbol: 'SP500',
        value: 6600,
        unit: 'points',
        source: 'FRED',
        fetchedAt: at(0),
        method: 'measured',
        change: 50,
        change_percent: expect.closeTo((50 / 6550) * 100, 10),
      },
      expect.objectContaining({ value: 6550, change: 50, change_percent: expect.closeTo((50 / 6500) * 100, 10) }),
    ]);
  });

  test('a change matches decimal arithmetic, without floating-point noise', async () => {
    const [yielded] = (await read('TREASURY_YIELD?symbol=US10Y')).records;
    expect(yielded).toMatchObject({ value: 4.2, change: 0.2 });
    const [rate] = (await read('DERIVATIVES?symbol=FUNDING_BTC')).records;
    expect(rate).toMatchObject({ value: 0.01, change: 0.03 });
  });

  test('the oldest value of a series has no change; a rate and a flow have none in percent', async () => {
    const last = (await read('EQUITY_INDEX')).records.at(-1);
    expect(last).toMatchObject({ value: 6500, change: null, change_percent: null });
    const funding = (await read('DERIVATIVES?symbol=FUNDING_BTC')).records;
    expect(funding.map(({ change }) => change)).toEqual([0.03, -0.02, null]);
    expect(funding.map((record) => record.change_percent)).toEqual([null, null, null]);
    const [flow] = (await read('ONCHAIN?symbol=BTC_NET_FLOW')).records;
    expect(flow).toMatchObject({ value: -50, change: -150, change_percent: null });
  });

  test('the season indicator is the state of the index: 75 is altcoin season, 25 neutral, lower is Bitcoin season', async () => {
    expect(values(await read('ALTCOIN_SEASON'))).toEqual([80, 75, 74, 25, 24]);
    const states = await read('SEASON_INDICATOR');
    expect(values(states)).toEqual([1, 1, 0, 0, -1]);
    expect(states.records[1]).toMatchObject({
      change: 1,
      change_percent: null,
      source: 'Meridian',
      method: 'computed',
    });
  });

  test('one source per series: the longest history, then the best, and none that went silent', async () => {
    const sources = async (path: string) => [...new Set((await read(path)).records.map(({ source }) => source))];
    expect(await sources('TOTAL_MARKET_CAP')).toEqual(['CoinPaprika']);
    expect(await sources('ONCHAIN?symbol=BTC_HASH_RATE')).toEqual(['mempool.space']);
    expect(await sources('ONCHAIN?symbol=BTC_DIFFICULTY')).toEqual(['mempool.space']);
  });

  test('prices: hourly closes of the tracked five, and daily ones before them', async () => {
    const { records, symbols } = await read('CRYPTO_PRICE?limit=500');
    expect(new Set(records.map(({ symbol }) => symbol))).toEqual(new Set(['BTC', 'ETH', 'SOL', 'SUI', 'XRP']));
    expect(symbols).toContain('ADA');
    const all = await readAll('CRYPTO_PRICE?symbol=ada', 500);
    const stored = await sql<{ at: string; close: number; source: string }>`
      with coin as (select key from coins where symbol = 'ADA'),
      hours as (select c.* from candles_1h c, coin where coin_key = key and c.at + interval '1 hour' <= ${at(0)})
      select h.at + interval '1 hour' as at, h.close from hours h
      union all
      select d.at + interval '24 hours', d.close from candles_1d d, coin where d.coin_key = key
        and d.at < (select date_trunc('day', min(h.at), 'UTC') from hours h)
      order by 1 desc`.execute(db);
    expect(all.map(({ timestamp, value }) => [timestamp, value])).toEqual(
      stored.rows.map(({ at: moment, close: price }) => [moment, price]),
    );
    const steps = all.slice(1).map(({ timestamp }, i) => Date.parse(all[i]?.timestamp ?? '') - Date.parse(timestamp));
    expect(new Set(steps.slice(0, 100))).toEqual(new Set([HOUR_MS]));
    expect(steps.at(-1)).toBe(DAY_MS);
    for (const [i, { change, value }] of all.entries())
      expect(change).toEqual(all[i + 1] ? expect.closeTo(value - (all[i + 1] as HistoryRecord).value, 9) : null);
  });

  test('a symbol and a range, both ends inclusive', async () => {
    const { records } = await read(`EQUITY_INDEX?symbol=SP500&from=${at(1)}&to=${at(1)}`);
    expect(records).toMatchObject([{ value: 6550, change: 50 }]);
  });

  test.each([
    ['a symbol that is not there', 'EQUITY_INDEX?symbol=NASDAQ', 'No NASDAQ in this data type'],
    ['a range to come', 'VOLATILITY_INDEX?from=2027-01-01T00:00:00Z', 'This range is in the future'],
    ['an empty range', 'VOLATILITY_INDEX?to=2020-01-01T00:00:00Z', 'No data stored for this range'],
    ['no source', 'ONCHAIN?symbol=ETH_ACTIVE_ADDRESSES', /COINMETRICS_LICENSED=1/],
    [
      'a coin without a past',
      'CRYPTO_PRICE?symbol=DOGE',
      'History for this coin is still being collected, or no source provides it',
    ],
  ])('empty, with the reason: %s', async (_what, path, reason) => {
    expect(await read(path)).toMatchObject({
      records: [],
      nextCursor: null,
      reason: typeof reason === 'string' ? reason : expect.stringMatching(reason),
    });
  });

  test.each([
    ['CRYPTO', 'Unknown history type'],
    ['DXY?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'The range ends before it starts'],
    ['DXY?from=yesterday', 'Times must be written as 2026-01-31T00:00:00Z'],
    ['DXY?limit=0', /^limit/],
    ['DXY?limit=501', /^limit/],
    ['DXY?cursor=nonsense', 'Invalid cursor for this list'],
    [`DXY?cursor=${Buffer.from('99999999999999999 X').toString('base64url')}`, 'Invalid cursor for this list'],
    [`DXY?symbol=${'X'.repeat(41)}`, /^symbol/],
  ])('400: %s', async (path, error) => {
    const answer = await pro.get(`/api/history/${path}`);
    expect([answer.statusCode, answer.json().error]).toEqual([
      400,
      typeof error === 'string' ? error : expect.stringMatching(error),
    ]);
  });
});

describe('what a plan includes', () => {
  test.each([
    ['anonymous', () => s],
    ['free', () => free],
  ])('%s: the last 30 days', async (_who, who) => {
    const reply = await read('TOTAL_MARKET_CAP?limit=500', who());
    expect([reply.limitedToDays, reply.records.length, reply.nextCursor]).toEqual([30, 31, null]);
    expect(reply.records.at(-1)).toMatchObject({ timestamp: at(30), change: -1 });
    const asked = await read(`TOTAL_MARKET_CAP?from=${at(50)}&to=${at(40)}`, who());
    expect(asked).toMatchObject({ records: [], reason: 'This range is older than your plan includes' });
  });

  test('a cursor does not exceed them; Pro sees everything', async () => {
    const cursor = Buffer.from(`${Date.parse(at(35))} TOTAL`).toString('base64url');
    expect((await read(`TOTAL_MARKET_CAP?cursor=${cursor}`, free)).records).toEqual([]);
    expect((await read(`TOTAL_MARKET_CAP?cursor=${cursor}`)).records).toHaveLength(24);
    const all = await read('TOTAL_MARKET_CAP?limit=500');
    expect([all.limitedToDays, all.records.length]).toEqual([null, 60]);
  });
});

describe('paging', () => {
  test('pages of any length joined equal the whole, while rows are added', async () => {
    const whole = await readAll('DERIVATIVES', 500);
    expect(whole.length).toBe(5);
    let added = 0;
    const add = async () => {
      added++;
      s.advance(1000);
      const later = s.clock.now().toISOString();
      await write([{ metric: 'oi.eth', source: 'meridian', value: added, at: later, method: 'computed' }]);
    };
    const long = await readAll('CRYPTO_PRICE', 500);
    expect(long.length).toBeGreaterThan(5000);
    expect(new Set(long.map(({ id }) => id)).size).toBe(long.length);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 500 }), fc.nat({ max: 300 }), async (limit, skip) => {
        const first = await read(`CRYPTO_PRICE?limit=${skip + 1}`);
        const next = await read(`CRYPTO_PRICE?limit=${limit}&cursor=${first.nextCursor}`);
        expect([...first.records, ...next.records]).toEqual(long.slice(0, skip + 1 + limit));
      }),
      { numRuns: 25 },
    );
    for (const limit of [1, 2, 3]) {
      const before = await readAll('DERIVATIVES', 500);
      expect(await readAll('DERIVATIVES', limit, add)).toEqual(before);
    }
  });
});
