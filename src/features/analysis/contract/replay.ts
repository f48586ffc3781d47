import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';
import { backtest } from './predictions.ts';

/**
 * What the built-in analyst would have forecast for past days, graded at daily closes. Never part of the live record.
 */
export const replay = z.object({
  made_at: z.iso.datetime(),
  model_version: z.string(),
  /** First and last day of the candles, UTC. */
  first_day: z.iso.date(),
  last_day: z.iso.date(),
  /** Where the candles came from. */
  sources: z.array(z.string()),
  /** Entries in the replay's hash chain, which `npm run replay:score -- --ledger` rebuilds from the candles. */
  entries: z.int(),
  head: z.string(),
  record: backtest,
});
export type Replay = z.infer<typeof replay>;

/** `replay` is null while the past is being loaded, and in demo mode, whose prices are simulated. */
export const getReplay = endpoint({
  method: 'GET',
  path: '/api/track-record/replay',
  access: 'public',
  reply: z.object({ mode: z.enum(['demo', 'live']), replay: z.nullable(replay) }),
});

/** The daily candles that the replay was made from, as CSV. */
export const exportReplayCandles = endpoint({
  method: 'GET',
  path: '/api/track-record/replay/candles',
  access: 'public',
  reply: z.string(),
});
