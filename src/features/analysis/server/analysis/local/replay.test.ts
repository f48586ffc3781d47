import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { describe, expect, test } from 'vitest';
import { HORIZONS, type Horizon } from '#features/analysis/contract/predictions.ts';
import { judge } from '#features/analysis/server/predictions/scoring/all.ts';
import { MONDAY, SIGMA, walk } from '#features/analysis/server/predictions/scoring/testing/simulated.ts';
import { scoreTrack } from '#features/analysis/server/predictions/scoring/track.ts';
import { type ReplayCall, replayAll, replayCalls, scoreReplay } from './replay.ts';
import { type CoinCandles, createForecaster, type DailyCandle } from './volatility-model.ts';

const folder = resolve(
  process.env['RECORDINGS_DIR'] ?? resolve(import.meta.dirname, '../../../../../../../shared/data'),
  'ohlcv-bybit-daily',
);
const missing = existsSync(folder) ? '' : ` — SKIPPED: ${folder} is missing, set RECORDINGS_DIR`;
if (missing) process.stderr.write(`replay.test.ts${missing}\n`);

const said = (calls: readonly ReplayCall[], until: number) =>
  calls.flatMap(({ day, coin, probabilities, ranges, trailingRanges, climatology, persistence }) =>
    day < until ? [{ day, coin, probabilities, ranges, trailingRanges, climatology, persistence }] : [],
  );

const briers = (coins: readonly CoinCandles[], horizon: Horizon) => scoreTrack(replayCalls(coins, horizon), horizon);

describe('no look-ahead into the future', () => {
  const coins = [walk('A', 1, 420), walk('B', 2, 420)];
  const cut = MONDAY + 350;
  const garbled = coins.map(({ coin, candles }) => ({
    coin,
    candles: candles.map((candle) =>
      candle.day < cut ? candle : { day: candle.day, open: 9, high: 90, low: 0.1, close: 1 + (candle.day % 7) },
    ),
  }));

  test.each(HORIZONS)('%s: garbling every later candle changes no earlier call', (horizon) => {
    const before = said(replayCalls(coins, horizon), cut);
    if (horizon !== '180d') expect(before.length).toBeGreaterThan(100);
    expect(said(replayCalls(garbled, horizon), cut)).toEqual(before);
  });

  test('a forecaster that looks one day ahead is detected', () => {
    const early = (of: readonly CoinCandles[]) =>
      of.map(({ coin, candles }) => ({ coin, candles: candles.map((candle) => ({ ...candle, day: candle.day - 1 })) }));
    const before = said(replayCalls(early(coins), '24h'), cut);
    expect(said(replayCalls(early(garbled), '24h'), cut)).not.toEqual(before);
  });
});

describe('simulated worlds', () => {
  test('without signal: no worse than uniform by more than 0.002, and never ahead', () => {
    const scores = Array.from({ length: 12 }, (_, i) => briers([walk('A', 100 + i, 600)], '24h'));
    const mean = scores.reduce((sum, { brier }) => sum + (brier ?? 0), 0) / scores.length;
    expect(mean - 2 / 3).toBeLessThan(0.002);
    expect(scores.map((summary) => judge([{ horizon: '24h', summary }])[0]?.verdict)).not.toContain('ahead');
  });

  test('with quiet weekends: detects them and is ahead', () => {
    const quiet = (day: number) => (day % 7 === 2 || day % 7 === 3 ? SIGMA / 3 : SIGMA);
    const summary = briers([walk('A', 5, 700, quiet), walk('B', 6, 700, quiet)], '24h');
    expect(judge([{ horizon: '24h', summary }])[0]?.verdict).toBe('ahead');
    const last = MONDAY + 699;
    const [friday, monday] = [last - ((last - 1) % 7), last - ((last - 4) % 7)];
    const factor = (day: number) => createForecaster([walk('A', 5, 700, quiet)]).at(day, '24h')[0]?.weekday ?? 1;
    expect(factor(friday)).toBeLessThan(0.6);
    expect(factor(monday)).toBeCloseTo(1, 1);
  });

  test('a window that starts at noon takes half of each day', () => {
    const quiet = (day: number) => (day % 7 === 2 ? SIGMA / 3 : SIGMA);
    const forecaster = createForecaster([walk('A', 5, 700, quiet)]);
    const friday = MONDAY + 699 - ((MONDAY + 699 - 1) % 7);
    const factor = (start: number) => forecaster.at(friday, '24h', start)[0]?.weekday ?? 1;
    expect(factor(friday + 1.5) ** 2).toBeCloseTo(factor(friday + 1) * factor(friday + 2), 9);
  });

  test('closes alone, and a day without trades, do not stop it', () => {
    const { coin, candles } = walk('A', 9, 450);
    const closes = candles.map(({ day, close }) => ({ day, open: close, high: close, low: close, close }));
    const gap = closes.filter(({ day }) => day !== MONDAY + 380);
    const calls = replayCalls([{ coin, candles: gap }], '24h');
    expect(calls.length).toBeGreaterThan(150);
    expect(calls.every(({ scale, ranges }) => scale > 0 && ranges[80].high < ranges[95].high)).toBe(true);
    expect(calls.find(({ day }) => day === MONDAY + 379)?.outcome).toBe('void');
  });

  test('too little history gives no call', () => {
    expect(scoreReplay(replayAll([walk('A', 3, 90)]), 'x').map(({ dates, verdict }) => [dates, verdict])).toEqual([
      [0, 'no evidence'],
      [0, 'no evidence'],
      [0, 'too few independent windows'],
      [0, 'too few independent windows'],
    ]);
  });
});

/** The columns of the recorded files: timestamp, open, high, low, close, volume, turnover, date. */
function recorded(symbol: string): CoinCandles {
  const [, ...lines] = readFileSync(resolve(folder, `${symbol}USDT.csv`), 'utf8')
    .trim()
    .split('\n');
  const candles = lines.map((line): DailyCandle => {
    const [timestamp = 0, open = 0, high = 0, low = 0, close = 0] = line.split(',').map(Number);
    return { day: timestamp / 86_400_000, open, high, low, close };
  });
  return { coin: symbol, candles };
}

describe.skipIf(missing !== '')(`five coins, 2020 to 2025${missing}`, () => {
  const scores = missing ? [] : scoreReplay(replayAll(['BTC', 'ETH', 'SOL', 'SUI', 'XRP'].map(recorded)), 'volatility');
  const [day, week] = scores;

  test('24h: ahead of base rates, persistence and uniform', () => {
    expect(day).toMatchObject({ horizon: '24h', verdict: 'ahead' });
    expect(day?.dates).toBeGreaterThan(1_300);
    expect(1 - (day?.brier ?? 1) / (day?.brierBaseRates ?? 0)).toBeGreaterThan(0.015);
    expect(1 - (day?.brier ?? 1) / (day?.brierUniform ?? 0)).toBeGreaterThan(0.035);
  });

  test('no horizon is worse than uniform by more than 0.002', () => {
    for (const { brier } of scores) expect((brier ?? 1) - 2 / 3).toBeLessThan(0.002);
  });

  test('ranges have their stated coverage at 24h and 7d, narrower than trailing-year quantiles at 24h', () => {
    for (const each of [day, week]) {
      expect(Math.abs((each?.coverage80 ?? 0) - 0.8)).toBeLessThan(0.02);
      expect(Math.abs((each?.coverage95 ?? 0) - 0.95)).toBeLessThan(0.01);
    }
    expect(1 - (day?.intervalScore80 ?? 1) / (day?.intervalScore80TrailingQuantiles ?? 0)).toBeGreaterThan(0.02);
  });
});
