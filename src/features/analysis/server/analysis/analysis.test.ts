import { afterEach, beforeAll, describe, expect, test } from 'vitest';

import { getPredictions } from '#features/analysis/contract/analysis.ts';
import {
  type BacktestSummary,
  getBacktest,
  getLedger,
  HORIZONS,
  SYMBOLS,
} from '#features/analysis/contract/predictions.ts';
import { poolsBetween } from '#features/analysis/server/analysis/store.ts';
import { getDashboard } from '#features/site/contract/dashboard.ts';
import { fileProduct } from '#tests/support/for-file.ts';

const KEYS = { VENICE_API_KEY: 'v', GROQ_API_KEY: 'g', HUGGINGFACE_API_KEY: 'h' };
const TRACKED = ['bitcoin', 'ethereum', 'solana', 'sui', 'ripple'];
const DAY_MS = 86_400_000;

const s = fileProduct({ env: { COIN_LIMIT: '40', ...KEYS } });
afterEach(() => s.sandbox.faults.clear());

const analysis = async () => getDashboard.reply.parse((await s.get('/api/dashboard')).json()).aiAnalysis;
const backtest = async () => getBacktest.reply.parse((await s.get('/api/backtest')).json());
const ledger = async (after = 0) =>
  getLedger.reply.parse((await s.get(`/api/ledger?limit=1000&after=${after}`)).json());
const told = async () => getPredictions.reply.parse((await s.get('/api/predictions')).json());

describe('before the first analysis', () => {
  test('200: nothing is invented: no analysis, no predictions, an empty record', async () => {
    expect(await analysis()).toBeUndefined();
    expect(await told()).toEqual({
      preparing: null,
      timestamp: null,
      short_term: null,
      medium_term: null,
      long_term: null,
      overall_direction: null,
      overall_confidence: null,
    });
    expect(await backtest()).toMatchObject({ overall_accuracy: null, total_predictions: 0, headline: null, cells: [] });
  });

  test('without prices and history no model is called and nothing is frozen', async () => {
    await s.job('market.listing');
    await expect(s.job('analysis.run')).rejects.toMatchObject({ code: 'unavailable' });
    expect((await ledger()).newest).toBe(0);
    expect(s.sandbox.faults.requests('venice')).toBe(0);
  });
});

