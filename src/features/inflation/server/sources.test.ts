import { readFileSync } from 'node:fs';

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { getLatestInflation } from '#features/inflation/contract.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { type StubProvider, startStubProvider } from '#tests/support/rows.ts';
import { start, type TestProduct } from '#tests/support/start.ts';

const recorded = readFileSync(new URL('./fixtures/bls-cpi-u-2024-05.txt', import.meta.url), 'utf8');
const quota = readFileSync(new URL('./fixtures/bls-quota.txt', import.meta.url), 'utf8');
/** The recording ends with September 2023: the agency's value for May 2023 is appended. */
const withYearBefore = recorded.replace(
  '"footnotes":[{}]}]}]',
  '"footnotes":[{}]},{"year":"2023","period":"M05","value":"304.127","footnotes":[{}]}]}]',
);
const DAY_MS = 86_400_000;

const latestOf = async (s: TestProduct) =>
  getLatestInflation.reply.parse((await s.get('/api/inflation/latest')).json());
const stateOf = (s: TestProduct, id: string) => s.product.inflation.ctx.sources.status(id);

describe('agency response bodies', () => {
  let s: TestProduct;
  let answers: StubProvider;
  const PATH = '/publicAPI/v1/timeseries/data/';
  beforeAll(async () => {
    answers = await startStubProvider();
    const dead = Object.fromEntries(
      ['FRED', 'FRED_API', 'BLS', 'BEA', 'CLEVELAND_FED', 'CONSENSUS_CALENDAR'].map((name) => [
        `${name}_BASE_URL`,
        answers.url,
      ]),
    );
    s = await start({ env: { ...dead, BEA_API_KEY: 'k' } });
  });
  afterAll(async () => {
    await s.stop();
    await answers.close();
  });

  test.each([
    ['the quota, under 200', quota, 'rate_limited'],
    ['another shape', '{"status":"REQUEST_SUCCEEDED","Results":{"series":7}}', 'down'],
  ])('%s instead of figures loses no known data', async (_, body) => {
    const before = await latestOf(s);
    answers.respondWith(PATH, body);
    await s.job('inflation.check');
    expect({ ...(await latestOf(s)), timestamp: '' }).toEqual({ ...before, timestamp: '' });
    expect(stateOf(s, 'bls').state).not.toBe('ok');
    expect(stateOf(s, 'bls').note).not.toBeNull();
    s.advance(DAY_MS / 24);
  });

  test('the recorded body of May 2024: 314.069 against 304.127 is 3.3% year over year, exactly as published', async () => {
    const other = await start({
      env: { FRED_BASE_URL: answers.url, FRED_API_BASE_URL: answers.url, BLS_BASE_URL: answers.url },
    });
    answers.respondWith(PATH, withYearBefore);
    await other.job('inflation.check');
    const may = (await latestOf(other)).history['cpi']?.find(({ period }) => period === '2024-05');
    expect(may).toMatchObject({ yoy: 3.3 });
    const known = other.product.inflation.level('CPIAUCNS', '2024-05');
    expect(known).toMatchObject({ value: 314.069, source: 'bls', method: 'measured' });
    expect(other.product.inflation.level('CPIAUCNS', '2023-05')?.value).toBe(304.127);
    expect(stateOf(other, 'bls').state).toBe('ok');
    await other.stop();
  });

  test('dashes, points, yearly averages and breaks within texts', async () => {
    const other = await start({
      env: { FRED_BASE_URL: answers.url, FRED_API_BASE_URL: answers.url, BLS_BASE_URL: answers.url },
    });
    const rows = [
      { year: '2026', period: 'M10', periodName: 'Oct\nober', value: '331.2', footnotes: [{}] },
      { year: '2026', period: 'M09', value: '-', footnotes: [{ text: 'Data\r\nunavailable' }] },
      { year: '2025', period: 'M13', value: '322.0', footnotes: [{}] },
      { year: '2025', period: 'S01', value: '1', footnotes: [{}] },
      { year: '2025', period: 'M10', value: '.', footnotes: [{}] },
      { year: '2025', period: 'M09', value: 'about 324', footnotes: [{}] },
    ];
    const text = JSON.stringify({
      status: 'REQUEST_SUCCEEDED',
      Results: {
        series: [
          { seriesID: 'CUSR0000SA0', data: rows },
          { seriesID: 'XX', data: rows },
        ],
      },
    });
    answers.respondWith(PATH, text.replaceAll('\\n', '\n').replaceAll('\\r', '\r'));
    await other.job('inflation.check');
    const { level } = other.product.inflation;
    expect(level('CPIAUCSL', '2026-10')?.value).toBe(331.2);
    expect(level('CPIAUCSL', '2026-09')?.value).toBeNull();
    expect(level('CPIAUCSL', '2025-10')?.value).toBeNull();
    expect(level('CPIAUCSL', '2025-09')).toBeUndefined();
    expect(level('CPIAUCSL', '2025-12')).toBeUndefined();
    const { cpi } = await latestOf(other);
    expect(cpi).toMatchObject({ period: '2026-10', cpiMoM: null, cpiYoY: null });
    expect(cpi?.meta['cpiMoM']).toMatchObject({ reason: 'September 2026 was published as missing' });
    await other.stop();
  });
});

