import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type AdvancedMetrics,
  advancedMetrics,
  type DerivativesReply,
  derivativesReply,
} from '#features/market/contract/metrics.ts';
import { hasOrigin } from '#shared/figures.ts';
import { startStubProvider } from '#tests/support/rows.ts';
import { start, type TestProduct } from '#tests/support/start.ts';
import { startLiquidations } from './service/liquidations.ts';

const MINUTE = 60_000;
const VENUES = ['Binance Futures', 'Bybit', 'Deribit', 'Hyperliquid', 'Kraken Futures', 'OKX'];

let world: TestProduct;
beforeEach(async () => {
  world = await start();
});
afterEach(() => world.stop());

async function derivatives(): Promise<DerivativesReply> {
  const reply = await world.get('/api/derivatives');
  expect(reply.statusCode).toBe(200);
  return derivativesReply.parse(JSON.parse(reply.body));
}
async function advanced(): Promise<AdvancedMetrics> {
  return advancedMetrics.parse(JSON.parse((await world.get('/api/advanced-metrics')).body));
}
type SourceRow = { id: string; state: string; note: string | null };
async function source(id: string): Promise<SourceRow | undefined> {
  const { sources } = JSON.parse((await world.get('/api/sources')).body) as { sources: SourceRow[] };
  return sources.find((row) => row.id === id);
}
const sum = (values: (number | null)[]) => values.reduce<number>((all, value) => all + (value ?? 0), 0);
const venuesOf = (meta: DerivativesReply['totals']['openInterest']['meta'][string] | undefined) =>
  meta && hasOrigin(meta) ? (meta.venues ?? []).toSorted() : [];

function expectTotals({ derivatives: rows, totals }: DerivativesReply): void {
  const of = (asset: string) => rows.filter((row) => row.asset === asset);
  const interest = (some: typeof rows) => sum(some.map((row) => row.open_interest));
  const { openInterest, fundingRate } = totals;
  expect(openInterest.value).toBeCloseTo(interest(rows), 2);
  expect(openInterest.metadata.btc_oi).toBeCloseTo(interest(of('BTC')), 2);
  expect(openInterest.metadata.eth_oi).toBeCloseTo(interest(of('ETH')), 2);
  const funding = (some: typeof rows) => {
    const both = some.filter((row) => row.open_interest !== null && row.funding_rate !== null);
    return sum(both.map((row) => (row.funding_rate ?? 0) * (row.open_interest ?? 0))) / interest(both);
  };
  expect(fundingRate.value).toBeCloseTo(funding(rows), 10);
  expect(fundingRate.metadata.btc_funding).toBeCloseTo(funding(of('BTC')), 10);
}

test('venues that reject the region, by REST and stream, degrade nothing and are reported once', async () => {
  const answers = await startStubProvider();
  for (const path of ['/v5/market/tickers', '/v5/public/linear', '/v5/market/funding/history'])
    answers.respondWith(
      path,
      'The Amazon CloudFront distribution is configured to block access from your country',
      403,
    );
  const refused = await start({
    env: { BYBIT_BASE_URL: answers.url, BYBIT_WS_URL: answers.url.replace('http', 'ws') },
  });
  const { ctx } = refused.product.metrics;
  const streams = await startLiquidations(ctx);
  await refused.job('market.listing');
  await refused.job('metrics.listing');
  await expect.poll(() => ctx.sources.status('bybit').state).toBe('refused_region');
  await refused.job('metrics.listing');
  await streams.stop();
  await ctx.sources.save();
  await refused.product.refresh();
  const health = JSON.parse((await refused.get('/api/health')).body) as { status: string; sources: SourceRow[] };
  expect(health.sources.find(({ id }) => id === 'bybit')).toMatchObject({
    state: 'refused_region',
    note: 'Bybit blocks this region (403)',
  });
  expect(health.status).toBe('ok');
  const reports = await ctx.db.selectFrom('error_logs').select('message').where('source', '=', 'bybit').execute();
  expect(reports).toEqual([{ message: 'Bybit blocks this region (403)' }]);
  await refused.stop();
  await answers.close();
});

