import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';
import { method } from '#shared/provenance.ts';

export const HISTORY_TYPES = [
  'EQUITY_INDEX',
  'CRYPTO_PRICE',
  'DXY',
  'TREASURY_YIELD',
  'VOLATILITY_INDEX',
  'ENERGY_PRICE',
  'TOTAL_MARKET_CAP',
  'ALTCOIN_SEASON',
  'DERIVATIVES',
  'ONCHAIN',
  'SEASON_INDICATOR',
] as const;
export const historyType = z.enum(HISTORY_TYPES, 'Unknown history type');
export type HistoryType = z.infer<typeof historyType>;

/**
 * One stored value. Changes are relative to the previous value of the same symbol, even when that is on the next page.
 */
export const historyRecord = z.object({
  id: z.string(),
  timestamp: z.iso.datetime(),
  symbol: z.string(),
  value: z.number(),
  unit: z.string(),
  source: z.string(),
  fetchedAt: z.iso.datetime(),
  method,
  change: z.nullable(z.number()),
  change_percent: z.nullable(z.number()),
});
export type HistoryRecord = z.infer<typeof historyRecord>;

const moment = z.iso.datetime({ offset: true, error: 'Times must be written as 2026-01-31T00:00:00Z' });
const symbol = z.optional(z.string().check(z.maxLength(40)));
const from = z.optional(moment);
const to = z.optional(moment);

/** Newest first. `limitedToDays`: range of the caller's plan; null is everything. */
export const getHistory = endpoint({
  method: 'GET',
  path: '/api/history/:type',
  access: 'public',
  params: z.object({ type: historyType }),
  query: z.object({
    symbol,
    from,
    to,
    cursor: z.optional(z.string().check(z.maxLength(200))),
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500)), 100),
  }),
  reply: z.object({
    type: historyType,
    symbols: z.array(z.string()),
    records: z.array(historyRecord),
    nextCursor: z.nullable(z.string()),
    limitedToDays: z.nullable(z.int()),
    /** Why there are none, in one sentence: a source that needs a key, or history still being collected. */
    reason: z.nullable(z.string()),
  }),
});
export type HistoryReply = z.infer<(typeof getHistory)['reply']>;

/** Returns a file of the whole range; `html` is a printable report (A4, at most 50 rows). */
export const getHistoryFile = endpoint({
  method: 'GET',
  path: '/api/history/:type/file',
  access: 'pro',
  refusal: ['Authentication required', 'Export requires Pro+ subscription'],
  params: z.object({ type: historyType }),
  query: z.object({
    symbol,
    from,
    to,
    format: z.enum(['csv', 'json', 'xlsx', 'html']),
  }),
  reply: z.never(),
});
