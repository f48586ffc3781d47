import { z } from 'zod/mini';

import { historyType } from '#features/exports/contract/history.ts';
import { endpoint } from '#shared/contract.ts';
import { figures } from '#shared/figures.ts';
import { provenance } from '#shared/provenance.ts';

/** The value of one source. */
export const figureSource = z.object({
  source: z.string(),
  value: z.number(),
  /** By `comparison`; null for a stale value, which is not compared. */
  difference: z.nullable(z.number()),
  /** The figure uses this value. */
  isShown: z.boolean(),
  meta: provenance,
});
export type FigureSource = z.infer<typeof figureSource>;

/** `percent` and `points` are distances from the figure, `share` is the percentage of a sum. */
export const comparison = z.enum(['percent', 'points', 'share']);

/** `change_24h` is in percent, for rates in percentage points. */
export const figurePage = figures(['value', 'change_24h'], {
  timestamp: z.iso.datetime(),
  metric: z.string(),
  name: z.string(),
  unit: z.string(),
  meaning: z.string(),
  formula: z.string(),
  reading: z.optional(z.string()),
  /** A note for the whole page, such as which part of a demo is simulated. */
  note: z.nullable(z.string()),
  comparison,
  sources: z.array(figureSource),
  history: z.object({
    /** `loading` while a coin's history is first being fetched; `not_stored` for values computed on read. */
    state: z.enum(['complete', 'loading', 'unavailable', 'not_stored']),
    source: z.nullable(z.string()),
    days: z.nullable(z.int()),
    points: z.array(z.object({ at: z.iso.datetime(), value: z.number() })),
    /** Where the historical data page has the series. */
    series: z.nullable(z.object({ type: historyType, symbol: z.string() })),
  }),
});
export type FigurePage = z.infer<typeof figurePage>;

export const getFigure = endpoint({
  method: 'GET',
  path: '/api/figures/:metric',
  access: 'public',
  params: z.object({ metric: z.string().check(z.regex(/^[a-z0-9_.:-]{1,90}$/, 'Unknown figure')) }),
  reply: figurePage,
});