describe('open interest and funding', () => {
  test('before any venue answers, figures are null; then every venue provides rows, and totals are their sums', async () => {
    const { totals, derivatives: none } = await derivatives();
    expect([none, totals.openInterest.value]).toEqual([[], null]);
    expect(totals.liquidations.metadata.meta['long_liquidations']).toMatchObject({ reason: expect.any(String) });
    await world.job('metrics.listing');
    const reply = await derivatives();
    expect([...new Set(reply.derivatives.map((row) => row.source))].toSorted()).toEqual(VENUES);
    expect(reply.derivatives.filter((row) => row.asset === 'SUI').map((row) => row.source)).not.toContain('Deribit');
    for (const row of reply.derivatives) {
      expect(row.open_interest).toBeGreaterThan(1e6);
      expect(row.volume_24h).toBeGreaterThan(1e5);
      expect(Math.abs(row.funding_rate ?? Number.NaN)).toBeLessThan(0.4);
    }
    expectTotals(reply);
    expect(venuesOf(reply.totals.openInterest.meta['value'])).toEqual(VENUES);
    expect((await advanced()).derivatives).toEqual(reply.totals);
  });

  test('a dead venue is excluded from the sums and named among the sources', async () => {
    world.sandbox.faults.set({ provider: 'binance-futures', kind: 'server_error' });
    world.sandbox.faults.set({ provider: 'bybit', kind: 'error_200' });
    await world.job('metrics.listing');
    const reply = await derivatives();
    expectTotals(reply);
    const left = VENUES.filter((name) => !name.startsWith('B'));
    expect(venuesOf(reply.totals.openInterest.meta['value'])).toEqual(left);
    expect(venuesOf(reply.totals.fundingRate.meta['value'])).toEqual(left);
    expect(await source('binance-futures')).toMatchObject({ state: 'down' });
    expect(await source('bybit')).toMatchObject({ state: 'down', note: expect.stringContaining('10001') });
    expect(await source('deribit')).toMatchObject({ state: 'ok', note: null });
  });

  test('a frozen venue goes stale, keeps its own row with its age and leaves the sums', async () => {
    await world.job('metrics.listing');
    world.sandbox.faults.set({ provider: 'kraken-futures', kind: 'stale' });
    world.advance(25 * MINUTE);
    await world.job('metrics.listing');
    const reply = await derivatives();
    const frozen = reply.derivatives.find((row) => row.asset === 'BTC' && row.source === 'Kraken Futures');
    const meta = frozen?.meta['open_interest'];
    expect(meta && hasOrigin(meta) && meta.staleAfter < reply.timestamp).toBe(true);
    expect(venuesOf(reply.totals.openInterest.meta['value'])).not.toContain('Kraken Futures');
    expect(reply.totals.openInterest.value).toBeLessThan(sum(reply.derivatives.map((row) => row.open_interest)));
    expect(await source('kraken-futures')).toMatchObject({
      state: 'stale',
      note: expect.stringContaining('25 minutes'),
    });
  });

  test('all venues dead: the last sums remain, with their age', async () => {
    await world.job('metrics.listing');
    const before = await derivatives();
    world.sandbox.faults.set({ provider: '*', kind: 'server_error' });
    world.advance(30 * MINUTE);
    await world.job('metrics.listing');
    const after = await derivatives();
    expect(after.totals.openInterest.value).toBe(before.totals.openInterest.value);
    const meta = after.totals.openInterest.meta['value'];
    expect(meta && hasOrigin(meta) && meta.staleAfter < after.timestamp).toBe(true);
  });

  test('figures left empty by venues are omitted, none becomes a zero', async () => {
    world.sandbox.faults.set({ provider: '*', kind: 'nulls' });
    await world.job('market.listing');
    await world.job('metrics.listing');
    const reply = await derivatives();
    expect(reply.derivatives.length).toBeGreaterThan(10);
    for (const row of reply.derivatives) {
      for (const value of [row.open_interest, row.funding_rate, row.volume_24h]) expect(value).not.toBe(0);
    }
    expect(reply.derivatives.some((row) => row.funding_rate === null)).toBe(true);
    const missing = reply.derivatives.find((row) => row.funding_rate === null)?.meta['funding_rate'];
    expect(missing && !hasOrigin(missing) && missing.reason).toBe('Not provided by this venue');
    expectTotals(reply);
  });

  test('venues with funding history fill it, each rate at its own time, and FRED each day of its series', async () => {
    await world.job('metrics.backfill');
    const reply = await world.get('/api/metrics/venue.funding.btc/history?days=365');
    type Past = { source: string; historyDays: number; points: { at: string; value: number }[] };
    const { historyDays, points } = reply.json<Past>();
    expect(historyDays).toBeGreaterThan(300);
    for (const { value } of points) expect(Math.abs(value)).toBeLessThan(0.4);
    const yields = (await world.get('/api/metrics/macro.us10y/history?days=30')).json<Past>();
    expect([yields.source, yields.points.length > 15]).toEqual(['FRED', true]);
    for (const { at } of yields.points) expect([0, 6]).not.toContain(new Date(at).getUTCDay());
  });
});
