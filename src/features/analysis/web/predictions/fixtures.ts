import {
  type Backtest,
  type BacktestSummary,
  type GradedCall,
  type RecordedCall,
  SYMBOLS,
  type TrackCell,
} from '#features/analysis/contract/predictions.ts';
import type { Replay } from '#features/analysis/contract/replay.ts';
import { NOON } from '#ui/testing/figures.ts';

const iso = (ms: number) => new Date(ms).toISOString();
const DAY_MS = 86_400_000;
const CALLED = { up: 0.5, flat: 0.3, down: 0.2 };

const curve = (base: number) => ({
  points: [
    { from: 0.1, to: 0.2, forecast: 0.15, observed: 0.1, count: 40 },
    { from: 0.3, to: 0.5, forecast: 0.42, observed: base, count: 110 },
  ],
  brier: 0.21,
  miscalibration: 0.012,
  discrimination: 0.018,
  uncertainty: 0.216,
});

export const cellOf = (change: Partial<TrackCell> = {}): TrackCell => ({
  provider: 'venice',
  model: 'zai-org-glm-5',
  current: true,
  horizon: '24h',
  verdict: 'no evidence',
  p_ahead: 0.41,
  p_behind: 1,
  n: 600,
  dates: 120,
  n_eff: 119,
  pending: 5,
  voids: 3,
  void_rate: 0.005,
  missing: 12,
  hit_rate: 0.413,
  hit_interval: { low: 0.329, high: 0.503 },
  brier: 0.6291,
  brier_climatology: 0.6548,
  brier_persistence: 0.6715,
  brier_always_up: 1.3433,
  brier_uniform: 0.6667,
  skill: 0.0392,
  rps: 0.3734,
  log_score: 1.0331,
  rank_correlation: 0.08,
  difference: { mean: -0.0257, low: -0.0612, high: 0.0103 },
  direction: { n: 119, success_rate: 0.546, expected: 0.501, p: 0.163 },
  ranges: {
    n: 600,
    coverage_80: 0.7967,
    coverage_95: 0.9483,
    width_80: 0.0743,
    width_95: 0.1236,
    score_80: 0.1051,
    score_80_trailing: 0.1086,
    score_95: 0.1722,
    score_95_trailing: null,
  },
  recalibrated: {
    brier: 0.6244,
    skill: 0.0464,
    log_score: 1.0205,
    map: {
      up: { intercept: -0.1, slope: 0.8 },
      flat: { intercept: 0, slope: 0.9 },
      down: { intercept: 0.05, slope: 0.7 },
    },
  },
  calibration: { up: curve(0.4), down: curve(0.35) },
  assets: SYMBOLS.map((symbol) => ({
    symbol,
    n: 120,
    hit_rate: 0.4,
    brier: 0.64,
    brier_climatology: 0.65,
    skill: 0.0154,
    log_score: 1.04,
  })),
  ...change,
});

const gradedCall = (seq: number, change: Partial<GradedCall> = {}): GradedCall => ({
  seq,
  crypto_symbol: 'BTC',
  provider: 'venice',
  model: 'zai-org-glm-5',
  horizon: '24h',
  issued_at: iso(NOON - DAY_MS),
  resolved_at: iso(NOON),
  probabilities: CALLED,
  predicted_direction: 'BULLISH',
  actual_direction: seq % 3 === 0 ? 'BULLISH' : 'BEARISH',
  realised: -0.012,
  accuracy: seq % 3 === 0 ? 100 : 0,
  correlation_score: -0.125,
  ...change,
});

const cells = [
  cellOf(),
  cellOf({ horizon: '28d', verdict: 'too few independent windows', p_ahead: null, p_behind: null, n_eff: 4 }),
  cellOf({ provider: 'groq', model: 'gpt-oss', verdict: 'behind', skill: -0.12, p_ahead: 1, p_behind: 0.002 }),
  cellOf({ provider: 'groq', model: 'llama-old', current: false, verdict: 'ahead', p_ahead: 0.01 }),
];

