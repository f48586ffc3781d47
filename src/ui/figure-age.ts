import { type FigureMeta, hasOrigin } from '#shared/figures.ts';

/** The age of the newest of several figures: the "Updated" time of their card. Older ones have their own marker. */
export function newestObservation(
  metas: Iterable<FigureMeta | undefined>,
): { observedAt: number; staleAfter: number } | null {
  let newest: { observedAt: number; staleAfter: number } | null = null;
  for (const meta of metas) {
    if (!hasOrigin(meta)) continue;
    const observedAt = Date.parse(meta.observedAt);
    if (!newest || observedAt > newest.observedAt) newest = { observedAt, staleAfter: Date.parse(meta.staleAfter) };
  }
  return newest;
}
