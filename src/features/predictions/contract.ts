import { z } from 'zod/mini';

/** The five assets that every analyst speaks about. */
export const SYMBOLS = ['BTC', 'ETH', 'SOL', 'SUI', 'XRP'] as const;
export const symbol = z.enum(SYMBOLS);
export type Asset = z.infer<typeof symbol>;

/** Fixed distances at which a call is graded: a check-point, then short, medium and long term. */
export const HORIZONS = ['24h', '7d', '28d', '180d'] as const;
export const horizon = z.enum(HORIZONS);
export type Horizon = z.infer<typeof horizon>;
export const HORIZON_DAYS: Record<Horizon, number> = { '24h': 1, '7d': 7, '28d': 28, '180d': 180 };

/** What a price did: `flat` within 0.43 of the volatility that was known at issue, scaled to the horizon. */
export const outcome = z.enum(['up', 'flat', 'down']);
export type Outcome = z.infer<typeof outcome>;

/** Sums to 1. */
export const probabilities = z
  .object({ up: z.number(), flat: z.number(), down: z.number() })
  .check(
    z.refine(
      ({ up, flat, down }) => [up, flat, down].every((p) => p >= 0 && p <= 1) && Math.abs(up + flat + down - 1) < 1e-6,
      'probabilities must lie between 0 and 1 and sum to 1',
    ),
  );
export type Probabilities = z.infer<typeof probabilities>;

export const direction = z.enum(['BULLISH', 'NEUTRAL', 'BEARISH']);
export type Direction = z.infer<typeof direction>;
