import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { getCandles, getCoin, listPrices, sparklines } from '#features/market/contract/market.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { registerUser } from '#tests/support/people.ts';
import { startLiveTicks } from './providers/live-ticks.ts';
import { type Collector, startCollector } from './service/collector.ts';
import { coinsWithoutOlder } from './store/candles.ts';

const s = fileProduct({ env: { COIN_LIMIT: '250' } }, 'market.listing');
test('GET /api/prices: 200: every coin by market cap, with totals', async () => {
  const body = listPrices.reply.parse((await s.get('/api/prices')).json());
  expect(body.prices).toHaveLength(250);
  expect(body.prices[0]).toMatchObject({ id: 'bitcoin', symbol: 'BTC', rank: 1 });
  expect(body.totals.coins).toBe(250);
});

test('GET /api/prices/sparklines: 200: seven days of closes for every coin, ending near its price', async () => {
  const { series } = sparklines.parse((await s.get('/api/prices/sparklines')).json());
  expect(Object.keys(series)).toHaveLength(250);
  const bitcoin = s.product.market.ctx.board.find('bitcoin');
  const last = series['bitcoin']?.points.at(-1) ?? 0;
  expect(Math.abs(last / (bitcoin?.price ?? 1) - 1)).toBeLessThan(0.05);
  expect(series['bitcoin']?.points.length).toBeLessThanOrEqual(57);
});

