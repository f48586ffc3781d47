import { sampleCorrelation, sampleStandardDeviation } from 'simple-statistics';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getCorrelation, getRisk } from '#features/analytics/contract.ts';
import { TRACKED } from '#features/market/contract/market.ts';
import { hasOrigin } from '#shared/figures.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';

const DAY_MS = 86_400_000;
const TODAY = Date.UTC(2026, 10, 20);

const s = fileProduct({ env: { COIN_LIMIT: '60' } });
const premium = member(s, 'premium', 'premium');
let keys: Map<string, number>;
beforeAll(async () => {
  await s.job('market.listing');
  const rows = await s.product.market.ctx.db.selectFrom('coins').select(['id', 'key']).execute();
  keys = new Map(rows.map(({ id, key }) => [id, key]));
});
beforeEach(async () => {
  await s.product.market.ctx.db.deleteFrom('candles_1d').execute();
});

/** Daily closes ending with today's, which is incomplete. */
async function closes(id: string, values: readonly number[]): Promise<void> {
  const at = s.clock.now().toISOString();
  const rows = values.map((close, i) => ({
    coin_key: keys.get(id) ?? 0,
    at: new Date(TODAY - (values.length - 1 - i) * DAY_MS).toISOString(),
    open: close,
    high: close,
    low: close,
    close,
    volume: 1,
    minutes: 1440,
    source: 'okx',
    fetched_at: at,
    method: 'computed' as const,
  }));
  await s.product.market.ctx.db.insertInto('candles_1d').values(rows).execute();
}

const walk = (days: number, seed: number) =>
  Array.from({ length: days }, (_, i) => 100 * Math.exp(0.05 * Math.sin(i * seed) + 0.001 * i));
const returns = (values: readonly number[]) => values.slice(1).map((value, i) => value / (values[i] ?? 1) - 1);

async function risk(days?: number) {
  const res = await premium.get(`/api/analytics/risk${days ? `?days=${days}` : ''}`);
  expect(res.statusCode, res.body).toBe(200);
  return getRisk.reply.parse(res.json());
}
async function matrix(query: string) {
  const res = await premium.get(`/api/correlation?${query}`);
  expect(res.statusCode, res.body).toBe(200);
  return getCorrelation.reply.parse(res.json());
}

describe('GET /api/analytics/risk', () => {
  test('an empty database has a reason instead of every figure', async () => {
    const { days, risk: rows } = await risk();
    expect(days).toBe(365);
    expect(rows.map(({ asset }) => asset)).toEqual(TRACKED.map(({ symbol }) => symbol));
    for (const { days: known, meta, ...row } of rows) {
      expect(known).toBe(0);
      expect(row).toMatchObject({ annualised_volatility: null, sharpe: null, sortino: null, beta_btc: null });
      for (const each of Object.values(meta))
        expect(each).toMatchObject({ reason: '0 of 20 required daily returns available' });
    }
  });

  test.each([30, 90, 365])('%d days: covers completed days, with their source and age', async (days) => {
    for (const [i, { id }] of TRACKED.entries()) await closes(id, walk(400, i + 1));
    const { risk: rows } = await risk(days);
    for (const [i, row] of rows.entries()) {
      const known = returns(walk(400, i + 1).slice(-days - 2, -1));
      expect(known).toHaveLength(days);
      expect(row.days).toBe(days);
      expect(row.annualised_volatility).toBeCloseTo(100 * Math.sqrt(365) * sampleStandardDeviation(known), 8);
      expect(row.meta['sharpe']).toMatchObject({
        metric: 'risk.sharpe',
        source: 'Meridian',
        method: 'computed',
        observedAt: new Date(TODAY).toISOString(),
        terms: `${days} daily returns to 2026-11-19`,
      });
    }
    expect(rows[0]?.beta_btc).toBeCloseTo(1, 12);
  });

  test('below 20 days there is a reason; at 20 there are figures, with the missing days', async () => {
    await closes('bitcoin', walk(21, 1));
    expect((await risk(30)).risk[0]).toMatchObject({ days: 19, sharpe: null, max_drawdown: null });
    await s.product.market.ctx.db.deleteFrom('candles_1d').execute();
    await closes('bitcoin', walk(22, 1));
    const [bitcoin] = (await risk(30)).risk;
    expect(bitcoin).toMatchObject({ days: 20, sharpe: expect.any(Number), max_drawdown: expect.any(Number) });
    expect(bitcoin?.meta['sharpe']).toMatchObject({ historyDays: 20 });
  });

  test('one asset without closes has reasons, the others have figures; without BTC only beta is missing', async () => {
    for (const [i, { id }] of TRACKED.entries()) if (id !== 'sui') await closes(id, walk(60, i + 1));
    const { risk: rows } = await risk(30);
    for (const row of rows) {
      const isKnown = row.asset !== 'SUI';
      expect(
        Object.values(row.meta).every((meta) => hasOrigin(meta)),
        row.asset,
      ).toBe(isKnown);
    }
    const bitcoin = keys.get('bitcoin') ?? 0;
    await s.product.market.ctx.db.deleteFrom('candles_1d').where('coin_key', '=', bitcoin).execute();
    const [, eth] = (await risk(30)).risk;
    expect(eth).toMatchObject({ sharpe: expect.any(Number), beta_btc: null });
    expect(eth?.meta['beta_btc']).toMatchObject({ reason: '0 of 20 required daily returns available' });
  });

  test('a missing day drops its two returns; a constant price has no ratio', async () => {
    await closes('bitcoin', walk(40, 1));
    const gone = new Date(TODAY - 10 * DAY_MS).toISOString();
    await s.product.market.ctx.db.deleteFrom('candles_1d').where('at', '=', gone).execute();
    await closes('ethereum', Array(40).fill(7));
    const [bitcoin, eth] = (await risk(30)).risk;
    expect(bitcoin?.days).toBe(28);
    expect(eth).toMatchObject({ annualised_volatility: 0, sharpe: null, max_drawdown: 0 });
    expect(eth?.meta['sharpe']).toMatchObject({ reason: 'Its price did not change' });
  });

  test('rejects an unsupported window', async () => {
    expect((await premium.get('/api/analytics/risk?days=31')).statusCode).toBe(400);
  });
});

