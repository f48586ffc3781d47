import { describe, expect, test } from 'vitest';
import {
  getInflationExpectations,
  getInflationForecasts,
  getInflationReleases,
  getInflationSentiment,
  getLatestInflation,
  type LatestInflation,
} from '#features/inflation/contract.ts';
import { findRelease } from '#shared/release-calendar.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { statusAndMessage } from '#tests/support/rows.ts';
import { type TestProduct } from '#tests/support/start.ts';

const KEYS = { FRED_API_KEY: 'k', BLS_API_KEY: 'k', BEA_API_KEY: 'k', CONSENSUS_CALENDAR: '1' };

async function latestOf(s: TestProduct): Promise<LatestInflation> {
  const res = await s.get('/api/inflation/latest');
  expect(res.statusCode).toBe(200);
  return getLatestInflation.reply.parse(res.json());
}

describe('a first start without sources', () => {
  const s = fileProduct();

  test('200: the shipped history, with its own source and the reason for every gap', async () => {
    const { cpi, pce, ppi, note, history } = await latestOf(s);
    expect(note).toMatch(/bundled with the product, up to June 2025/);
    expect(cpi).toMatchObject({ period: '2025-06', date: '2025-07-15', cpi: 321.5, cpiMoM: 0.3, cpiYoY: 2.7 });
    expect(cpi?.basis).toEqual({ cpi: 'SA', cpiYoY: 'SA', coreCPI: 'SA', coreCPIYoY: 'SA' });
    expect(cpi?.meta['cpiYoY']).toMatchObject({
      source: 'BLS and BEA through FRED, copy of 2 Jan 2026',
      method: 'computed',
    });
    expect(cpi?.meta['cpi']).toMatchObject({ method: 'measured' });
    expect(pce).toMatchObject({
      period: '2025-06',
      pce: null,
      pceMoM: null,
      corePCEYoY: 2.8,
      basis: { corePCEYoY: 'SA' },
    });
    expect(pce?.meta['pce']).toEqual({ metric: 'inflation.index', reason: 'The index for June 2025 is not available' });
    expect(ppi).toMatchObject({ ppi: 148.315, ppiMoM: 0.1 });
    expect(history['coreCPI']).toHaveLength(24);
    expect(history['coreCPI']?.at(-1)).toEqual({ period: '2025-06', mom: 0.2, yoy: 2.9 });
  });

  test('200: every other response has its shape and its reasons', async () => {
    const expectations = getInflationExpectations.reply.parse((await s.get('/api/inflation/expectations')).json());
    expect(expectations.expectations.cpi.headline).toMatchObject({ consensus: null, nowcast: null, actual: 0.3 });
    expect(expectations.expectations.cpi.headline.meta['consensus']).toMatchObject({
      reason: expect.stringMatching(/CONSENSUS_CALENDAR/),
    });
    const sentiment = getInflationSentiment.reply.parse((await s.get('/api/inflation/sentiment')).json());
    expect(sentiment.data.terms.map(({ series }) => series)).toEqual([
      'cpi',
      'coreCPI',
      'pce',
      'corePCE',
      'ppi',
      'corePPI',
    ]);
    expect(sentiment.data.terms[0]?.instead).toMatch(
      /^No expectation: compared with the previous month, [\d.]+% to [\d.]+% year over year$/,
    );
    const forecasts = getInflationForecasts.reply.parse((await s.get('/api/inflation/forecasts')).json());
    expect(forecasts.forecasts.cpi).toMatchObject({ period: '2026-11', forecast_data: null, entries: [] });
    const releases = getInflationReleases.reply.parse((await s.get('/api/inflation/releases')).json());
    expect(releases.releases).toEqual([]);
    expect(releases.next.map(({ type, date, estimated }) => [type, date, estimated])).toEqual([
      ['pce', '2026-11-25T13:30:00.000Z', false],
      ['cpi', '2026-12-10T13:30:00.000Z', false],
      ['ppi', '2026-12-15T13:30:00.000Z', false],
    ]);
  });

  test.each(['0', '400', '7.5', 'x', ''])('400: days=%s', async (days) => {
    const res = await s.get(`/api/inflation/releases?days=${days}`);
    expect(statusAndMessage(res)).toEqual([400, expect.stringMatching(/days must be a whole number from 1 to 399/)]);
  });
});