describe('GET /api/coins/:id', () => {
  test('200: the coin and the latest value of every source, newest first', async () => {
    await s.job('market.tickers');
    s.sandbox.faults.set({ kind: 'server_error', provider: 'coingecko' });
    s.advance(300_000);
    await s.job('market.listing');
    s.sandbox.faults.clear();
    const { coin, quotes } = getCoin.reply.parse((await s.get('/api/coins/bitcoin')).json());
    expect(coin.id).toBe('bitcoin');
    expect(quotes.map((quote) => quote.source).toSorted()).toEqual(['CoinGecko', 'CoinPaprika']);
    const times = quotes.map((quote) => quote.meta.observedAt);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test.each([
    ['404: a coin nobody lists', '/api/coins/not-a-coin', 404, 'Unknown coin'],
    ['400: an id that cannot be one', '/api/coins/BAD%20ID', 400, 'Unknown coin'],
  ])('%s', async (_what, url, status, error) => {
    const res = await s.get(url);
    expect(res.statusCode).toBe(status);
    expect(res.json().error).toContain(error);
  });
});

describe('GET /api/coins/:id/candles', () => {
  test('200: without history, reports that it is loading and requests it', async () => {
    const body = getCandles.reply.parse((await s.get('/api/coins/solana/candles?range=7d')).json());
    expect(body).toMatchObject({ range: '7d', interval: '1h', history: 'loading' });
    const waiting = await s.product.scheduler.waiting('market.backfill');
    expect(waiting).toContainEqual({ coinId: 'solana' });
  });

  test.each([
    ['24h', '5m', 280, 290],
    ['7d', '1h', 165, 170],
    ['30d', '4h', 178, 183],
    ['1y', '1d', 363, 367],
    ['all', '1d', 363, 5000],
  ])('200: %s after the history was fetched', async (range, interval, least, most) => {
    await s.job('market.backfill', { coinId: 'bitcoin' });
    const caller = range === '1y' || range === 'all' ? await registerUser(s, `pro-${range}`, 'pro') : s;
    const body = getCandles.reply.parse((await caller.get(`/api/coins/bitcoin/candles?range=${range}`)).json());
    expect(body).toMatchObject({ range, interval, history: 'complete' });
    expect(body.candles.length).toBeGreaterThanOrEqual(least);
    expect(body.candles.length).toBeLessThanOrEqual(most);
    const times = body.candles.map((candle) => candle.at);
    expect(times).toEqual([...new Set(times)].toSorted());
    for (const { open, high, low, close } of body.candles) {
      expect(high).toBeGreaterThanOrEqual(Math.max(open, close));
      expect(low).toBeLessThanOrEqual(Math.min(open, close));
    }
    expect(body.meta).toMatchObject({ source: 'OKX', method: 'computed' });
  });

  test.each(['nobody', 'free'])('403: %s sees the last 30 days, a year requires Pro', async (who) => {
    const caller = who === 'free' ? await registerUser(s, 'free', 'free') : s;
    const answer = await caller.get('/api/coins/bitcoin/candles?range=1y');
    const error = 'Your plan includes the last 30 days. Pro includes full history.';
    expect([answer.statusCode, answer.json()]).toEqual([403, { error, code: 'upgrade_required' }]);
  });

  test('200: a coin without an exchange listing gets its history from the price list’s source', async () => {
    const listed = new Set(s.product.market.ctx.board.coins().map((coin) => coin.id));
    const coinId = s.product.market.ctx.board.prices().findLast((coin) => listed.has(coin.id))?.id ?? '';
    await s.job('market.backfill', { coinId });
    const body = getCandles.reply.parse((await s.get(`/api/coins/${coinId}/candles?range=30d`)).json());
    expect(body.history).toBe('complete');
    expect(body.candles.length).toBeGreaterThan(170);
  });

  test.each([
    ['404: an unknown coin', '/api/coins/not-a-coin/candles', 404],
    ['400: a range that is not offered', '/api/coins/bitcoin/candles?range=2d', 400],
  ])('%s', async (_what, url, status) => {
    expect((await s.get(url)).statusCode).toBe(status);
  });
});

describe('coin history', () => {
  const DAY_MS = 86_400_000;
  const hoursOf = async (coinId: string) => {
    const { times } = await s.product.market.closes(
      coinId,
      new Date(s.clock.now().getTime() - 92 * DAY_MS),
      s.clock.now(),
    );
    return [...times].filter((at, i) => at - (times[i - 1] ?? 0) === DAY_MS / 24).length;
  };

  test('has 92 days of hours where alerts are backtested on it, 31 elsewhere, and days before them', async () => {
    await s.job('market.backfill', { coinId: 'bitcoin' });
    await s.job('market.backfill', { coinId: 'dogecoin' });
    expect(await hoursOf('bitcoin')).toBeGreaterThan(92 * 24 - 3);
    const hours = await hoursOf('dogecoin');
    expect(hours).toBeGreaterThan(31 * 24 - 3);
    expect(hours).toBeLessThan(31 * 24 + 3);
    const year = await s.product.market.closes(
      'dogecoin',
      new Date(s.clock.now().getTime() - 365 * DAY_MS),
      s.clock.now(),
    );
    expect(year.times.length - hours).toBeGreaterThan(330);
    expect(year.times).toEqual(year.times.toSorted());
    expect(year.source).toBe('OKX');
  });

  test('is requested again once a day if shorter than needed', async () => {
    const { db } = s.product.market.ctx;
    await s.job('market.backfill', { coinId: 'ripple' });
    const before = new Date(s.clock.now().getTime() - 31 * DAY_MS).toISOString();
    await db.deleteFrom('candles_1h').where('at', '<', before).execute();
    const isAsked = async (coinId: string) => {
      await s.job('market.backfill-sweep');
      return (await s.product.scheduler.waiting('market.backfill')).some(
        (payload) => (payload as { coinId: string }).coinId === coinId,
      );
    };
    expect(await isAsked('ripple')).toBe(false);
    await db
      .updateTable('candle_backfills')
      .set({ through: new Date(s.clock.now().getTime() - 25 * 3_600_000).toISOString() })
      .where('coin_id', '=', 'ripple')
      .execute();
    expect(await isAsked('ripple')).toBe(true);
  });

  test('after a start the tracked coins come first, the others with the next sweep', async () => {
    const { scheduler } = await s.another();
    const sweep = async () => {
      await sql`delete from pgboss.job where name = 'market.backfill'`.execute(s.product.market.ctx.db);
      await scheduler.runManually('market.backfill-sweep');
      return (await scheduler.waiting('market.backfill')).map((payload) => (payload as { coinId: string }).coinId);
    };
    expect((await sweep()).toSorted()).toEqual(['ethereum', 'ripple', 'solana', 'sui']);
    expect((await sweep()).length).toBeGreaterThan(40);
  });

  test('reaches back four years once every coin has its usual history; requested once', async () => {
    const { db } = s.product.market.ctx;
    const olderAsked = async () => {
      await s.job('market.backfill-sweep');
      const waiting = (await s.product.scheduler.waiting('market.backfill')) as { coinId: string; older?: boolean }[];
      return waiting.filter(({ older }) => older).map(({ coinId }) => coinId);
    };
    expect(await olderAsked()).toEqual([]);
    const through = s.clock.now().toISOString();
    await sql`insert into candle_backfills (coin_id, state, source, through)
      select id, 'complete', 'okx', ${through}::timestamptz from coins
      on conflict (coin_id) do update set through = excluded.through`.execute(db);
    const asked = await olderAsked();
    expect(asked).toContain('dogecoin');
    expect(asked).not.toContain('bitcoin');
    const unlisted = s.product.market.ctx.board.prices().at(-1)?.id ?? '';
    for (const coinId of ['dogecoin', unlisted]) await s.job('market.backfill', { coinId, older: true });
    const since = new Date(s.clock.now().getTime() - 1500 * DAY_MS);
    const days = (await s.product.market.dailyCandles(['dogecoin'], since, s.clock.now())).get('dogecoin');
    expect(days?.length).toBeGreaterThan(1490);
    expect(new Set(days?.map(({ source }) => source))).toEqual(new Set(['okx']));
    const left = await coinsWithoutOlder(db, ['bitcoin']);
    expect(left).toHaveLength(247);
    expect(left.filter((id) => id === 'dogecoin' || id === unlisted)).toEqual([]);
  });
});

describe('the collector', () => {
  let collector: Collector;
  beforeAll(() => {
    collector = startCollector(s.product.market.ctx);
  });
  afterAll(() => collector.stop());
  const find = (id: string) => s.product.market.ctx.board.find(id);
  const stateOf = (id: string) => s.product.market.sources().find((source) => source.id === id)?.state;

  test('opens both venues and updates the prices of their listed coins', async () => {
    await expect.poll(() => [stateOf('coinbase'), stateOf('okx')], { timeout: 20_000 }).toEqual(['ok', 'ok']);
    s.advance(5_000);
    // The first venue remains the coin's source.
    await expect.poll(() => find('bitcoin')?.meta.source, { timeout: 10_000 }).toMatch(/Coinbase|OKX/);
    const before = find('bitcoin')?.meta.observedAt ?? '';
    s.advance(10_000);
    await expect.poll(() => find('bitcoin')?.meta.observedAt, { timeout: 10_000 }).not.toBe(before);
    const ticking = s.product.market.ctx.board.prices().filter((coin) => coin.meta.source !== 'CoinGecko');
    expect(ticking.length).toBeGreaterThan(100);
  });

  test('a dropped stream is named and reconnects automatically; figures remain', async () => {
    const before = find('ethereum')?.meta.observedAt ?? '';
    s.sandbox.faults.set({ kind: 'drop', provider: 'coinbase' });
    onTestFinished(() => s.sandbox.faults.clear());
    await expect.poll(() => stateOf('coinbase'), { timeout: 10_000 }).toBe('down');
    // A tick in flight may still arrive.
    expect(find('ethereum')?.price).toBeGreaterThan(0);
    expect(Date.parse(find('ethereum')?.meta.observedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(before));
    s.sandbox.faults.clear();
    await expect.poll(() => stateOf('coinbase'), { timeout: 20_000 }).toBe('ok');
  });
});

test('a silent venue: its connection is dropped after the timeout and reported as silent', async () => {
  s.sandbox.faults.set({ kind: 'silent', provider: 'coinbase' });
  const { config, now } = s.product.market.ctx;
  const heard: string[] = [];
  const stream = startLiveTicks({
    venue: {
      source: 'coinbase',
      name: 'Coinbase',
      ccxtId: 'coinbaseexchange',
      quote: 'USD',
      restUrl: config.COINBASE_BASE_URL,
      wsUrl: config.COINBASE_WS_URL,
    },
    symbols: () => ['BTC'],
    now,
    onTicks: () => heard.push('tick'),
    onUp: () => undefined,
    onDown: (error) => heard.push(error.message),
    silentAfterMs: 300,
  });
  await expect.poll(() => heard[0], { timeout: 10_000 }).toBe("Coinbase's stream went silent");
  await stream.stop();
  s.sandbox.faults.clear();
});