export const backtest: Backtest = {
  timestamp: iso(NOON - 60_000),
  overall_accuracy: 61.24,
  total_predictions: 2400,
  average_correlation: 0.523,
  by_symbol: Object.fromEntries(
    SYMBOLS.map((symbol, i) => [
      symbol,
      { totalPredictions: 480, accuracy: 85 - 13 * i, avgCorrelation: i === 4 ? null : 0.75 - 0.2 * i },
    ]),
  ),
  recent_results: [
    gradedCall(20, { crypto_symbol: 'SUI', provider: 'local', correlation_score: null }),
    ...Array.from({ length: 19 }, (_, i) => gradedCall(19 - i)),
  ],
  headline: cellOf(),
  cells,
  pools: [
    {
      horizon: '24h',
      n: 590,
      dates: 118,
      brier_equal: 0.6312,
      brier_weighted: 0.6287,
      p_better: 0.21,
      used: false,
      weights: [
        { provider: 'venice', model: 'zai-org-glm-5', weight: 0.62 },
        { provider: 'groq', model: 'gpt-oss', weight: 0.38 },
      ],
    },
    {
      horizon: '28d',
      n: 90,
      dates: 18,
      brier_equal: 0.66,
      brier_weighted: 0.661,
      p_better: null,
      used: false,
      weights: [],
    },
  ],
};

function bare(whole: TrackCell): BacktestSummary['cells'][number] {
  const { calibration: _, assets: __, ...cell } = whole;
  return cell;
}

const { pools: _pools, ...shown } = backtest;

export const summary: BacktestSummary = {
  ...shown,
  recent_results: backtest.recent_results.slice(0, 5),
  recent_hits: Array.from({ length: 40 }, (_, i) => i % 3 === 0),
  headline: backtest.headline && bare(backtest.headline),
  cells: cells.filter(({ current }) => current).map(bare),
};

export const nothingYet: BacktestSummary = {
  ...summary,
  overall_accuracy: null,
  total_predictions: 0,
  average_correlation: null,
  recent_results: [],
  recent_hits: [],
  headline: null,
  cells: [bare(cellOf({ n: 0, pending: 20 }))],
};

export const recorded = (seq: number, change: Partial<RecordedCall> = {}): RecordedCall => ({
  seq,
  crypto_symbol: 'BTC',
  provider: 'venice',
  model: 'zai-org-glm-5',
  horizon: '24h',
  issued_at: iso(NOON - DAY_MS),
  resolves_at: iso(NOON),
  probabilities: CALLED,
  imputed: false,
  price: 97_000,
  band: 0.01,
  predicted_direction: 'BULLISH',
  state: 'graded',
  actual_direction: 'BULLISH',
  realised: 0.02,
  accuracy: 100,
  resolved_at: iso(NOON),
  outcome_seq: seq + 100,
  range_80: null,
  range_95: null,
  held_80: null,
  held_95: null,
  void_reason: null,
  ...change,
});

export const NOT_YET = { actual_direction: null, realised: null, accuracy: null, resolved_at: null, outcome_seq: null };

export const calls: RecordedCall[] = [
  recorded(300, { ...NOT_YET, state: 'open', crypto_symbol: 'ETH', resolves_at: iso(NOON + DAY_MS) }),
  recorded(200, {
    range_80: { low: 94_123.4, high: 99_876.5 },
    range_95: { low: 91_000, high: 103_400 },
    held_80: true,
    held_95: true,
  }),
  recorded(150, {
    ...NOT_YET,
    state: 'void',
    resolved_at: iso(NOON),
    outcome_seq: 260,
    void_reason: 'No price was stored within a day of that time',
  }),
];

export const roots = Array.from({ length: 40 }, (_, i) => ({
  day: iso(NOON - (40 - i) * DAY_MS).slice(0, 10),
  through_seq: 100 * (i + 1),
  hash: String(i).padStart(64, 'a'),
  published_at: iso(NOON - (39 - i) * DAY_MS),
}));

export const replay: Replay = {
  made_at: '2026-11-20T02:00:00.000Z',
  model_version: '0a1b2c3d4e5f',
  first_day: '2022-10-12',
  last_day: '2026-11-19',
  sources: ['OKX'],
  entries: 41_230,
  head: 'c'.repeat(64),
  record: {
    ...backtest,
    cells: [cellOf({ provider: 'local', model: 'volatility', verdict: 'ahead', p_ahead: 0.001, dates: 1272 })],
  },
};
