import { Client } from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { getInflationForecasts, getLatestInflation } from '#features/inflation/contract.ts';
import { findRelease } from '#shared/release-calendar.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { type TestProduct } from '#tests/support/start.ts';

const MODELS = { VENICE_API_KEY: 'demo', GROQ_API_KEY: 'demo', HUGGINGFACE_API_KEY: 'demo' };
const SOURCES = { FRED_API_KEY: 'k', BLS_API_KEY: 'k', BEA_API_KEY: 'k', CONSENSUS_CALENDAR: '1' };

const forecastsOf = async (s: TestProduct) =>
  getInflationForecasts.reply.parse((await s.get('/api/inflation/forecasts')).json()).forecasts;

async function sqlOf<T>(s: TestProduct, text: string): Promise<T[]> {
  const client = new Client(s.connection);
  await client.connect();
  try {
    return (await client.query(text)).rows as T[];
  } finally {
    await client.end();
  }
}

describe('without a language model', () => {
  const s = fileProduct({ env: SOURCES }, 'inflation.check', 'inflation.forecast');

  test('the built-in forecaster answers under its own name', async () => {
    const { cpi, pce } = await forecastsOf(s);
    expect([cpi.period, pce.period]).toEqual(['2026-11', '2026-10']);
    expect(cpi.entries).toHaveLength(1);
    expect(cpi.entries[0]).toMatchObject({
      forecaster: 'local',
      name: 'Built-in forecaster (statistics, no AI)',
      model: null,
      issued_at: '2026-11-20T12:00:00.000Z',
      actual: null,
      error: null,
    });
    expect(cpi.forecast_data).toEqual({ prediction: cpi.entries[0]?.prediction, core: cpi.entries[0]?.core, n: 1 });
    expect((await s.get('/api/inflation/latest')).json()).toMatchObject({ commentary: { ai: null } });
  });

  test('each release is forecast once', async () => {
    const before = await forecastsOf(s);
    s.advance(3_600_000);
    await s.job('inflation.forecast');
    expect(await forecastsOf(s)).toEqual(before);
  });

  test('forecasts are frozen: no change, no deletion, no late entry', async () => {
    for (const text of [
      `update inflation_forecasts set prediction = 9`,
      `delete from inflation_forecasts`,
      `truncate inflation_forecasts`,
      `update inflation_vintages set value = 1`,
      `delete from inflation_expectations`,
    ])
      await expect(sqlOf(s, text), text).rejects.toThrow(/append-only/);
    const insert = `insert into inflation_forecasts (type, period, forecaster, name, prediction, issued_at, release_at, input_hash, method)
      values ('cpi', '2026-12', 'late', 'Late', 0.2, '2027-01-13T13:30:00Z', '2027-01-13T13:30:00Z', 'x', 'computed')`;
    await expect(sqlOf(s, insert)).rejects.toThrow(/inflation_forecasts_before_release/);
    expect((await forecastsOf(s)).cpi.entries).toHaveLength(1);
  });

  test('from the moment of release no forecast is requested; the miss is measured against the first release', async () => {
    const release = findRelease('pce', '2026-10')?.at ?? new Date();
    s.clock.set(new Date(release.getTime() + 60_000));
    await s.job('inflation.check');
    const { pce } = await forecastsOf(s);
    expect(pce.period).toBe('2026-11');
    const [past] = pce.past;
    const print = s.product.inflation.prints('pce').find(({ period }) => period === '2026-10');
    expect(past).toMatchObject({ period: '2026-10', actual: print?.actual });
    expect(past?.error).toBeCloseTo((past?.prediction ?? 0) - (print?.actual ?? 0), 6);
    const miss = Math.abs(past?.error ?? 9);
    const number = expect.any(Number) as number;
    expect(pce.scores.map(({ forecaster, yardstick, says, n, mae }) => [forecaster, yardstick, says, n, mae])).toEqual([
      ['local', false, null, 1, expect.closeTo(miss, 3) as number],
      ['consensus', true, null, 0, null],
      ['nowcast', true, number, 1, number],
      ['last_value', true, print?.actual, 1, number],
    ]);
    for (const { low, high, skill } of pce.scores.slice(0, 3))
      expect([low, high, skill]).toMatchObject([null, null, { low: null, high: null, verdict: 'too few' }]);
    const last = pce.scores.at(-1);
    expect(last?.skill).toBeNull();
    expect(pce.scores[0]?.skill?.difference).toBeCloseTo(miss - (last?.mae ?? 9), 3);
    await s.job('inflation.forecast');
    expect((await forecastsOf(s)).pce.entries).toMatchObject([{ period: '2026-11', forecaster: 'local' }]);
  });
});

