import { HORIZON_DAYS, HORIZONS, type Horizon, type Verdict } from '#features/analysis/contract/predictions.ts';
import { type Judged, judge } from '#features/analysis/server/predictions/scoring/all.ts';
import { type Ranges, scoreRanges, trailingRangesOf } from '#features/analysis/server/predictions/scoring/ranges.ts';
import { baselines } from '#features/analysis/server/predictions/scoring/scores.ts';
import { type ScoredCall, scoreTrack } from '#features/analysis/server/predictions/scoring/track.ts';
import { type DailyClose, denseCloses, outcomeOf } from '#features/analysis/server/predictions/scoring/volatility.ts';
import { type CoinCandles, createForecaster, type Forecast } from './volatility-model.ts';

const DAY_MS = 86_400_000;
const TRAILING_YEAR = 365;

export type ReplayScore = {
  horizon: Horizon;
  track: string;
  dates: number;
  brier: number | null;
  brierBaseRates: number | null;
  brierUniform: number | null;
  /** Against the best of base rates, persistence and uniform. */
  skill: number | null;
  verdict: Verdict;
  /** Share of returns inside the 80% and the 95% range. */
  coverage80: number | null;
  coverage95: number | null;
  /** In log returns; the second for the quantiles of each coin's trailing year, over the same calls. */
  intervalScore80: number | null;
  intervalScore80TrailingQuantiles: number | null;
  /** Brier score of base rates less the track's own, mean over dates: above zero is better. */
  gainBaseRates: { mean: number; t: number; low: number | null; high: number | null } | null;
};

export type ReplayCall = ScoredCall & {
  day: number;
  coin: string;
  horizon: Horizon;
  /** Close at issue. */
  price: number;
  /** A log return within ± band is flat. */
  band: number;
  scale: number;
  ranges: Ranges;
  trailingRanges: Ranges | null;
};

type Past = { first: number; close: Float64Array };

const pastsOf = (coins: readonly CoinCandles[]): Map<string, Past> =>
  new Map(
    coins.map(({ coin, candles }) => [
      coin,
      { first: candles[0]?.day ?? 0, close: denseCloses(candles.map(({ day, close }) => ({ day, close }))) },
    ]),
  );

/** The closes that base rates look at: a year of windows, those before them, and 30 days of volatility. */
function knownAt({ first, close }: Past, day: number, horizonDays: number): DailyClose[] {
  const from = Math.max(first, day - TRAILING_YEAR - 2 * horizonDays - 30);
  return Array.from(close.slice(from - first, day - first + 1), (value, i) => ({ day: from + i, close: value })).filter(
    ({ close: value }) => !Number.isNaN(value),
  );
}

/**
 * Replays the built-in analyst over past candles: at the end of each day, one call per coin from what was known then,
 * graded at the close of the day on which its window ends. Live scoring code grades it.
 */
export function replayCalls(coins: readonly CoinCandles[], horizon: Horizon): ReplayCall[] {
  const days = HORIZON_DAYS[horizon];
  const forecaster = createForecaster(coins);
  const pasts = pastsOf(coins);
  const first = Math.min(...[...pasts.values()].map((past) => past.first));
  const last = Math.max(...[...pasts.values()].map((past) => past.first + past.close.length - 1));
  const all: ReplayCall[] = [];

  function callOf({ coin, scale, band, probabilities, ranges }: Forecast, day: number): ReplayCall {
    const past = pasts.get(coin) as Past;
    const known = knownAt(past, day, days);
    const { climatology, persistence } = baselines(known, horizon);
    const end = past.close[day + days - past.first] ?? Number.NaN;
    const r = Math.log(end / (past.close[day - past.first] as number));
    const over = day + days <= last;
    return {
      issuedAt: (day + 1) * DAY_MS,
      probabilities,
      climatology: climatology.probabilities,
      persistence: persistence.probabilities,
      outcome: Number.isNaN(r) ? (over ? 'void' : null) : outcomeOf(r, band),
      r: Number.isNaN(r) ? null : r,
      day,
      coin,
      horizon,
      price: past.close[day - past.first] as number,
      band,
      scale,
      ranges,
      trailingRanges: trailingRangesOf(known, horizon),
    };
  }

  for (let day = first; day <= last; day++) {
    const calls = forecaster.at(day, horizon).map((forecast) => callOf(forecast, day));
    all.push(...calls);
  }
  return all;
}

export type ReplayedCalls = Record<Horizon, ReplayCall[]>;

export const replayAll = (coins: readonly CoinCandles[]): ReplayedCalls =>
  Object.fromEntries(HORIZONS.map((horizon) => [horizon, replayCalls(coins, horizon)])) as ReplayedCalls;

/** The replayed record of the built-in analyst, one line per horizon, with Holm's correction over all of them. */
export function scoreReplay(calls: ReplayedCalls, track: string): ReplayScore[] {
  const cells = judge(HORIZONS.map((horizon) => ({ horizon, summary: scoreTrack(calls[horizon], horizon) })));
  return cells.map((cell) => lineOf(cell, scoreRanges(calls[cell.horizon]), track));
}

function lineOf(
  { horizon, summary, verdict }: Judged,
  ranges: ReturnType<typeof scoreRanges>,
  track: string,
): ReplayScore {
  const { dm, bootstrap, nonOverlapping } = summary;
  const tested = dm ?? nonOverlapping;
  return {
    horizon,
    track,
    dates: summary.dates,
    brier: summary.brier,
    brierBaseRates: summary.brierClimatology,
    brierUniform: summary.brierUniform,
    skill: summary.skill,
    verdict,
    coverage80: ranges?.coverage[80] ?? null,
    coverage95: ranges?.coverage[95] ?? null,
    intervalScore80: ranges?.score?.[80] ?? null,
    intervalScore80TrailingQuantiles: ranges?.scoreTrailing?.[80] ?? null,
    gainBaseRates: tested && {
      mean: -tested.mean,
      t: -tested.statistic,
      low: bootstrap && -bootstrap.high,
      high: bootstrap && -bootstrap.low,
    },
  };
}
