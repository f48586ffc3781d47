import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';

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

/** One line of the ledger. `hash` is SHA-256, hex, over the hash before it, seq, recorded_at, kind and body, a line each. */
export const ledgerEntry = z.object({
  seq: z.int(),
  recorded_at: z.iso.datetime(),
  /** A call, its outcome, why it has none, or an analyst who was asked and did not answer. */
  kind: z.enum(['call', 'outcome', 'void', 'missing']),
  /** Canonical JSON: keys sorted, no spaces. */
  body: z.string(),
  hash: z.string(),
});

/** `through` is the last entry of the UTC day, whose hash stands for all before it. */
export const ledgerRoot = z.object({
  day: z.iso.date(),
  through_seq: z.int(),
  hash: z.string(),
  published_at: z.iso.datetime(),
});

export const getLedger = endpoint({
  method: 'GET',
  path: '/api/ledger',
  access: 'public',
  query: z.object({
    after: z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0),
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)), 100),
  }),
  reply: z.object({ entries: z.array(ledgerEntry), newest: z.int(), roots: z.array(ledgerRoot) }),
});

/** `faults` names every entry that was changed, removed or disagrees with the record; empty when the ledger is whole. */
export const verifyLedger = endpoint({
  method: 'GET',
  path: '/api/ledger/verify',
  access: 'public',
  reply: z.object({
    verified_at: z.iso.datetime(),
    entries: z.int(),
    head: z.nullable(z.string()),
    roots: z.int(),
    faults: z.array(z.string()),
  }),
});
