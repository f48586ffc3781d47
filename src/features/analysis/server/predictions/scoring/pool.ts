import type { Probabilities } from '#features/analysis/contract/predictions.ts';

/**
 * Linear opinion pool (Stone 1961): the weighted mean of the probabilities, equal weights unless others are given.
 * Its Brier score never exceeds the weighted mean of the Brier scores of its members.
 */
export function linearPool(members: readonly Probabilities[], weights?: readonly number[]): Probabilities | null {
  let [up, flat, down, total] = [0, 0, 0, 0];
  for (const [i, member] of members.entries()) {
    const weight = weights?.[i] ?? (weights ? 0 : 1);
    up += weight * member.up;
    flat += weight * member.flat;
    down += weight * member.down;
    total += weight;
  }
  if (!(total > 0)) return null;
  return { up: up / total, flat: flat / total, down: down / total };
}

/**
 * Gini's mean difference of the leans p_up − p_down: the mean over all pairs of their distance, 0 when all lean alike,
 * 2 when one is sure of up and one of down. Null for fewer than two members.
 */
export function dispersion(members: readonly Probabilities[]): number | null {
  if (members.length < 2) return null;
  const leans = members.map(({ up, down }) => up - down).toSorted((a, b) => a - b);
  const n = leans.length;
  const sum = leans.reduce((sum, lean, i) => sum + (2 * i - n + 1) * lean, 0);
  return Math.max(0, (2 * sum) / (n * (n - 1)));
}
