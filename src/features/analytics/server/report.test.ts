import { describe, expect, test } from 'vitest';

import { type AnalyticsSummary, getSummary } from '#features/analytics/contract.ts';
import { listCandles, TRACKED } from '#features/market/contract/market.ts';
import { hasOrigin } from '#shared/figures.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { readPdf } from '#tests/support/pdf-glyphs.ts';
import { registerUser } from '#tests/support/people.ts';
import { statusAndMessage } from '#tests/support/rows.ts';

const s = fileProduct({ env: { COIN_LIMIT: '30' } });
const premium = member(s, 'premium', 'premium');

const order = { timeframe: '60', asset: 'BTC', chartType: 'candlestick', format: 'pdf' };
const download = async (more: object = {}) => {
  const res = await premium.post('/api/analytics/export', { ...order, ...more });
  expect(res.statusCode, res.body).toBe(200);
  return res;
};
type Json = { notes: string[]; metadata: object; tables: Record<string, Record<string, unknown>[]> };
const json = async (more: object = {}) => (await download({ format: 'json', ...more })).json<Json>();

async function summary(): Promise<AnalyticsSummary> {
  const res = await premium.get('/api/analytics/summary');
  expect(res.statusCode, res.body).toBe(200);
  return getSummary.reply.parse(res.json()).summary;
}

/** Source data of the tracked assets, in order; a coin without a change has null. */
async function told(changes: (number | null)[]): Promise<void> {
  const { db } = s.product.market.ctx;
  await db.deleteFrom('coin_quotes').execute();
  const at = s.clock.now().toISOString();
  const rows = changes.map((change_24h, i) => ({
    coin_id: TRACKED[i]?.id ?? '',
    source: 'coingecko',
    price: 100,
    change_24h,
    change_7d: null,
    low_24h: null,
    high_24h: null,
    volume_24h: change_24h === null ? null : 1e9 * (i + 1),
    market_cap: null,
    observed_at: at,
    fetched_at: at,
    method: 'measured' as const,
  }));
  if (rows.length > 0) await db.insertInto('coin_quotes').values(rows).execute();
  await s.product.refresh();
}

test('the summary of an empty database has reasons instead of figures', async () => {
  const empty = await summary();
  expect(empty).toMatchObject({
    totalVolume: null,
    volatility: null,
    riskAdjustedReturn: null,
    avgChange: null,
    bitcoinDominance: null,
    assetCount: 0,
    trend: null,
    volatilityLevel: null,
  });
  expect(empty.meta['volatility']).toEqual({
    metric: 'analytics.volatility',
    reason: 'Requires the 24h change of at least two assets',
  });
});

