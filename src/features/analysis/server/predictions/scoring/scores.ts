import type { Outcome, Probabilities } from '#features/analysis/contract/predictions.ts';

const SMALLEST_PROBABILITY = 1e-3;

/**
 * Brier score in Brier's own form of 1950: the sum over the three classes of (p − o)², so 0 to 2 and not halved.
 * Uniform probabilities score 2/3. Lower is better.
 */
export function brier({ up, flat, down }: Probabilities, outcome: Outcome): number {
  const a = up - (outcome === 'up' ? 1 : 0);
  const b = flat - (outcome === 'flat' ? 1 : 0);
  const c = down - (outcome === 'down' ? 1 : 0);
  return a * a + b * b + c * c;
}

/**
 * Ranked probability score (Epstein 1969) over the order down < flat < up: the sum of squared differences of the
 * cumulated probabilities, not divided by the number of classes less one, so 0 to 2. Lower is better.
 */
export function rankedProbability({ flat, down }: Probabilities, outcome: Outcome): number {
  const first = down - (outcome === 'down' ? 1 : 0);
  const second = down + flat - (outcome === 'up' ? 0 : 1);
  return first * first + second * second;
}

/** Logarithmic score (Good 1952) as a loss, −ln p of what happened, with p clipped at 0.001. Lower is better. */
export const logScore = (probabilities: Probabilities, outcome: Outcome): number =>
  -Math.log(Math.max(probabilities[outcome], SMALLEST_PROBABILITY));

/** The likeliest class. Up or down must be likelier than both others; any tie for the first place is a call of flat. */
export function calledOutcome({ up, flat, down }: Probabilities): Outcome {
  if (up > flat && up > down) return 'up';
  return down > flat && down > up ? 'down' : 'flat';
}

export const isHit = (probabilities: Probabilities, outcome: Outcome): boolean =>
  calledOutcome(probabilities) === outcome;

/**
 * Brier skill score (Murphy 1973) against the best of the references, so that no weak baseline can make a track look
 * good: 1 is perfect, 0 as good as the best reference, below 0 worse. Null when a reference is perfect.
 */
export function brierSkill(score: number, ...references: [number, ...number[]]): number | null {
  const best = Math.min(...references);
  return best > 0 ? 1 - score / best : null;
}
