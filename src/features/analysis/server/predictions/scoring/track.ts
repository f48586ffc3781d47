import {
  type Asset,
  HORIZON_DAYS,
  type Horizon,
  type Outcome,
  type Probabilities,
} from '#features/analysis/contract/predictions.ts';
import { type Calibration, calibrationOf } from './calibration.ts';
import {
  type Comparison,
  type DieboldMariano,
  dieboldMariano,
  isLong,
  nonOverlappingTest,
  spearman,
} from './compare.ts';
import { type DateMean, issueDay, meansByDate, nonOverlapping } from './dates.ts';
import { type Bootstrap, type BootstrapOptions, blockBootstrap, type Interval, wilson } from './intervals.ts';
import { ALWAYS_UP, brier, brierSkill, isHit, logScore, normalCdf, rankedProbability, UNIFORM } from './scores.ts';

type DirectionTest =
  | { n: number; successRate: number; expected: number; statistic: number; pAhead: number; pBehind: number }
  | 'not testable';

/**
 * Pesaran and Timmermann (1992): does the direction called go with the one that came? `leans` are p_up − p_down and
 * `returns` the realised r, both means over the assets of a date; dates whose windows share no day are used, those
 * without a direction are left out. Success is compared with p* = py px + (1 − py)(1 − px). Where all calls or all
 * outcomes point one way there is nothing to test: a bull in a rising market has shown no skill.
 */
export function pesaranTimmermann(
  leans: readonly DateMean[],
  returns: readonly DateMean[],
  horizonDays: number,
): DirectionTest {
  const realised = new Map(returns.map(({ day, value }) => [day, value]));
  const directed = leans.filter(({ day, value }) => value !== 0 && (realised.get(day) ?? 0) !== 0);
  const units = nonOverlapping(directed, horizonDays);
  const n = units.length;
  let [calledUp, wentUp, successes] = [0, 0, 0];
  for (const { day, value } of units) {
    const [called, went] = [value > 0, (realised.get(day) as number) > 0];
    if (called) calledUp++;
    if (went) wentUp++;
    if (called === went) successes++;
  }
  if (calledUp === 0 || calledUp === n || wentUp === 0 || wentUp === n) return 'not testable';
  const [px, py, successRate] = [calledUp / n, wentUp / n, successes / n];
  const expected = py * px + (1 - py) * (1 - px);
  const ofSuccess = (expected * (1 - expected)) / n;
  const ofExpected =
    ((2 * py - 1) ** 2 * px * (1 - px) + (2 * px - 1) ** 2 * py * (1 - py)) / n +
    (4 * py * px * (1 - py) * (1 - px)) / (n * n);
  const statistic = (successRate - expected) / Math.sqrt(ofSuccess - ofExpected);
  return { n, successRate, expected, statistic, pAhead: normalCdf(-statistic), pBehind: normalCdf(statistic) };
}

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

/** All that a score needs: the asset matters only for the breakdown. */
export type ScoredCall = Omit<TrackCall, 'asset'>;

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
  /** Scheduled calls that were not made; null without a schedule. */
  missing: number | null;
  hitRate: number | null;
  wilson: Interval | null;
  brier: number | null;
  brierClimatology: number | null;
  brierPersistence: number | null;
  brierAlwaysUp: number | null;
  brierUniform: number | null;
  /** Against the best of climatology, persistence and uniform. */
  skill: number | null;
  rps: number | null;
  logScore: number | null;
  spearman: number | null;
  calibration: { up: Calibration; down: Calibration } | null;
  /** Against climatology; 24h and 7d only, longer horizons are compared on dates whose windows share no day. */
  dm: DieboldMariano | null;
  bootstrap: Bootstrap | null;
  againstPersistence: { dm: DieboldMariano | null; bootstrap: Bootstrap | null };
  againstUniform: { dm: DieboldMariano | null; bootstrap: Bootstrap | null };
  nonOverlapping: Comparison | null;
  pt: DirectionTest;
};

type Resolved = ScoredCall & { outcome: Outcome };

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
  calls: readonly ScoredCall[],
  horizon: Horizon,
  { expected, ...options }: TrackOptions = {},
): TrackSummary {
  const days = HORIZON_DAYS[horizon];
  const resolved = calls.filter((call): call is Resolved => call.outcome !== null && call.outcome !== 'void');
  const voids = calls.filter(({ outcome }) => outcome === 'void').length;
  const score = (of: (call: Resolved) => number) => resolved.map(of);
  const own = score(({ probabilities, outcome }) => brier(probabilities, outcome));
  const reference = score(({ climatology, outcome }) => brier(climatology, outcome));
  const persisted = score(({ persistence, outcome }) => brier(persistence, outcome));
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
  const [meanPersistence, meanUniform] = [mean(persisted), mean(uniform)];
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
    brierPersistence: meanPersistence,
    brierAlwaysUp: mean(score(({ outcome }) => brier(ALWAYS_UP, outcome))),
    brierUniform: meanUniform,
    skill:
      meanBrier === null || meanReference === null || meanPersistence === null || meanUniform === null
        ? null
        : brierSkill(meanBrier, meanReference, meanPersistence, meanUniform),
    rps: mean(score(({ probabilities, outcome }) => rankedProbability(probabilities, outcome))),
    logScore: mean(score(({ probabilities, outcome }) => logScore(probabilities, outcome))),
    calibration: calibrationOfCalls(resolved),
    ...directionOf(resolved, days),
    ...(long ? UNTESTED : testsOf(dates, days, options)),
    againstPersistence: long ? UNTESTED : testsOf(lossesAgainst(persisted), days, options),
    againstUniform: long ? UNTESTED : testsOf(lossesAgainst(uniform), days, options),
    nonOverlapping: long ? nonOverlappingTest(dates, days) : null,
  };
}