describe('POST /api/analytics/export', () => {
  test('an empty database gives a file that names what is missing', async () => {
    const refused = await premium.post('/api/analytics/export', order);
    expect(statusAndMessage(refused)).toEqual([503, 'No prices available yet. Please try again in a minute']);
    await s.job('market.listing');
    const { tables, notes } = await json();
    expect(notes[0]).toBe('BTC, 1 hour: no candles stored.');
    expect(notes).toContain('History for this asset is still being collected.');
    expect(tables['candles']).toEqual([]);
    expect(tables['risk']?.[0]).toMatchObject({ value: null, note: '0 of 20 required daily returns available' });
    expect(await s.product.scheduler.waiting('market.backfill')).toContainEqual({ coinId: 'bitcoin' });
    expect(readPdf((await download()).rawPayload).words).toContain('No candles stored for this period.');
  });

  test('JSON: the timeframe’s candles and every figure with its source and age', async () => {
    for (const coinId of ['bitcoin', 'ethereum']) await s.job('market.backfill', { coinId });
    for (const lane of ['listing', 'slow', 'blocks']) await s.job(`metrics.${lane}`);
    const { tables, notes, metadata } = await json();
    const stored = listCandles.reply.parse((await premium.get('/api/candles?symbol=BTC&interval=60')).json());
    expect(tables['candles']).toEqual(stored.candles);
    expect(metadata).toMatchObject({ asset: 'BTC', timeframe: '60', chartType: 'candlestick', candles: stored.meta });
    expect(notes[0]).toMatch(/^BTC, 1 hour: 720 candles from OKX \(computed\), latest 20 Nov 2026/);
    for (const name of ['summary', 'risk', 'correlation', 'sentiment', 'derivatives', 'onchain', 'backtest']) {
      expect(tables[name]?.length, name).toBeGreaterThan(0);
      for (const row of tables[name] ?? []) {
        const isBorn = typeof row['source'] === 'string' && typeof row['observed_at'] === 'string';
        expect(isBorn || row['note'] || row['figure'] === 'assetCount', JSON.stringify(row)).toBeTruthy();
      }
    }
    const row = (table: string, figure: string) => tables[table]?.find((each) => each['figure'] === figure);
    const { summary } = (await premium.get('/api/analytics/summary')).json();
    expect(row('summary', 'volatility')).toMatchObject({ value: summary.volatility, name: 'Market volatility' });
    const { risk } = (await premium.get('/api/analytics/risk?days=30')).json();
    expect(row('risk', 'sharpe')).toMatchObject({ days: 30, value: risk[0].sharpe });
    const rolling = tables['rolling_volatility'] ?? [];
    expect(rolling).toHaveLength(365 - 29);
    expect(rolling.at(-1)?.['annualised_volatility']).toBeCloseTo(risk[0].annualised_volatility, 9);
  });

  test.each(['candlestick', 'bar', 'line', 'area'])(
    'PDF: %s, a chart of every candle above the tables',
    async (chartType) => {
      const res = await download({ chartType });
      expect(res.headers).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition': 'attachment; filename="meridian-analytics-BTC-60-2026-11-20.pdf"',
      });
      const { words, operators } = readPdf(res.rawPayload);
      for (const title of [
        'BTC analytics, 1 hour',
        'Market summary',
        'Risk of daily returns',
        'Derivatives',
        'BTC candles',
      ])
        expect(words).toContain(title);
      expect(words).toContain(`BTC in USD, 1 hour, ${chartType}`);
      const strokes = (operator: string) => operators.match(new RegExp(` ${operator}\\b`, 'g'))?.length ?? 0;
      const [lines, boxes] = [strokes('l'), strokes('re')];
      const least =
        { candlestick: [720, 1400], bar: [2160, 700], line: [719, 700], area: [1439, 700] }[chartType] ?? [];
      expect(lines).toBeGreaterThanOrEqual(least[0] ?? 0);
      expect(boxes).toBeGreaterThanOrEqual(least[1] ?? 0);
    },
  );

  test('CSV: several tables are one ZIP', async () => {
    const res = await download({ format: 'csv', asset: 'ETH', timeframe: 'D' });
    expect(res.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="meridian-analytics-ETH-D-2026-11-20.zip"',
    });
    const names = res.rawPayload.toString('latin1').match(/[a-z_]+\.(?:csv|txt)/g);
    expect(names).toEqual(
      expect.arrayContaining(['about.txt', 'candles.csv', 'risk.csv', 'summary.csv', 'rolling_volatility.csv']),
    );
  });

  test('the report uses its user’s branding, below Premium+ never', async () => {
    const look = { name: 'Acme Research', logo: null, colour: '#aa3300' };
    expect((await premium.put('/api/exports/white-label', look)).statusCode).toBe(200);
    const { words, operators } = readPdf((await download({ chartType: 'line' })).rawPayload);
    expect(words).toContain('Acme Research');
    expect(words.some((word) => word.startsWith('Acme Research · BTC analytics'))).toBe(true);
    expect(operators).toContain(`${0xaa / 255} ${0x33 / 255} 0 SCN`);
    expect((await premium.put('/api/exports/white-label', { name: null, logo: null, colour: null })).statusCode).toBe(
      200,
    );
    expect(readPdf((await download()).rawPayload).words).not.toContain('Acme Research');
  });

  test('gaps are empty in the chart and remain in the file', async () => {
    const { db } = s.product.market.ctx;
    const gone = (hours: number) => new Date(s.clock.now().getTime() - hours * 3_600_000).toISOString();
    await db.deleteFrom('candles_1h').where('at', '>=', gone(50)).where('at', '<=', gone(40)).execute();
    const { tables, notes } = await json();
    expect(notes).toContain('1 gap is left unfilled.');
    expect(tables['gaps']).toEqual([{ from: gone(50), to: gone(40) }]);
    const { operators } = readPdf((await download({ chartType: 'line' })).rawPayload);
    expect(operators).not.toContain('NaN');
    expect(operators.match(/\b1\.2 w\b/g)).toHaveLength(2);
  });

  test.each([
    [{ timeframe: '7' }, 'timeframe'],
    [{ asset: 'DOGE' }, 'asset'],
    [{ chartType: 'pie' }, 'chartType'],
    [{ format: 'xlsx' }, 'format'],
    [{ more: 1 }, 'more'],
  ])('rejects %j', async (wrong, field) => {
    const res = await premium.post('/api/analytics/export', { ...order, ...wrong });
    expect(res.statusCode).toBe(400);
    expect(res.json().error).toContain(field);
  });
});

