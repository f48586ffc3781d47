/**
 * Holm's step-down adjustment (1979): the error rate of the whole family stays at the level, whatever depends on what.
 * A null is a hypothesis that is part of the family but cannot be tested: it counts, and stays null.
 */
export function holm(ps: readonly (number | null)[]): (number | null)[] {
  const adjusted: (number | null)[] = ps.map(() => null);
  const order = ps.flatMap((p, i) => (p === null ? [] : [i])).toSorted((a, b) => (ps[a] as number) - (ps[b] as number));
  let largest = 0;
  for (const [rank, i] of order.entries()) {
    largest = Math.min(1, Math.max(largest, (ps.length - rank) * (ps[i] as number)));
    adjusted[i] = largest;
  }
  return adjusted;
}
