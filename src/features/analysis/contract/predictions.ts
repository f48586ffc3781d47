import { z } from 'zod/mini';
import { endpoint, topic } from '#shared/contract.ts';

/** The five assets covered by every analyst. */
export const SYMBOLS = ['BTC', 'ETH', 'SOL', 'SUI', 'XRP'] as const;
export const symbol = z.enum(SYMBOLS);
export type Asset = z.infer<typeof symbol>;

/** Horizons at which a call is graded: check-point, then short, medium and long term. */
export const HORIZONS = ['24h', '7d', '28d', '180d'] as const;
export const horizon = z.enum(HORIZONS);
export type Horizon = z.infer<typeof horizon>;
export const HORIZON_DAYS: Record<Horizon, number> = { '24h': 1, '7d': 7, '28d': 28, '180d': 180 };

/** Outcome of a price: `flat` within 0.43 of the volatility known at issue, scaled to the horizon. */
export const outcome = z.enum(['up', 'flat', 'down']);
export type Outcome = z.infer<typeof outcome>;

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

/** `ahead` or `behind` base rates only if the tests of docs/scoring agree, after correction for every cell shown. */
export const verdict = z.enum(['ahead', 'behind', 'no evidence', 'too few independent windows']);
export type Verdict = z.infer<typeof verdict>;

const share = z.nullable(z.number());
export const interval = z.object({ low: z.number(), high: z.number() });

/** One resolved call. `accuracy` is 100 or 0; `realised` the log return. */
export const gradedCall = z.object({
  /** Its entry in the ledger. */
  seq: z.int(),
  crypto_symbol: symbol,
  provider: z.string(),
  model: z.string(),
  horizon,
  issued_at: z.iso.datetime(),
  resolved_at: z.iso.datetime(),
  probabilities,
  predicted_direction: direction,
  actual_direction: direction,
  realised: z.number(),
  accuracy: z.number(),
  /** Rank correlation of lean and return over the provider's calls of this symbol and horizon so far; null below 10. */
  correlation_score: share,
});
export type GradedCall = z.infer<typeof gradedCall>;

/** A point of the reliability curve: forecasts from `from` to `to` came true at the rate `observed`. */
const calibrationPoint = z.object({
  from: z.number(),
  to: z.number(),
  forecast: z.number(),
  observed: z.number(),
  count: z.int(),
});
const calibration = z.object({
  points: z.array(calibrationPoint),
  brier: z.number(),
  miscalibration: z.number(),
  discrimination: z.number(),
  uncertainty: z.number(),
});

const line = z.object({ intercept: z.number(), slope: z.number() });
/** The same calls, corrected out of sample by their own past; `map` corrects current calls. */
const recalibrated = z.object({
  brier: z.number(),
  skill: share,
  log_score: z.number(),
  map: z.object({ up: line, flat: line, down: line }),
});

/** `coverage`: share of returns inside. Widths and interval scores in log returns; lower is better. */
const rangeScores = z.object({
  n: z.int(),
  coverage_80: z.number(),
  coverage_95: z.number(),
  width_80: z.number(),
  width_95: z.number(),
  score_80: share,
  score_80_trailing: share,
  score_95: share,
  score_95_trailing: share,
});

/** One provider's model at one horizon, all assets pooled. Rates 0 to 1; lower Brier, RPS and log scores are better. */
export const trackCell = z.object({
  provider: z.string(),
  model: z.string(),
  /** This model made the provider's newest call. */
  current: z.boolean(),
  horizon,
  verdict,
  /** One-sided p after Holm's correction over all cells; null where nothing is tested. */
  p_ahead: share,
  p_behind: share,
  n: z.int(),
  dates: z.int(),
  /** Issue dates whose windows share no day. */
  n_eff: z.int(),
  pending: z.int(),
  voids: z.int(),
  void_rate: share,
  missing: z.int(),
  hit_rate: share,
  hit_interval: z.nullable(interval),
  brier: share,
  brier_climatology: share,
  brier_persistence: share,
  brier_always_up: share,
  brier_uniform: share,
  /** Against the best of base rates, persistence and uniform: 1 is perfect, 0 as good, below 0 worse. */
  skill: share,
  rps: share,
  log_score: share,
  rank_correlation: share,
  /** Brier score minus that of base rates, mean over issue dates, with its 95% interval; 24h and 7d only. */
  difference: z.nullable(z.object({ mean: z.number(), low: z.number(), high: z.number() })),
  /** Pesaran and Timmermann's test of the direction; null where all calls or all outcomes point one way. */
  direction: z.nullable(z.object({ n: z.int(), success_rate: z.number(), expected: z.number(), p: z.number() })),
  ranges: z.nullable(rangeScores),
  recalibrated: z.nullable(recalibrated),
  calibration: z.nullable(z.object({ up: calibration, down: calibration })),
  /** Breakdown, not tested. */
  assets: z.array(
    z.object({
      symbol,
      n: z.int(),
      hit_rate: z.number(),
      brier: z.number(),
      brier_climatology: z.number(),
      skill: share,
      log_score: z.number(),
    }),
  ),
});
export type TrackCell = z.infer<typeof trackCell>;

