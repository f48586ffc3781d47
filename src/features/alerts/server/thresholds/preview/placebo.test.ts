import { describe, expect, test } from 'vitest';

import type { RuleOptions } from '#features/alerts/contract/thresholds.ts';
import { compileRule, initialState, type RuleRow } from '../engine/compile.ts';
import { createEngine } from '../engine/engine.ts';
import { random, randomRule } from '../engine/fixtures/random.ts';
import { replay } from '../engine/replay.ts';
import { dailyChanges, dailySigmas, rangeDistances } from './derived.ts';
import { type Named, suggestionsFor, thinned, ticksOf } from './preview.ts';
import { measureMoves } from './series-history.ts';

const HOUR_MS = 3_600_000;
const DAYS = 90;
const START = Date.UTC(2026, 5, 1);
const PLAIN: RuleOptions = {
  mode: 'every',
  cooldownMinutes: 15,
  margin: null,
  holdMinutes: 0,
  expiresAt: null,
  and: null,
  schedule: null,
};

/** Hourly prices without predictable moves, with volatility clusters. */
function walk(seed: number, name = 'btc_price', from = 60_000, days = DAYS): Named {
  const uniform = random(seed * 7919 + 13);
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  const times = new Float64Array(days * 24);
  const values = new Float64Array(days * 24);
  let [log, calm] = [Math.log(from), 0];
  for (let i = 0; i < times.length; i++) {
    calm = 0.98 * calm + 0.15 * normal();
    log += 0.005 * Math.exp(calm) * normal();
    times[i] = START + i * HOUR_MS;
    values[i] = Math.exp(log);
  }
  return { name, times, values };
}

const rowOf = (metric: string, condition: 'above' | 'below' | 'changes_by', value: number): RuleRow => ({
  id: 1,
  userId: 1,
  metric,
  condition,
  value,
  options: PLAIN,
});
const first = ({ times }: Named) => times[0] as number;
const last = ({ times }: Named) => times.at(-1) as number;
const firesOf = (row: RuleRow, series: readonly Named[]) =>
  replay(compileRule(row), ticksOf(series, first(series[0] as Named)), initialState(row)).fires;

test('on random walks the verdict is "no evidence", also for frequently met levels', () => {
  const verdicts = { all: 0, often: 0, wrong: 0 };
  for (let seed = 1; seed <= 60; seed++) {
    const price = walk(seed);
    const sorted = price.values.toSorted();
    for (const share of [0.1, 0.3, 0.5, 0.7, 0.9])
      for (const condition of ['above', 'below'] as const) {
        const level = sorted[Math.floor(share * sorted.length)] as number;
        const moments = firesOf(rowOf('btc_price', condition, level), [price]).map(([at]) => at);
        const { fires, verdict } = measureMoves(price, moments, first(price), last(price));
        verdicts.all++;
        if (fires.n >= 8) verdicts.often++;
        if (verdict !== 'no evidence') verdicts.wrong++;
      }
  }
  expect(verdicts.often).toBeGreaterThan(150);
  expect(verdicts.wrong / verdicts.often).toBeLessThanOrEqual(0.05);
});

test('a real price rise after fires is detected', () => {
  const price = walk(3);
  const moments: number[] = [];
  let risen = 0;
  for (let i = 0; i < price.times.length; i++) {
    if (i % 120 === 36 && i + 48 < price.times.length) moments.push(price.times[i] as number);
    if (i > 36 && (i - 36) % 120 >= 1 && (i - 36) % 120 <= 24) risen += 0.08 / 24;
    price.values[i] = (price.values[i] as number) * Math.exp(risen);
  }
  const { fires, all, verdict } = measureMoves(price, moments, first(price), last(price));
  expect(fires.n).toBe(moments.length);
  expect(fires.mean ?? 0).toBeGreaterThan(all.mean ?? 0);
  expect(verdict).toBe('higher');
  expect(measureMoves(price, moments.slice(0, 7), first(price), last(price)).verdict).toBe('no evidence');
});

test('overlapping fires count once, and the last day of history has no move yet', () => {
  const price = walk(4);
  const at = (hour: number) => price.times[hour] as number;
  const { fires } = measureMoves(price, [at(100), at(101), at(123), at(124), at(2159)], first(price), last(price));
  expect(fires.n).toBe(2);
});

describe('suggestions', () => {
  test('fire about as often as stated', () => {
    let promised = 0;
    for (let seed = 1; seed <= 25; seed++) {
      const price = walk(seed);
      for (const row of [rowOf('btc_price', 'above', 60_000), rowOf('btc_price', 'changes_by', 5)]) {
        const series = row.condition === 'above' ? price : { ...dailyChanges(price), name: 'btc_price~change' };
        const days = (last(series) - first(series)) / 86_400_000;
        for (const { perWeek, value } of suggestionsFor(row, [series], first(series), days)) {
          const found = (firesOf({ ...row, value }, [series]).length / days) * 7;
          expect(Math.abs(found - perWeek)).toBeLessThanOrEqual(0.25 * perWeek);
          promised++;
        }
      }
    }
    expect(promised).toBeGreaterThan(60);
  });

  test('for several values match those for each alone', () => {
    const price = walk(5);
    const days = (last(price) - first(price)) / 86_400_000;
    const apart = () => ({ ...price, values: price.values.slice() });
    for (const value of [40_000, 55_000, 60_000, 65_000, 90_000])
      for (const margin of [0, 500])
        for (const condition of ['above', 'below'] as const) {
          const plain = rowOf('btc_price', condition, value);
          const row = { ...plain, options: { ...plain.options, margin } };
          const alone = suggestionsFor(row, [apart()], first(price), days);
          expect(suggestionsFor(row, [price], first(price), days)).toEqual(alone);
        }
  });

  test('need more than a few days', () => {
    const price = walk(1, 'btc_price', 60_000, 10);
    expect(suggestionsFor(rowOf('btc_price', 'above', 60_000), [price], first(price), 10)).toEqual([]);
  });
});

