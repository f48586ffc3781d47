import { type DateMean, nonOverlapping } from './dates.ts';
import { normalCdf } from './distributions.ts';

export type DirectionTest =
  | { n: number; successRate: number; expected: number; statistic: number; pAhead: number; pBehind: number }
  | 'not testable';

/**
 * Pesaran and Timmermann (1992): does the direction called go with the one that came? `leans` are p_up − p_down and
 * `returns` the realised r, both means over the assets of a date; dates whose windows share no day are used, those
 * without a direction are left out. Success is held against p* = py px + (1 − py)(1 − px). Where all calls or all
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