describe('with sources', () => {
  const s = fileProduct({ env: KEYS }, 'inflation.check');

  test('200: the newest month of each, monthly from adjusted and yearly from unadjusted indexes', async () => {
    const { cpi, pce, ppi, note, history } = await latestOf(s);
    expect(note).toBeNull();
    expect([cpi?.period, cpi?.date]).toEqual(['2026-10', '2026-11-10']);
    expect([pce?.period, pce?.date]).toEqual(['2026-09', '2026-10-29']);
    expect([ppi?.period, ppi?.date]).toEqual(['2026-10', '2026-11-13']);
    expect(cpi?.meta['cpiMoM']).toMatchObject({
      source: 'FRED API',
      terms: expect.stringMatching(/, adjusted 2026-10: .* ÷ /),
    });
    expect(ppi?.basis).toEqual({});
    expect(pce?.basis).toEqual({ pceYoY: 'SA', corePCEYoY: 'SA' });
    expect(history['ppi']?.every(({ mom, yoy }) => mom !== null && yoy !== null)).toBe(true);
  });

  test('a month never published is a gap with its reason, never a change over two or thirteen months', async () => {
    const { cpi, history } = await latestOf(s);
    const reason = 'October 2025 was never published: no prices were collected during the government shutdown';
    expect(cpi?.cpiYoY).toBeNull();
    expect(cpi?.meta['cpiYoY']).toEqual({ metric: 'inflation.yoy', reason });
    expect(typeof cpi?.cpiMoM).toBe('number');
    const rows = new Map(history['cpi']?.map((row) => [row.period, row]));
    expect(rows.get('2025-10')).toEqual({ period: '2025-10', mom: null, yoy: null, reason });
    expect(rows.get('2025-11')).toEqual({ period: '2025-11', mom: null, yoy: expect.any(Number), reason });
    expect(rows.get('2026-10')).toEqual({ period: '2026-10', mom: expect.any(Number), yoy: null, reason });
    expect(rows.get('2025-09')?.reason).toBeUndefined();
  });

  test('first releases remain next to their revisions', async () => {
    const res = await s.get('/api/inflation/releases?days=90');
    const { releases } = getInflationReleases.reply.parse(res.json());
    const august = releases.find(({ type, period }) => type === 'PPI' && period === '2026-08');
    expect(august).toMatchObject({ date: '2026-09-10', releasedAt: '2026-09-10T12:30:00.000Z', revisions: 1 });
    expect(releases.map(({ releasedAt }) => releasedAt)).toEqual(
      releases
        .map(({ releasedAt }) => releasedAt)
        .toSorted()
        .toReversed(),
    );
    const week = getInflationReleases.reply.parse((await s.get('/api/inflation/releases?days=7')).json());
    expect(week.releases.map(({ type, period }) => `${type} ${period}`)).toEqual(['PPI 2026-10']);
    const print = s.product.inflation.prints('ppi').find(({ period }) => period === '2026-08');
    expect(print).toMatchObject({ isFirstPrint: true, actual: expect.any(Number) });
  });

  test('without a consensus the nowcast is the labeled expectation; without either nothing is called expected', async () => {
    const { expectations } = await latestOf(s);
    const { headline } = expectations.cpi;
    expect(headline.meta['nowcast']).toMatchObject({ source: 'Cleveland Fed nowcast', metric: 'inflation.nowcast' });
    expect(headline).toMatchObject({ nowcast: expect.any(Number), consensus: null });
    expect(headline.surprise).toBeCloseTo((headline.actual ?? 0) - (headline.nowcast ?? 0), 1);
    expect(headline.meta['surprise']).toMatchObject({ terms: expect.stringContaining('(Cleveland Fed nowcast)') });
    const { data } = getInflationSentiment.reply.parse((await s.get('/api/inflation/sentiment')).json());
    const term = (series: string) => data.terms.find((each) => each.series === series);
    expect(term('cpi')).toMatchObject({ expected: headline.nowcast, surprise: headline.surprise });
    expect(term('ppi')).toMatchObject({ expected: null, surprise: null, contribution: expect.any(Number) });
    expect(data.marketImpact?.description).toMatch(
      /^Inflation came in [a-z ]+ the Cleveland Fed nowcast and the previous month[,.]/,
    );
    expect(data.marketImpact?.description).not.toContain('expected');
    expect(expectations.ppi.headline.meta['nowcast']).toMatchObject({
      reason: 'The nowcast does not cover producer prices',
    });
  });

  test('reading everything again adds nothing', async () => {
    const before = await latestOf(s);
    await s.job('inflation.refresh');
    const after = await latestOf(s);
    expect({ ...after, timestamp: '' }).toEqual({ ...before, timestamp: '' });
  });

  test('a release is detected at its moment, with the consensus from the days before', async () => {
    const release = findRelease('pce', '2026-10')?.at.getTime() ?? 0;
    s.clock.set(new Date(release - 24 * 3_600_000));
    await s.job('inflation.refresh');
    s.clock.set(new Date(release - 60_000));
    await s.job('inflation.check');
    expect((await latestOf(s)).pce?.period).toBe('2026-09');
    s.clock.set(new Date(release + 60_000));
    await s.job('inflation.check');
    const { pce, expectations } = await latestOf(s);
    expect([pce?.period, pce?.date]).toEqual(['2026-10', '2026-11-25']);
    const { core } = expectations.pce;
    expect(core.consensus).not.toBeNull();
    expect(core.surprise).toBeCloseTo((core.actual ?? 0) - (core.consensus ?? 0), 5);
    expect(core.meta['consensus']).toMatchObject({ source: 'Forex Factory calendar' });
    const { data } = getInflationSentiment.reply.parse((await s.get('/api/inflation/sentiment')).json());
    expect(data.terms.find(({ series }) => series === 'corePCE')?.instead).toBeNull();
    expect(data.score).toBeCloseTo(
      data.terms.reduce((sum, { contribution }) => sum + contribution, 0),
      6,
    );
  });
});