test('a preview matches the live engine: the same fires over the same values', () => {
  const rnd = random(99);
  const names = ['btc_price', 'fear_greed', 'price:sui', 'ai_prediction_short'];
  const walks = names.map((name, i) => walk(i + 50, name, [100, 50, 3, 1][i] as number, 30));
  const ai = walks[3] as Named;
  for (const [i, value] of ai.values.entries())
    ai.values[i] = Math.round(3 * (value - 1)) > 0 ? 1 : i % 7 === 0 ? -1 : 0;
  const series = [...walks, { ...dailyChanges(walks[0] as Named), name: 'btc_price~change' }];
  const begin = START + 48 * HOUR_MS;
  const rows = Array.from({ length: 300 }, (_, id) => randomRule(rnd, id));
  const live = createEngine();
  for (const row of rows) live.add(compileRule(row), initialState(row));
  const fired = new Map<number, number[]>(rows.map(({ id }) => [id, []]));
  for (const tick of ticksOf(series, begin))
    for (const change of live.tick(tick)) if (change.fired) fired.get(change.id)?.push(tick.at);
  let count = 0;
  for (const row of rows) {
    const rule = compileRule(row);
    const own = series.filter(({ name }) => rule.legs.some((leg) => leg.series === name));
    const told = replay(rule, ticksOf(own, begin), initialState(row)).fires.map(([at]) => at);
    expect(told).toEqual(fired.get(row.id));
    count += told.length;
  }
  expect(count).toBeGreaterThan(500);
});

describe('the series used to judge changes', () => {
  const steady = (step: number): Named => {
    const times = Float64Array.from({ length: 60 * 24 }, (_, i) => START + i * HOUR_MS);
    return { name: 'x', times, values: times.map((_, i) => 100 * (1 + step) ** (i / 24)) };
  };

  test('percent over 24h, as an amount, from the first day on', () => {
    for (const step of [0.05, -0.05]) {
      const { times, values } = dailyChanges(steady(step));
      expect(times[0]).toBe(START + 21 * HOUR_MS);
      expect(values.at(-1)).toBeCloseTo(5, 9);
    }
  });

  test('nothing if the previous day is missing', () => {
    const { times, values } = steady(0.01);
    const hole = { times: times.filter((_, i) => i < 24 || i > 60), values: values.filter((_, i) => i < 24 || i > 60) };
    expect([...dailyChanges(hole).times].some((at) => at > START + 60 * HOUR_MS && at < START + 82 * HOUR_MS)).toBe(
      false,
    );
  });

  test('percent beyond the latest range: below zero inside, nothing before the first or after a day', () => {
    const range = (hour: number, low: number, high: number) => ({
      provider: 'local',
      crypto_symbol: 'BTC' as const,
      horizon: '24h' as const,
      issued_at: new Date(START + hour * HOUR_MS).toISOString(),
      price: 100,
      range_80: { low, high },
      range_95: { low: low / 2, high: high * 2 },
    });
    const closes = { times: [0, 1, 2, 3, 26, 27], values: [100, 100, 110, 110, 80, 80] };
    const price = {
      times: Float64Array.from(closes.times, (hour) => START + hour * HOUR_MS),
      values: Float64Array.from(closes.values),
    };
    const { times, values } = rangeDistances(price, [range(1, 80, 100), range(3, 100, 200)]);
    expect([...times].map((at) => (at - START) / HOUR_MS)).toEqual([1, 2, 3, 26]);
    expect([...values].map((value) => Math.round(value))).toEqual([0, 10, -10, 20]);
  });

  test('standard deviations of daily changes over the previous thirty days: a shock is measured against the calm before', () => {
    const price = steady(0);
    const { values } = price;
    for (let i = 0; i < values.length; i++) values[i] = 100 * (Math.floor(i / 24) % 2 ? Math.exp(0.01) : 1);
    const spread = Math.sqrt((30 * 0.01 ** 2) / 29);
    for (let i = 50 * 24 + 1; i < values.length; i++) values[i] = (values[50 * 24] as number) * Math.exp(0.1);
    const sigmas = dailySigmas(price);
    const shock = sigmas.values[[...sigmas.times].indexOf(START + (50 * 24 + 1) * HOUR_MS)] as number;
    expect(shock).toBeGreaterThan(0.08 / spread);
    expect(shock).toBeLessThan(0.12 / spread);
    expect(sigmas.times[0]).toBeGreaterThan(START + 19 * 24 * HOUR_MS);
  });
});

test('the line has a bounded number of points, in order, including minimum and maximum', () => {
  const { times, values } = walk(7);
  const points = thinned({ times, values }, 240);
  expect(points.length).toBeLessThanOrEqual(240);
  const shown = points.map(([, value]) => value);
  expect([Math.min(...shown), Math.max(...shown)]).toEqual([Math.min(...values), Math.max(...values)]);
  expect(thinned({ times: times.subarray(0, 5), values: values.subarray(0, 5) }, 240)).toHaveLength(5);
});
