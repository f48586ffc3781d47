import {
  type Asset,
  HORIZON_DAYS,
  type Horizon,
  type Outcome,
  type Probabilities,
} from '#features/predictions/contract.ts';

import { ALWAYS_UP, UNIFORM } from './baselines.ts';
import { type Calibration, calibrationOf } from './calibration.ts';
import { type Comparison, type DieboldMariano, dieboldMariano, nonOverlappingTest } from './compare.ts';
import { type DateMean, issueDay, meansByDate, nonOverlapping } from './dates.ts';
import { type DirectionTest, pesaranTimmermann } from './direction.ts';
import { type Bootstrap, type BootstrapOptions, blockBootstrap, type Interval, wilson } from './intervals.ts';
import { spearman } from './rank.ts';
import { brier, brierSkill, isHit, logScore, rankedProbability } from './scores.ts';
import { isLong } from './verdict.ts';

export type TrackCall = {
  issuedAt: number;
  asset: Asset;
  probabilities: Probabilities;
  climatology: Probabilities;
  persistence: Probabilities;
  /** Null while the horizon has not passed. */
  outcome: Outcome | 'void' | null;
  /** ln(P(t + h) / P(t)), null without an outcome. */
  r: number | null;
};

/** `expected` is how many calls the schedule asked for. */
type TrackOptions = BootstrapOptions & { expected?: number | undefined };

export type TrackSummary = {
  /** Resolved calls, the issue dates they were made on, and how many of those dates share no day of their windows. */
  n: number;
  dates: number;
  nEff: number;
  pending: number;
  voids: number;
  /** Of the calls whose time has come. */
  voidRate: number | null;
  /** Calls that the schedule asked for and nobody made; null when no schedule is given. */
  missing: number | null;
  hitRate: number | null;
  wilson: Interval | null;
  brier: number | null;
  brierClimatology: number | null;
  brierPersistence: number | null;
  brierAlwaysUp: number | null;
  brierUniform: number | null;
  /** Against climatology. */
  skill: number | null;
  rps: number | null;
  logScore: number | null;
  spearman: number | null;
  calibration: { up: Calibration; down: Calibration } | null;
  /** Against climatology; 24 h and 7 d only, longer horizons are compared on dates whose windows share no day. */
  dm: DieboldMariano | null;
  bootstrap: Bootstrap | null;
  againstUniform: { dm: DieboldMariano | null; bootstrap: Bootstrap | null };
  nonOverlapping: Comparison | null;
  pt: DirectionTest;
};

type Resolved = TrackCall & { outcome: Outcome };

const mean = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

function calibrationOfCalls(calls: readonly Resolved[]): TrackSummary['calibration'] {
  const of = (event: 'up' | 'down') =>
    calibrationOf(
      calls.map(({ probabilities }) => probabilities[event]),
      calls.map(({ outcome }) => outcome === event),
    );
  const [up, down] = [of('up'), of('down')];
  return up && down && { up, down };
}

const UNTESTED = { dm: null, bootstrap: null };
const testsOf = (dates: readonly DateMean[], days: number, options?: BootstrapOptions) => ({
  dm: dieboldMariano(dates, days),
  bootstrap: blockBootstrap(dates, days, options),
});

/** Leans and returns, call by call, for the rank correlation and the test of direction. */
function directionOf(calls: readonly Resolved[], days: number): Pick<TrackSummary, 'spearman' | 'pt'> {
  const known = calls.filter(({ r }) => r !== null);
  const on = known.map(({ issuedAt }) => issueDay(issuedAt));
  const leans = known.map(({ probabilities }) => probabilities.up - probabilities.down);
  const returns = known.map(({ r }) => r as number);
  const pt = pesaranTimmermann(meansByDate(on, leans), meansByDate(on, returns), days);
  return { spearman: spearman(leans, returns), pt };
}

/**
 * The record of one track at one horizon, all assets pooled (recipe 3.4 to 3.6 and 3.10). Scores are means over calls;
 * tests and intervals take the issue date as their unit.
 */
export function scoreTrack(
  calls: readonly TrackCall[],
  horizon: Horizon,
  { expected, ...options }: TrackOptions = {},
): TrackSummary {
  const days = HORIZON_DAYS[horizon];
  const resolved = calls.filter((call): call is Resolved => call.outcome !== null && call.outcome !== 'void');
  const voids = calls.filter(({ outcome }) => outcome === 'void').length;
  const score = (of: (call: Resolved) => number) => resolved.map(of);
  const own = score(({ probabilities, outcome }) => brier(probabilities, outcome));
  const reference = score(({ climatology, outcome }) => brier(climatology, outcome));
  const uniform = score(({ outcome }) => brier(UNIFORM, outcome));
  const on = score(({ issuedAt }) => issueDay(issuedAt));
  const lossesAgainst = (other: readonly number[]) =>
    meansByDate(
      on,
      own.map((loss, i) => loss - (other[i] as number)),
    );
  const dates = lossesAgainst(reference);
  const nEff = nonOverlapping(dates, days).length;
  const hitRate = mean(score(({ probabilities, outcome }) => (isHit(probabilities, outcome) ? 1 : 0)));
  const [meanBrier, meanReference] = [mean(own), mean(reference)];
  const long = isLong(horizon);
  return {
    n: resolved.length,
    dates: dates.length,
    nEff,
    pending: calls.length - resolved.length - voids,
    voids,
    voidRate: resolved.length + voids > 0 ? voids / (resolved.length + voids) : null,
    missing: expected === undefined ? null : Math.max(0, expected - calls.length),
    hitRate,
    wilson: hitRate === null ? null : wilson(hitRate, nEff),
    brier: meanBrier,
    brierClimatology: meanReference,
    brierPersistence: mean(score(({ persistence, outcome }) => brier(persistence, outcome))),
    brierAlwaysUp: mean(score(({ outcome }) => brier(ALWAYS_UP, outcome))),
    brierUniform: mean(uniform),
    skill: meanBrier === null || meanReference === null ? null : brierSkill(meanBrier, meanReference),
    rps: mean(score(({ probabilities, outcome }) => rankedProbability(probabilities, outcome))),
    logScore: mean(score(({ probabilities, outcome }) => logScore(probabilities, outcome))),
    calibration: calibrationOfCalls(resolved),
    ...directionOf(resolved, days),
    ...(long ? UNTESTED : testsOf(dates, days, options)),
    againstUniform: long ? UNTESTED : testsOf(lossesAgainst(uniform), days, options),
    nonOverlapping: long ? nonOverlappingTest(dates, days) : null,
  };
}