describe('with language models', () => {
  const s = fileProduct({ env: { ...SOURCES, ...MODELS } });
  beforeAll(async () => {
    await s.job('inflation.check');
    s.sandbox.faults.set({ provider: 'venice', kind: 'refusal' });
    await s.job('inflation.forecast');
  });

  test('each model that answers has its own entry, others have none', async () => {
    const { cpi } = await forecastsOf(s);
    expect(cpi.entries.map(({ forecaster }) => forecaster).toSorted()).toEqual(['groq', 'huggingface', 'local']);
    const groq = cpi.entries.find(({ forecaster }) => forecaster === 'groq');
    expect(groq).toMatchObject({
      name: 'Groq',
      model: expect.any(String),
      confidence: 60,
      reasoning: expect.stringMatching(/Last month was/),
    });
    const mean = cpi.entries.reduce((sum, { prediction }) => sum + prediction, 0) / 3;
    expect(cpi.forecast_data?.prediction).toBeCloseTo(mean, 2);
    expect(cpi.forecast_data?.n).toBe(3);
  });

  test('a model’s commentary is shown next to the sentences, with its name, once per set of releases', async () => {
    const latest = async () => getLatestInflation.reply.parse((await s.get('/api/inflation/latest')).json());
    const { commentary } = await latest();
    expect(commentary.ai).toMatchObject({ provider: 'Groq', text: expect.stringMatching(/^The latest releases/) });
    expect(commentary.cpi.length).toBeGreaterThan(0);
    s.advance(3_600_000);
    await s.job('inflation.forecast');
    expect((await latest()).commentary.ai?.at).toBe(commentary.ai?.at);
    const [{ n } = { n: 0 }] = await sqlOf<{ n: number }>(s, 'select count(*)::int as n from inflation_commentaries');
    expect(n).toBe(1);
  });
});

describe('the demo history', () => {
  const s = fileProduct(
    { mode: 'demo', past: true, env: { ...SOURCES, ...MODELS } },
    'inflation.check',
    'inflation.forecast',
  );

  test('is written by the same code: every release since the real history, each forecast before it', async () => {
    const { cpi, pce } = await forecastsOf(s);
    expect(new Set(cpi.past.map(({ forecaster }) => forecaster))).toEqual(
      new Set(['venice', 'groq', 'huggingface', 'local']),
    );
    const periods = new Set([...cpi.past, ...pce.past].map(({ period }) => period));
    expect(periods.has('2025-07')).toBe(true);
    expect(periods.has('2025-06')).toBe(false);
    for (const { issued_at, period } of cpi.past)
      expect(Date.parse(issued_at)).toBeLessThan(findRelease('cpi', period)?.at.getTime() ?? 0);
    expect(cpi.past.some(({ period }) => period === '2025-10')).toBe(false);
    expect(cpi.past.find(({ period }) => period === '2025-11')).toMatchObject({ actual: null, error: null });
    for (const { scores } of [cpi, pce]) {
      expect(scores.map(({ forecaster }) => forecaster)).toEqual([
        'groq',
        'huggingface',
        'local',
        'venice',
        'consensus',
        'nowcast',
        'last_value',
      ]);
      for (const { forecaster, n, mae, low, high, skill } of scores) {
        if (scores === pce.scores && forecaster === 'consensus') continue;
        expect(n).toBeGreaterThan(10);
        expect(mae).toBeLessThan(0.5);
        expect([(low ?? 9) < (mae ?? 0), (high ?? 0) > (mae ?? 9)]).toEqual([true, true]);
        if (forecaster === 'last_value') expect(skill).toBeNull();
        else expect(skill).toMatchObject({ low: expect.any(Number) as number, verdict: 'too few' });
        // The month after a missing one has no last value.
        expect(n - (skill?.n ?? n)).toBeLessThanOrEqual(1);
      }
    }
    expect(pce.scores.find(({ forecaster }) => forecaster === 'consensus')).toMatchObject({ n: 0, mae: null });
  });

  test('200: the note states until when figures are official; everything simulated is marked demo', async () => {
    const latest = getLatestInflation.reply.parse((await s.get('/api/inflation/latest')).json());
    expect(latest.note).toMatch(
      /^CPI, core CPI, core PCE and PPI up to June 2025 are official figures .* simulated\.$/,
    );
    for (const each of [latest.cpi, latest.pce, latest.ppi])
      for (const meta of Object.values(each?.meta ?? {})) if ('source' in meta) expect(meta.method).toBe('demo');
    expect(s.product.inflation.level('CPIAUCSL', '2025-06')).toMatchObject({ method: 'measured', source: 'shipped' });
    expect(s.product.inflation.level('CPIAUCSL', '2025-07')).toMatchObject({ method: 'demo', source: 'fred-api' });
  });

  test('resumes where it was; written entries are not rewritten', async () => {
    const before = await forecastsOf(s);
    s.advance(1_800_000);
    await s.job('inflation.forecast');
    expect((await forecastsOf(s)).cpi.past).toEqual(before.cpi.past);
  });
});