/** The equally weighted consensus compared with one weighted by past performance, out of sample, on the same calls. */
const poolComparison = z.object({
  horizon,
  n: z.int(),
  dates: z.int(),
  brier_equal: z.number(),
  brier_weighted: z.number(),
  /** One-sided; null while not testable. `used`: significantly better, so the consensus uses them. */
  p_better: share,
  used: z.boolean(),
  /** Current weights of the models in use. They sum to 1. */
  weights: z.array(z.object({ provider: z.string(), model: z.string(), weight: z.number() })),
});
export type PoolComparison = z.infer<typeof poolComparison>;

/** The record of every provider. Accuracies in percent, correlations -1 to 1. */
export const backtest = z.object({
  timestamp: z.iso.datetime(),
  overall_accuracy: share,
  total_predictions: z.int(),
  average_correlation: share,
  by_symbol: z.record(z.string(), z.object({ totalPredictions: z.int(), accuracy: share, avgCorrelation: share })),
  /** Newest first, 60 at most. */
  recent_results: z.array(gradedCall),
  /** Context for the accuracy: the cell with the most independent dates. */
  headline: z.nullable(trackCell),
  cells: z.array(trackCell),
  pools: z.array(poolComparison),
});
export type Backtest = z.infer<typeof backtest>;

/** The part shown on the dashboard: the newest 5 results, and the cells of the models in use without their curves. */
export const backtestSummary = z.extend(z.omit(backtest, { pools: true }), {
  /** Whether each of the newest 40 calls was a hit, newest first. */
  recent_hits: z.array(z.boolean()),
  headline: z.nullable(z.omit(trackCell, { calibration: true, assets: true })),
  cells: z.array(z.omit(trackCell, { calibration: true, assets: true })),
});
export type BacktestSummary = z.infer<typeof backtestSummary>;

export const getBacktest = endpoint({ method: 'GET', path: '/api/backtest', access: 'public', reply: backtest });

/** Calls were frozen or graded: refetch the record. */
export const recordTopic = topic({ name: 'record', access: 'public', data: z.object({ at: z.number() }) });

/** Pending, with an outcome, or without one for good. */
export const callState = z.enum(['open', 'graded', 'void']);
export type CallState = z.infer<typeof callState>;

/** One call as frozen, with its outcome. */
export const recordedCall = z.object({
  /** Its entry in the ledger. */
  seq: z.int(),
  crypto_symbol: symbol,
  provider: z.string(),
  model: z.string(),
  horizon,
  issued_at: z.iso.datetime(),
  resolves_at: z.iso.datetime(),
  probabilities,
  /** Derived from a direction and a confidence. */
  imputed: z.boolean(),
  /** At issue, USD. */
  price: z.number(),
  /** A log return within ± band is flat; null when the volatility was unknown. */
  band: share,
  predicted_direction: direction,
  state: callState,
  actual_direction: z.nullable(direction),
  realised: share,
  accuracy: share,
  resolved_at: z.nullable(z.iso.datetime()),
  outcome_seq: z.nullable(z.int()),
  /** USD ranges with 80 and 95% coverage, and whether they held; null from a provider without ranges. */
  range_80: z.nullable(interval),
  range_95: z.nullable(interval),
  held_80: z.nullable(z.boolean()),
  held_95: z.nullable(z.boolean()),
  /** Why a void call has no outcome. */
  void_reason: z.nullable(z.string()),
});
export type RecordedCall = z.infer<typeof recordedCall>;

/** Newest first. `next` is the `before` of the next page; null at the end. */
export const getCalls = endpoint({
  method: 'GET',
  path: '/api/track-record/calls',
  access: 'public',
  query: z.object({
    provider: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
    asset: z.optional(symbol),
    horizon: z.optional(horizon),
    state: z.optional(callState),
    before: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 25),
  }),
  reply: z.object({ calls: z.array(recordedCall), next: z.nullable(z.int()) }),
});

/** One ledger entry. `hash` is SHA-256, hex, over the previous hash, seq, recorded_at, kind and body, one line each. */
export const ledgerEntry = z.object({
  seq: z.int(),
  recorded_at: z.iso.datetime(),
  /** A call, its outcome, why it has none, or an analyst that did not respond. */
  kind: z.enum(['call', 'outcome', 'void', 'missing']),
  /** Canonical JSON: keys sorted, no spaces. */
  body: z.string(),
  hash: z.string(),
});

/** `through` is the last entry of the UTC day, whose hash covers all before it. */
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

/** `faults` names every entry that was changed, removed or disagrees with the record; empty when it is intact. */
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

/** The whole ledger as a file: every entry as a JSON line, or every call with its outcome as CSV. */
export const exportLedger = endpoint({
  method: 'GET',
  path: '/api/ledger/export',
  access: 'public',
  query: z.object({ format: z._default(z.enum(['json', 'csv']), 'json') }),
  reply: z.string(),
});