describe('POST /api/collect-advanced-data', () => {
  const NAMES = ['market.listing', 'metrics.listing', 'metrics.slow', 'metrics.blocks'];

  test('starts the page’s collections, names them, and is recorded in the audit log', async () => {
    const admin = await registerUser(s, 'collector', 'admin');
    const first = await admin.post('/api/collect-advanced-data');
    expect(first.statusCode).toBe(200);
    expect(first.json()).toMatchObject({
      success: true,
      message: `Started: ${NAMES.join(', ')}`,
      jobs: NAMES.map((name) => ({ name, state: 'started', about: expect.any(String) })),
    });
    for (const name of NAMES) expect(await s.product.scheduler.waiting(name)).toHaveLength(1);
    const second = await admin.post('/api/collect-advanced-data');
    expect(second.json()).toMatchObject({ message: `Already running: ${NAMES.join(', ')}` });
    for (const name of NAMES) expect(await s.product.scheduler.waiting(name)).toHaveLength(1);
    const kept = await s.product.market.ctx.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'collection.start')
      .orderBy('id')
      .execute();
    expect(kept.map(({ actor_id, details }) => ({ actor_id, details }))).toEqual([
      { actor_id: admin.id, details: { started: NAMES, running: [] } },
      { actor_id: admin.id, details: { started: [], running: NAMES } },
    ]);
  });
});

describe('GET /api/analytics/summary', () => {
  test('every figure has its source, age and inputs', async () => {
    await s.job('market.listing');
    await s.job('metrics.listing');
    const known = await summary();
    expect(known).toMatchObject({ assetCount: 5, trend: expect.stringMatching(/^(Bullish|Bearish)$/) });
    for (const [name, meta] of Object.entries(known.meta)) {
      expect(hasOrigin(meta), name).toBe(true);
      expect(meta).toMatchObject({ observedAt: expect.any(String), method: expect.any(String) });
    }
    expect(known.meta['totalVolume']).toMatchObject({ source: 'Meridian', venues: ['CoinGecko'], method: 'computed' });
    expect(known.meta['avgChange']).toMatchObject({
      terms: expect.stringMatching(/^BTC .*%, ETH .*%, SOL .*XRP .*%$/),
    });
    expect(known.bitcoinDominance).toBe(s.product.metrics.current().advanced.bitcoinDominance.value);
  });

  test('worked example: the standard deviation of 2, 4, 4, 4 and 6 is 1.2649, the mean 4, the ratio 3.1465', async () => {
    await told([2, 4, 4, 4, 6]);
    const { volatility, avgChange, riskAdjustedReturn, totalVolume } = await summary();
    expect(volatility).toBeCloseTo(1.2649110641, 9);
    expect(avgChange).toBeCloseTo(4, 9);
    expect(riskAdjustedReturn).toBeCloseTo((4 - 0.02) / 1.2649110641, 8);
    expect(totalVolume).toBe(15e9);
  });

  test.each([
    ['Bullish', 'Low', [0, 0, 0, 5, -5]],
    ['Bearish', 'Low', [0, 0, 0, 0, -0.01]],
    ['Bullish', 'Low', [5, -5]],
    ['Bullish', 'Medium', [5.01, -5.01]],
    ['Bullish', 'Medium', [10, -10]],
    ['Bearish', 'High', [10, -10.1]],
    ['Bullish', 'High', [30, -10, null, null, null]],
  ])('%s and %s of the changes %j', async (trend, volatilityLevel, changes) => {
    await told(changes);
    expect(await summary()).toMatchObject({ trend, volatilityLevel, assetCount: changes.length });
  });

  test('one asset has no volatility, assets that moved alike have no ratio', async () => {
    await told([3]);
    expect(await summary()).toMatchObject({
      avgChange: 3,
      volatility: null,
      riskAdjustedReturn: null,
      trend: 'Bullish',
    });
    await told([3, 3, 3]);
    const alike = await summary();
    expect(alike).toMatchObject({ volatility: 0, volatilityLevel: 'Low', riskAdjustedReturn: null });
    expect(alike.meta['riskAdjustedReturn']).toMatchObject({ reason: expect.stringContaining('moved identically') });
  });
});
