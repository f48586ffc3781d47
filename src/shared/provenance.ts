import { z } from 'zod/mini';

/** The origin of a number: measured by a source, computed by us, a stated default, or the demo market. */
export const method = z.enum(['measured', 'computed', 'default', 'demo']);
export type Method = z.infer<typeof method>;

export const METHOD_WORDS: Record<Method, string> = {
  measured: 'Measured: as reported by the source',
  computed: 'Computed by us from the source',
  default: 'Default, not measured',
  demo: 'Demo: the simulated market',
};

/** OKX quotes in USDT, so its prices in USD are computed. */
export const tickMethod = (source: string): Method => (source === 'okx' ? 'computed' : 'measured');

/** The birth certificate of a number. Times are ISO 8601 UTC; past `staleAfter` the page says "stale". */
export const provenance = z.object({
  source: z.string(),
  observedAt: z.iso.datetime(),
  fetchedAt: z.iso.datetime(),
  method,
  staleAfter: z.iso.datetime(),
});
export type Provenance = z.infer<typeof provenance>;

export const dataMode = z.enum(['live', 'demo']);
export type DataMode = z.infer<typeof dataMode>;