describe('an analysis', () => {
  let graded: { at: Date; shown: BacktestSummary | undefined };
  const shownRecord = async (query = '') =>
    getDashboard.reply.parse((await s.get(`/api/dashboard${query}`)).json()).backtestResults;

  beforeAll(async () => {
    for (const coinId of TRACKED) await s.job('market.backfill', { coinId });
    await s.job('metrics.listing');
    await s.job('metrics.slow');
    s.advance(60_000);
    await s.job('market.listing');
    s.advance(60_000);
    await s.job('analysis.run');
  });

  test('200: three models and the built-in analyst assess the market, each by its letter', async () => {
    const { providers, missing, meta, dispersion } = (await analysis()) ?? {};
    expect(Object.keys(providers ?? {}).toSorted()).toEqual(['groq', 'huggingface', 'local', 'venice']);
    expect(missing).toEqual([]);
    expect(providers?.['local']).toMatchObject({ built_in: true, name: 'Built-in analyst (statistics, no AI)' });
    expect(providers?.['venice']).toMatchObject({ built_in: false, name: 'Venice' });
    expect(new Set(Object.values(providers ?? {}).map(({ letter }) => letter)).size).toBe(4);
    expect(meta).toMatchObject({ method: 'computed' });
    expect(Object.values(dispersion ?? {}).every((value) => typeof value === 'number')).toBe(true);
  });

  test('200: the consensus of a horizon is the mean of all opinions', async () => {
    const { providers = {}, medium_term } = (await analysis()) ?? {};
    const all = Object.values(providers).map(({ medium_term: term }) => term.probabilities);
    for (const outcome of ['up', 'flat', 'down'] as const) {
      const mean = all.reduce((sum, p) => sum + p[outcome], 0) / all.length;
      expect(medium_term?.probabilities[outcome]).toBeCloseTo(mean, 12);
    }
    expect(medium_term?.confidence).toBeCloseTo(100 * Math.max(...Object.values(medium_term?.probabilities ?? {})), 9);
  });

  test('200: headline, sentence, confidence and horizon come from the pool of all horizons', async () => {
    const shown = await analysis();
    const terms = [shown?.check_point, shown?.short_term, shown?.medium_term, shown?.long_term];
    const pooled = (['up', 'flat', 'down'] as const).map(
      (outcome) => terms.reduce((sum, term) => sum + (term?.probabilities[outcome] ?? 0), 0) / 4,
    );
    expect(shown?.overall_confidence).toBeCloseTo(100 * Math.max(...pooled), 9);
    expect(shown).toMatchObject({
      market_direction: shown?.overall_direction,
      confidence: shown?.overall_confidence,
      time_horizon: 'all',
      reasoning: shown?.overall_reasoning,
    });
    expect(shown?.overall_reasoning).toMatch(/^Equal-weighted average of 4 analysts over all four horizons/);
    for (const { name, overall_confidence: confidence } of Object.values(shown?.providers ?? {}))
      expect(shown?.overall_reasoning).toContain(`${name} ${Math.round(confidence)}%`);
  });

  test('200: the built-in analyst gives its expected range for every coin, and no direction', async () => {
    const { check_point, short_term } = (await analysis())?.providers['local'] ?? {};
    expect(short_term?.reasoning).toMatch(
      /^7d: up \d+%, flat \d+%, down \d+%\. 80% ranges: BTC −\d+\.\d% to \+\d+\.\d%, ETH /,
    );
    expect(short_term?.reasoning).toMatch(/(wider|narrower) than \d+% of the past year\. Direction: no evidence\.$/);
    expect(check_point?.key_factors).toHaveLength(5);
    expect(check_point?.probabilities.up).toBeCloseTo(check_point?.probabilities.down ?? 0, 12);
  });

  test('200: its ranges are the ones frozen with its calls, as prices', async () => {
    const { ranges = [] } = (await analysis()) ?? {};
    expect(ranges).toHaveLength(SYMBOLS.length * HORIZONS.length);
    const { entries } = await ledger();
    const frozen = entries.map(({ body }) => JSON.parse(body)).find((call) => call.ranges && call.horizon === '7d');
    const shown = ranges.find(({ crypto_symbol: asset, horizon }) => asset === frozen.asset && horizon === '7d');
    expect(frozen.analyst).toBe('local');
    expect(shown).toMatchObject({ provider: 'local', issued_at: frozen.issuedAt, price: frozen.price.usd });
    expect(shown?.range_80.low).toBeCloseTo(frozen.price.usd * Math.exp(frozen.ranges[80].low), 8);
    expect(shown?.range_95.high).toBeCloseTo(frozen.price.usd * Math.exp(frozen.ranges[95].high), 8);
    expect(frozen.trailingRanges[80].low).toBeLessThan(0);
  });

  test('200: the prediction set matches the consensus', async () => {
    const { short_term, timestamp, overall_direction } = (await analysis()) ?? {};
    expect(await told()).toMatchObject({
      timestamp,
      overall_direction,
      short_term: { market_direction: short_term?.market_direction, confidence: short_term?.confidence },
    });
  });

  test('every call of each analyst and of their pool is frozen and pending', async () => {
    const { entries } = await ledger();
    expect(entries).toHaveLength(5 * SYMBOLS.length * HORIZONS.length);
    const cells = (await backtest()).cells;
    expect(new Set(cells.map(({ provider }) => provider))).toEqual(
      new Set(['venice', 'groq', 'huggingface', 'local', 'consensus']),
    );
    expect(
      cells.every(
        ({ n, pending, verdict, horizon }) =>
          n === 0 &&
          pending === 5 &&
          verdict === (horizon === '28d' || horizon === '180d' ? 'too few independent windows' : 'no evidence'),
      ),
    ).toBe(true);
  });

  test('200: a day later the one-day calls are graded and the record shows it, without a skill verdict', async () => {
    s.advance(DAY_MS);
    await s.job('market.listing');
    s.advance(120_000);
    await s.job('predictions.resolve');
    const record = await backtest();
    expect(record.total_predictions).toBe(4 * SYMBOLS.length);
    expect(record.overall_accuracy).toBeGreaterThanOrEqual(0);
    expect(record.recent_results).toHaveLength(20);
    expect(record.by_symbol['BTC']).toMatchObject({ totalPredictions: 4, avgCorrelation: null });
    expect(record.headline).toMatchObject({ horizon: '24h', verdict: 'no evidence', n_eff: 1 });
    graded = { at: s.clock.now(), shown: await shownRecord() };
    const [newest] = record.recent_results;
    expect(newest?.accuracy).toBe(newest?.predicted_direction === newest?.actual_direction ? 100 : 0);
  });

  test.each([
    ['refusal', { kind: 'refusal' }],
    ['a server error', { kind: 'server_error' }],
  ] as const)(
    'one provider returns %s: the others and the consensus remain, and the missing one is named',
    async (_, fault) => {
      s.advance(60_000);
      await s.job('market.listing');
      s.advance(60_000);
      s.sandbox.faults.set({ provider: 'groq', path: '*chat/completions', ...fault });
      const { newest } = await ledger();
      await s.job('analysis.run');
      const { providers = {}, missing = [] } = (await analysis()) ?? {};
      expect(Object.keys(providers).toSorted()).toEqual(['huggingface', 'local', 'venice']);
      expect(missing).toEqual([{ id: 'groq', name: 'Groq', key: null, reason: expect.stringMatching(/Groq .+/) }]);
      const { entries } = await ledger(newest);
      expect(entries.filter(({ kind }) => kind === 'missing')).toHaveLength(1);
      expect(entries).toHaveLength(4 * 20 + 1);
    },
  );

  test('all are down: the last analysis remains with its age, and the built-in analyst is still graded', async () => {
    const before = await analysis();
    const { newest } = await ledger();
    s.advance(60_000);
    await s.job('market.listing');
    s.advance(60_000);
    const asked = s.clock.now().toISOString();
    for (const provider of ['venice', 'groq', 'huggingface']) s.sandbox.faults.set({ provider, kind: 'server_error' });
    await s.job('analysis.run');
    const { ranges = [], ...standing } = (await analysis()) ?? {};
    expect({ ...standing, ranges: before?.ranges }).toEqual({ ...before, unanswered_at: asked });
    expect(new Set(ranges.map(({ issued_at: at }) => at))).toEqual(new Set([asked]));
    const { entries } = await ledger(newest);
    const kinds = entries.map(({ kind, body }) => `${kind} ${(JSON.parse(body) as { analyst: string }).analyst}`);
    expect(new Set(kinds)).toEqual(
      new Set(['call local', 'call consensus', 'missing venice', 'missing groq', 'missing huggingface']),
    );
    s.sandbox.faults.clear();
    s.advance(3_600_000);
    await s.job('market.listing');
    s.advance(60_000);
    await s.job('analysis.run');
    expect(await analysis()).toMatchObject({ unanswered_at: null });
    expect(Object.keys((await analysis())?.providers ?? {})).toHaveLength(4);
  });

  test('200: weights that improve the record form the consensus, which states it and has its own track', async () => {
    const record = s.product.predictions.record();
    const models = Object.values((await analysis())?.providers ?? {}).map(({ id: provider, model }) => ({
      provider,
      model,
    }));
    const weights = models.map((of) => ({ ...of, weight: of.provider === 'venice' ? 0.9 : 0.05 }));
    // Groq has a new model: it gets the mean weight of the others.
    const learned = weights.map((of) => (of.provider === 'groq' ? { ...of, model: 'an earlier one' } : of));
    const pool = { horizon: '7d' as const, n: 9, dates: 9, brier_equal: 0.6, brier_weighted: 0.5, p_better: 0.01 };
    const scored = { ...record, pools: [{ ...pool, used: true, weights: learned }] };
    await s.product.pool.query('update prediction_record set body = $1', [JSON.stringify(scored)]);
    await s.product.refresh();
    const [{ newest }, from] = [await ledger(), s.clock.now()];
    s.advance(60_000);
    await s.job('market.listing');
    s.advance(60_000);
    await s.job('analysis.run');
    const { providers = {}, short_term, medium_term, overall_reasoning } = (await analysis()) ?? {};
    const share: Record<string, number> = { venice: 0.675, groq: 0.25, huggingface: 0.0375, local: 0.0375 };
    const up = Object.values(providers).reduce(
      (sum, { id, short_term: term }) => sum + (share[id] ?? 0) * term.probabilities.up,
      0,
    );
    expect(short_term?.probabilities.up).toBeCloseTo(up, 12);
    expect(short_term?.reasoning).toMatch(/^Weights by record: Venice 68%, Groq 25%, .+ 4%, .+ 4%\. /);
    expect(medium_term?.reasoning).not.toContain('Weights');
    expect(overall_reasoning).toMatch(
      /^Average of 4 analysts over all four horizons \(24h to 180d\), weighted by their record at 7d\. /,
    );
    const stored = (await poolsBetween(s.product.analysis.ctx.db, 'local', from, s.clock.now())).at(-1);
    expect(stored?.pools[1]?.up).toBeCloseTo(up, 12);
    const calls = (await ledger(newest)).entries.map(({ body }) => JSON.parse(body));
    const frozen = (analyst: string) =>
      calls.find((call) => call.analyst === analyst && call.asset === 'BTC' && call.horizon === '7d');
    expect(frozen('consensus')).toMatchObject({ model: 'weighted-pool', promptVersion: 'pool-2' });
    const members = Object.entries(share).map(([id, weight]) => weight * frozen(id).probabilities.up);
    expect(frozen('consensus').probabilities.up).toBeCloseTo(
      members.reduce((sum, value) => sum + value),
      12,
    );
  });

  test('200: an earlier moment shows the latest analysis up to then', async () => {
    const newest = (await analysis())?.timestamp ?? '';
    const then = new Date(Date.parse(newest) - 1000).toISOString();
    const earlier = getDashboard.reply.parse((await s.get(`/api/dashboard?asOf=${then}`)).json()).aiAnalysis;
    expect(Date.parse(earlier?.timestamp ?? '')).toBeLessThan(Date.parse(newest));
    expect(Object.keys(earlier?.providers ?? {}).length).toBeGreaterThan(1);
  });

  test('200: an earlier moment shows the record as scored up to then', async () => {
    expect(graded.shown?.total_predictions).toBe(4 * SYMBOLS.length);
    expect(await shownRecord(`?asOf=${graded.at.toISOString()}`)).toEqual(graded.shown);
    expect((await shownRecord())?.timestamp).not.toBe(graded.shown?.timestamp);
  });

  test('a failure while freezing stores neither answers nor calls', async () => {
    const { newest } = await ledger();
    const before = (await analysis())?.id;
    s.advance(-DAY_MS);
    await expect(s.job('analysis.run')).rejects.toMatchObject({ code: 'conflict' });
    s.advance(DAY_MS);
    await s.product.refresh();
    expect((await ledger()).newest).toBe(newest);
    expect((await analysis())?.id).toBe(before);
  });
});
