import type { Preview } from '#features/alerts/contract/thresholds.ts';
import { blockBootstrap } from '#features/analysis/server/predictions/service.ts';
import type { Series } from '#kernel/packed-series.ts';
import { lastAt } from './search.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How old a price may be and still stand for the moment. */
const NEAR_MS = 3 * HOUR_MS;
const FEWEST = 8;
const RESAMPLES = 999;

type After = Omit<Preview['after'], 'asset'>;
type Move = After['fires'];
type Dated = { day: number; value: number };

/** The log move of the price over the 24h after a moment; NaN where prices are missing. */
function moveAfter({ times, values }: Series, moment: number): number {
  const [from, to] = [lastAt(times, moment), lastAt(times, moment + DAY_MS)];
  if (from < 0 || to <= from) return NaN;
  const isNear = moment - (times[from] as number) <= NEAR_MS && moment + DAY_MS - (times[to] as number) <= NEAR_MS;
  return isNear ? Math.log((values[to] as number) / (values[from] as number)) : NaN;
}

/** Moves that share no hour, each on a day of its own, from the oldest on. */
function movesAfter(prices: Series, moments: Iterable<number>): Dated[] {
  const moves: Dated[] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (const moment of moments) {
    if (moment < free) continue;
    const value = moveAfter(prices, moment);
    if (Number.isNaN(value)) continue;
    moves.push({ day: Math.floor(moment / DAY_MS), value });
    free = moment + DAY_MS;
  }
  return moves;
}

const percent = (log: number): number => Math.round(Math.expm1(log) * 1e4) / 100;

function summed(moves: readonly Dated[]): Move {
  if (moves.length === 0) return { n: 0, mean: null, low: null, high: null };
  const mean = moves.reduce((total, { value }) => total + value, 0) / moves.length;
  const spread = blockBootstrap(moves, 1, { resamples: RESAMPLES });
  const [low, high] = spread ? [percent(spread.low), percent(spread.high)] : [null, null];
  return { n: moves.length, mean: percent(mean), low, high };
}

function* days(from: number, to: number): Iterable<number> {
  for (let moment = from; moment + DAY_MS <= to; moment += DAY_MS) yield moment;
}

/**
 * What the price did in the 24h after a fire, against all days of the span. There is a verdict from eight fires on, when the
 * 99% interval of their distance leaves out zero. So strict, because a level that was met often is one that the price turned back
 * from: in random walks such levels look as if they foretold it.
 */
export function movesOf(prices: Series, fires: readonly number[], from: number, to: number): After {
  const own = movesAfter(prices, fires);
  const all = movesAfter(prices, days(from, to));
  return { fires: summed(own), all: summed(all), verdict: verdictOf(own, all) };
}

function verdictOf(own: readonly Dated[], all: readonly Dated[]): After['verdict'] {
  if (own.length < FEWEST || all.length <= own.length) return 'no evidence';
  const usual = all.reduce((total, { value }) => total + value, 0) / all.length;
  const distances = own.map(({ day, value }) => ({ day, value: value - usual }));
  const spread = blockBootstrap(distances, 1, { resamples: RESAMPLES });
  if (!spread) return 'no evidence';
  const wider = widening(own.length);
  if (spread.mean - wider * (spread.mean - spread.low) > 0) return 'higher';
  return spread.mean + wider * (spread.high - spread.mean) < 0 ? 'lower' : 'no evidence';
}

/** From the 95% interval to Student's at 99%, and the bias of a spread that is taken around its own mean. */
function widening(n: number): number {
  const freedom = n - 1;
  const t = 2.576 + 4.9 / freedom + 8 / freedom ** 2;
  return (t / 1.96) * Math.sqrt(n / freedom);
}
