import {
  HORIZON_DAYS,
  type Horizon,
  type Outcome,
  type Probabilities,
} from '#features/analysis/contract/predictions.ts';
import { logOdds, type PlattLine, type PlattMap, recalibrated, sigmoid } from '#shared/recalibration.ts';
import { issueDay, startOfWeek } from './dates.ts';
import { brier, brierSkill, logScore, UNIFORM } from './scores.ts';

/** The forecasts from `from` to `to`, `forecast` on the mean, came true at the rate `observed`. */
export type CalibrationPoint = { from: number; to: number; forecast: number; observed: number; count: number };

export type Calibration = {
  points: CalibrationPoint[];
  brier: number;
  miscalibration: number;
  discrimination: number;
  uncertainty: number;
};

type Block = { from: number; to: number; forecasts: number; events: number; count: number };

const rate = ({ events, count }: Block) => events / count;

/** Pool adjacent violators (Ayer et al. 1955); equal forecasts are one block from the start. */
function isotonicBlocks(forecasts: readonly number[], events: readonly boolean[]): Block[] {
  const order = forecasts.map((_, i) => i).toSorted((a, b) => (forecasts[a] as number) - (forecasts[b] as number));
  const blocks: Block[] = [];
  const mergeLast = () => {
    const above = blocks.pop() as Block;
    const below = blocks.at(-1) as Block;
    below.to = above.to;
    below.forecasts += above.forecasts;
    below.events += above.events;
    below.count += above.count;
  };
  for (const [rank, i] of order.entries()) {
    const forecast = forecasts[i] as number;
    const previous = blocks.at(-1);
    blocks.push({ from: forecast, to: forecast, forecasts: forecast, events: events[i] ? 1 : 0, count: 1 });
    if (previous && previous.from === forecast) mergeLast();
    const next = order[rank + 1];
    if (next !== undefined && forecasts[next] === forecast) continue;
    while (blocks.length > 1 && rate(blocks.at(-2) as Block) >= rate(blocks.at(-1) as Block)) mergeLast();
  }
  return blocks;
}

/**
 * CORP (Dimitriadis, Gneiting and Jordan, PNAS 2021) of the probabilities of one event: the isotonic reliability curve
 * and the binary Brier score as miscalibration − discrimination + uncertainty. Null without forecasts.
 */
export function calibrationOf(forecasts: readonly number[], events: readonly boolean[]): Calibration | null {
  const n = forecasts.length;
  if (n === 0) return null;
  const blocks = isotonicBlocks(forecasts, events);
  const base = blocks.reduce((sum, block) => sum + block.events, 0) / n;
  const brier = forecasts.reduce((sum, p, i) => sum + (p - (events[i] ? 1 : 0)) ** 2, 0) / n;
  const recalibrated = blocks.reduce((sum, block) => sum + block.events * (1 - rate(block)), 0) / n;
  const uncertainty = base * (1 - base);
  return {
    points: blocks.map((block) => ({
      from: block.from,
      to: block.to,
      forecast: block.forecasts / block.count,
      observed: rate(block),
      count: block.count,
    })),
    brier,
    miscalibration: brier - recalibrated,
    discrimination: uncertainty - recalibrated,
    uncertainty,
  };
}

/** Worth four independent windows of doubt that a line differs from the identity. */
const RIDGE = 4;
const MOST_STEPS = 100;
const CLOSE = 1e-13;

/** `settledAt` is when the outcome was known. */
export type SettledForecast = {
  issuedAt: number;
  settledAt: number;
  probabilities: Probabilities;
  climatology: Probabilities;
  persistence: Probabilities;
  outcome: Outcome;
};

export type Recalibration = { map: PlattMap; brier: number; skill: number | null; logScore: number };

type Sample = { odds: number; event: boolean; weight: number };

/** The line of most likelihood under a normal prior around the identity, by Newton's method; the loss is convex. */
export function fitLine(samples: readonly Sample[], from: PlattLine = { intercept: 0, slope: 1 }): PlattLine {
  let { intercept: a, slope: b } = from;
  for (let step = 0; step < MOST_STEPS; step++) {
    let [ga, gb, haa, hab, hbb] = [RIDGE * a, RIDGE * (b - 1), RIDGE, 0, RIDGE];
    for (const { odds, event, weight } of samples) {
      const p = sigmoid(a + b * odds);
      const miss = weight * (p - (event ? 1 : 0));
      const bend = weight * p * (1 - p);
      ga += miss;
      gb += miss * odds;
      haa += bend;
      hab += bend * odds;
      hbb += bend * odds * odds;
    }
    const size = haa * hbb - hab * hab;
    const [da, db] = [(hbb * ga - hab * gb) / size, (haa * gb - hab * ga) / size];
    // A long step may jump over the least loss: it is taken in part.
    const part = Math.min(1, 1 / Math.max(Math.abs(da), Math.abs(db), 1e-300));
    a -= part * da;
    b -= part * db;
    if (Math.max(Math.abs(da), Math.abs(db)) < CLOSE) break;
  }
  return { intercept: a, slope: b };
}

const OUTCOMES = ['up', 'flat', 'down'] as const;

/**
 * The same calls as their own past would have corrected them (recipe 3.8): the lines are fitted anew each week on what was
 * settled before it, so every score is out of sample. All calls of a day weigh as one, and windows that overlap as one
 * window. `map` is that of the week of `at`. Null without settled calls.
 */
export function recalibration(calls: readonly SettledForecast[], horizon: Horizon, at: number): Recalibration | null {
  if (calls.length === 0) return null;
  const onDay = Map.groupBy(calls, ({ issuedAt }) => issueDay(issuedAt));
  const settled = calls.toSorted((a, b) => a.settledAt - b.settledAt);
  const samples: Record<Outcome, Sample[]> = { up: [], flat: [], down: [] };
  let known = 0;
  let map: PlattMap = { up: identity(), flat: identity(), down: identity() };

  function mapOf(week: number): PlattMap {
    const before = known;
    for (let next = settled[known]; next && next.settledAt < week; next = settled[++known]) {
      const { issuedAt, probabilities, outcome } = next;
      const weight = 1 / ((onDay.get(issueDay(issuedAt))?.length ?? 1) * HORIZON_DAYS[horizon]);
      for (const name of OUTCOMES)
        samples[name].push({ odds: logOdds(probabilities[name]), event: outcome === name, weight });
    }
    if (known > before)
      map = {
        up: fitLine(samples.up, map.up),
        flat: fitLine(samples.flat, map.flat),
        down: fitLine(samples.down, map.down),
      };
    return map;
  }

  const weeks = [...Map.groupBy(calls, ({ issuedAt }) => startOfWeek(issuedAt))].toSorted(([a], [b]) => a - b);
  let [own, base, persisted, uniform, log] = [0, 0, 0, 0, 0];
  for (const [week, issued] of weeks) {
    const then = mapOf(week);
    for (const { probabilities, climatology, persistence, outcome } of issued) {
      const corrected = recalibrated(probabilities, then);
      own += brier(corrected, outcome);
      base += brier(climatology, outcome);
      persisted += brier(persistence, outcome);
      uniform += brier(UNIFORM, outcome);
      log += logScore(corrected, outcome);
    }
  }
  const n = calls.length;
  const skill = brierSkill(own / n, base / n, persisted / n, uniform / n);
  return { map: mapOf(startOfWeek(at)), brier: own / n, skill, logScore: log / n };
}

const identity = (): PlattLine => ({ intercept: 0, slope: 1 });
