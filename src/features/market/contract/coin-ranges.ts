import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';
import { provenance } from '#shared/provenance.ts';
import { getCoin } from './market.ts';

export const COIN_HORIZONS = ['24h', '7d', '28d'] as const;
export type CoinHorizon = (typeof COIN_HORIZONS)[number];

const interval = z.object({ low: z.number(), high: z.number() });

/** Number of graded ranges, and the share of prices inside. */
const held = z.object({ n: z.int(), coverage_80: z.number(), coverage_95: z.number() });
export type Held = z.infer<typeof held>;

/** Price range of a coin at the end of a horizon, with 80% and 95% coverage; USD. */
export const coinRange = z.object({
  horizon: z.enum(COIN_HORIZONS),
  /** When it was frozen. */
  issued_at: z.iso.datetime(),
  /** Start of its horizon, at `price`. A range issued more than an hour later is not part of the record. */
  starts_at: z.iso.datetime(),
  price: z.number(),
  range_80: interval,
  range_95: interval,
  /**
   * Of ranges issued within the first hour; null before the first is graded. For BTC, ETH, SOL, SUI and XRP, all five
   * together.
   */
  record: z.nullable(held),
  /** Replay of the same method on past days, graded at daily closes; null without one. */
  replay: z.nullable(held),
  meta: provenance,
});
export type CoinRange = z.infer<typeof coinRange>;

/** Ranges of one coin by the built-in analyst; empty with too little price history and for prices that barely move. */
export const getCoinRanges = endpoint({
  method: 'GET',
  path: '/api/coins/:id/ranges',
  access: 'public',
  params: getCoin.params,
  reply: z.object({ id: z.string(), ranges: z.array(coinRange) }),
});

/** Hit rate of the ranges of all coins except the five assets; `coins` currently have one. */
export const coinRangesRecord = z.object({
  timestamp: z.iso.datetime(),
  coins: z.int(),
  horizons: z.array(z.object({ horizon: z.enum(COIN_HORIZONS), record: z.nullable(held), replay: z.nullable(held) })),
});
export type CoinRangesRecord = z.infer<typeof coinRangesRecord>;

export const getCoinRangesRecord = endpoint({
  method: 'GET',
  path: '/api/track-record/ranges',
  access: 'public',
  reply: coinRangesRecord,
});