describe('each source fails differently', () => {
  const s = fileProduct(
    { env: { FRED_API_KEY: 'k', BLS_API_KEY: 'k', BEA_API_KEY: 'k', CONSENSUS_CALENDAR: '1' } },
    'inflation.check',
  );
  afterEach(() => s.sandbox.faults.clear());

  test.each(['fred-api', 'cleveland-fed', 'faireconomy'])('%s', async (provider) => {
    const before = await latestOf(s);
    for (const kind of ['malformed', 'error_200'] as const) {
      s.sandbox.faults.set({ provider, kind, ...(kind === 'malformed' ? { html: true } : {}) });
      s.advance(11 * 60_000);
      await s.job('inflation.refresh');
      s.sandbox.faults.clear();
    }
    const after = await latestOf(s);
    expect(after.cpi).toEqual(before.cpi);
    expect(after.ppi).toEqual(before.ppi);
    const id = provider === 'faireconomy' ? 'consensus-calendar' : provider;
    expect(stateOf(s, id).state).not.toBe('ok');
  });

  test('gaps do not replace existing values', async () => {
    const before = await latestOf(s);
    for (const provider of ['fred-api', 'fred', 'bls', 'bea']) s.sandbox.faults.set({ provider, kind: 'nulls' });
    s.advance(6 * 3_600_000);
    await s.job('inflation.refresh');
    const after = await latestOf(s);
    expect({ ...after, timestamp: '', expectations: null }).toEqual({ ...before, timestamp: '', expectations: null });
  });
});

test('a series missing from FRED does not affect the others', async () => {
  const answers = await startStubProvider();
  const dead = Object.fromEntries(['BLS', 'BEA', 'CLEVELAND_FED'].map((name) => [`${name}_BASE_URL`, answers.url]));
  const s = await start({ env: { ...dead, FRED_BASE_URL: answers.url } });
  const months = '2026-08-01,129.5\n2026-09-01,129.9\n';
  answers.respondWith('/graph/fredgraph.csv', (query: URLSearchParams) => {
    const ids = (query.get('id') ?? '').split(',');
    return ids.includes('PCEPI') ? '<!DOCTYPE html>' : `observation_date,${ids.join(',')}\n${months}`;
  });
  await s.job('inflation.refresh');
  const { level } = s.product.inflation;
  expect(level('PCEPILFE', '2026-09')).toMatchObject({ value: 129.9, source: 'fred' });
  expect(level('CPIAUCSL', '2026-09')?.value).toBe(129.9);
  expect(level('PCEPI', '2026-09')).toBeUndefined();
  await s.stop();
  await answers.close();
});

describe('FRED lagging behind a release', () => {
  test('the agencies are queried directly; later FRED data changes nothing', async () => {
    const s = await start({
      at: new Date('2026-11-09T12:00:00Z'),
      env: { FRED_API_KEY: 'k', BLS_API_KEY: 'k', BEA_API_KEY: 'k' },
    });
    await s.job('inflation.check');
    expect((await latestOf(s)).cpi?.period).toBe('2026-09');
    for (const provider of ['fred-api', 'fred']) s.sandbox.faults.set({ provider, kind: 'stale' });
    s.clock.set(new Date('2026-11-10T13:31:00Z'));
    await s.job('inflation.check');
    const { cpi } = await latestOf(s);
    expect([cpi?.period, cpi?.date]).toEqual(['2026-10', '2026-11-10']);
    expect(cpi?.meta['cpi']).toMatchObject({
      source: 'Bureau of Labor Statistics',
      observedAt: '2026-11-10T13:30:00.000Z',
    });
    expect(s.product.inflation.prints('cpi').at(-1)).toMatchObject({ period: '2026-10', isFirstPrint: true });
    s.sandbox.faults.clear();
    s.advance(6 * 3_600_000);
    await s.job('inflation.refresh');
    expect((await latestOf(s)).cpi).toMatchObject({ cpi: cpi?.cpi, cpiMoM: cpi?.cpiMoM, date: '2026-11-10' });
    await s.stop();
  });

  test('without any key, FRED tables and BLS version 1 are enough', async () => {
    const s = await start();
    await s.job('inflation.check');
    const { cpi, pce, ppi } = await latestOf(s);
    expect([cpi?.period, pce?.period, ppi?.period]).toEqual(['2026-10', '2026-09', '2026-10']);
    expect(cpi?.meta['cpiMoM']).toMatchObject({ source: 'FRED' });
    for (const id of ['fred-api', 'bea', 'consensus-calendar']) expect(stateOf(s, id).state).toBe('key_missing');
    await s.stop();
  });
});
