import type { FigureMeta, FigureMissing, FigureOrigin } from '#shared/figures.ts';

/** The one fixed noon of all test data. */
export const NOON = Date.parse('2026-11-21T12:00:00Z');

const iso = (ms: number) => new Date(ms).toISOString();

type Change = Partial<FigureOrigin> & { observedMs?: number };

export const origin = (metric: string, change: Change = {}): FigureOrigin => {
  const { observedMs = NOON - 180_000, ...rest } = change;
  return {
    metric,
    source: 'coingecko',
    observedAt: iso(observedMs),
    fetchedAt: iso(observedMs + 500),
    method: 'measured',
    staleAfter: iso(observedMs + 1_800_000),
    ...rest,
  };
};

export const missing = (metric: string, reason: string): FigureMissing => ({ metric, reason });

type Given = Record<string, readonly [number | null, FigureMeta]>;

/** Numbers with the meta of each, as on the wire. */
export function figuresOf<G extends Given>(
  given: G,
): { [K in keyof G]: number | null } & { meta: Record<string, FigureMeta> } {
  const entries = Object.entries(given);
  return {
    ...(Object.fromEntries(entries.map(([name, [value]]) => [name, value])) as { [K in keyof G]: number | null }),
    meta: Object.fromEntries(entries.map(([name, [, meta]]) => [name, meta])),
  };
}