describe('GET /api/correlation', () => {
  test('with no history it is the stated default, 1 with itself', async () => {
    const { assets, pairs, days } = await matrix('');
    expect([assets, days]).toEqual([['BTC', 'ETH', 'SOL', 'SUI', 'XRP'], 90]);
    for (const [i, row] of pairs.entries())
      for (const [j, pair] of row.entries())
        expect(pair).toMatchObject({ value: i === j ? 1 : 0.7, method: 'default', days: 0 });
  });

  test('measured pairs match simple-statistics and are named as BTC_ETH both ways round', async () => {
    for (const [i, { id }] of TRACKED.entries()) await closes(id, walk(120, i + 1));
    const { assets, pairs, correlationData } = await matrix('days=30');
    expect(Object.keys(correlationData)).toHaveLength(20);
    const logs = TRACKED.map((_, i) => returns(walk(120, i + 1).slice(-32)).map((each) => Math.log1p(each)));
    for (const [i, a] of assets.entries())
      for (const [j, b] of assets.entries()) {
        const pair = pairs[i]?.[j];
        expect(pair?.value).toBeCloseTo(i === j ? 1 : sampleCorrelation(logs[i] ?? [], logs[j] ?? []), 9);
        expect(pair).toMatchObject({ method: 'measured', days: 31 });
        if (i !== j) expect(correlationData[`${a}_${b}`]).toEqual(pair);
      }
  });

  test('20 assets: the tracked first, then the largest that are neither stable nor wrapped', async () => {
    const { assets, pairs } = await matrix('assets=20&days=365');
    expect(assets).toHaveLength(20);
    expect(new Set(assets).size).toBe(20);
    expect(assets.slice(0, 5)).toEqual(['BTC', 'ETH', 'SOL', 'SUI', 'XRP']);
    expect(assets.filter((symbol) => /^(USDT|USDC|DAI|WBTC|STETH|WETH)$/.test(symbol))).toEqual([]);
    const others = s.product.market.ctx.board.prices().map(({ symbol }) => symbol);
    const places = assets.slice(5).map((symbol) => others.indexOf(symbol));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(pairs.map((row) => row.length)).toEqual(Array(20).fill(20));
  });

  test('an asset without closes grays out only its own pairs', async () => {
    for (const [i, { id }] of TRACKED.entries()) if (id !== 'solana') await closes(id, walk(120, i + 1));
    const { assets, pairs } = await matrix('assets=5');
    const methods = pairs.flatMap((row, i) => row.map(({ method }, j) => ({ method, of: [assets[i], assets[j]] })));
    for (const { method, of } of methods) expect(method).toBe(of.includes('SOL') ? 'default' : 'measured');
  });
});
