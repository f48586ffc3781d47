import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getInflationForecasts } from '#features/inflation/contract.ts';
import { findRelease } from '#shared/release-calendar.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { type StubProvider, startStubProvider } from '#tests/support/rows.ts';
import { start, type TestProduct } from '#tests/support/start.ts';
import { freezeForecasts } from './service/forecast.ts';
import { allVintages } from './store.ts';
import type { Forecast } from './types.ts';
import { createView, EMPTY } from './view.ts';

const SOURCES = { FRED_API_KEY: 'k', BLS_API_KEY: 'k', BEA_API_KEY: 'k' };
const PERIOD = '2026-10';
const release = findRelease('pce', PERIOD)?.at ?? new Date(0);

const forecastsOf = async (s: TestProduct) =>
  getInflationForecasts.reply.parse((await s.get('/api/inflation/forecasts')).json()).forecasts;

describe('a model that answers after the release', () => {
  let s: TestProduct;
  let answers: StubProvider;
  beforeAll(async () => {
    answers = await startStubProvider();
    s = await start({ env: { ...SOURCES, GROQ_API_KEY: 'k', GROQ_BASE_URL: answers.url } });
    await s.job('inflation.check');
  });
  afterAll(async () => {
    await s.stop();
    await answers.close();
  });

  test('is rejected with the release named, and nothing of it is stored; upcoming releases are', async () => {
    s.clock.set(new Date(release.getTime() - 60_000));
    answers.respondWith('/models', () => {
      s.clock.set(release);
      return { data: [] };
    });
    await expect(s.job('inflation.forecast')).rejects.toThrow(
      `The PCE for ${PERIOD} has been released and can no longer be forecast`,
    );
    await s.product.inflation.reload();
    await s.job('inflation.check');
    const { cpi, pce } = await forecastsOf(s);
    expect(cpi.entries).toMatchObject([{ period: '2026-11', forecaster: 'local' }]);
    expect([pce.period, pce.entries, pce.past]).toEqual(['2026-11', [], []]);
    await s.job('inflation.forecast');
    expect((await forecastsOf(s)).pce.entries).toMatchObject([{ period: '2026-11' }]);
  });
});

describe('figures published early', () => {
  const s = fileProduct({ env: SOURCES });
  beforeAll(async () => {
    await s.job('inflation.check');
    const client = new Client(s.connection);
    await client.connect();
    await client.query(
      `insert into inflation_vintages (series, period, value, published_at, first_print, source, fetched_at, method)
       values ('PCEPI', $1, 129.7, $2, true, 'bea', $2, 'measured')`,
      [PERIOD, s.clock.now().toISOString()],
    );
    await client.end();
  });

  test('no model is asked for a forecast', async () => {
    await s.job('inflation.forecast');
    const { cpi, pce } = await forecastsOf(s);
    expect(cpi.entries).toHaveLength(1);
    expect([pce.period, pce.entries]).toEqual([PERIOD, []]);
  });

  test('and a forecast of them is rejected, though the calendar still lists their day', async () => {
    const { ctx } = s.product.inflation;
    const at = s.clock.now();
    const said: Forecast = {
      type: 'pce',
      period: PERIOD,
      forecaster: 'late',
      name: 'Late',
      model: null,
      prediction: 0.2,
      core: null,
      confidence: null,
      reasoning: null,
      issued_at: at.toISOString(),
      release_at: release.toISOString(),
      input_hash: 'x',
      method: 'computed',
    };
    const view = createView({ ...EMPTY, vintages: await allVintages(ctx.db) });
    await expect(freezeForecasts(ctx, view, [said], at)).rejects.toThrow(/The PCE for 2026-10 has been released/);
    expect((await forecastsOf(s)).pce.entries).toEqual([]);
    await freezeForecasts(ctx, EMPTY, [said], at);
    await s.product.inflation.reload();
    expect(s.product.inflation.forecasts().forecasts.pce.entries).toMatchObject([{ forecaster: 'late' }]);
  });
});
