import { z } from 'zod/mini';

import { sourceHealth } from '#features/market/contract.ts';
import { endpoint } from '#shared/contract.ts';
import { dataMode } from '#shared/provenance.ts';

/** Measured on our own calls: percent that succeeded and median milliseconds; null without a call in the window. */
export const callRecord = z.object({
  calls: z.int(),
  success_rate: z.nullable(z.number()),
  latency_ms: z.nullable(z.number()),
});

export const sourceDetail = z.extend(sourceHealth, {
  host: z.string(),
  homepage: z.string(),
  /** What its terms allow, in one sentence. */
  licence: z.string(),
  /** The words it wants shown; null when it asks for none. */
  attribution: z.nullable(z.string()),
  key: z.enum(['none', 'optional', 'required']),
  day: callRecord,
  month: callRecord,
});
export type SourceDetail = z.infer<typeof sourceDetail>;

export const sourceList = z.object({
  timestamp: z.iso.datetime(),
  dataMode,
  sources: z.array(sourceDetail),
});
export type SourceList = z.infer<typeof sourceList>;

export const listSources = endpoint({ method: 'GET', path: '/api/sources', access: 'public', reply: sourceList });
