import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';
import { figureOrigin } from '#shared/figures.ts';
import { dataMode } from '#shared/provenance.ts';

/**
 * One fact of the brief in a few words, with the provenance of its figure. `href` is the page of the figure, or of the
 * app.
 */
export const briefClause = z.object({ text: z.string(), href: z.string(), meta: figureOrigin });
export type BriefClause = z.infer<typeof briefClause>;

export const BRIEF_TOPICS = ['market', 'coins', 'positioning', 'outlook', 'calendar'] as const;

/** `missing` explains a line without clauses; otherwise null. */
export const briefLine = z.object({
  topic: z.enum(BRIEF_TOPICS),
  title: z.string(),
  clauses: z.array(briefClause),
  missing: z.nullable(z.string()),
});
export type BriefLine = z.infer<typeof briefLine>;

/** The market in five lines, one per topic. */
export const brief = z.object({ timestamp: z.iso.datetime(), dataMode, lines: z.array(briefLine) });
export type Brief = z.infer<typeof brief>;

export const getBrief = endpoint({ method: 'GET', path: '/api/brief', access: 'public', reply: brief });
