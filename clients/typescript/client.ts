// Generated from the OpenAPI document by `npm run docs`. Do not edit.

/** A response reduced to the selected fields. */
type Part<T> =
  T extends Array<infer Item> ? Array<Part<Item>> : T extends object ? { [Key in keyof T]?: Part<T[Key]> } : T;
type Chosen<Q, T> = Q extends { fields: string } ? Part<T> : T;
type Asked = { query?: object | undefined; body?: unknown; accept?: string };

export type ClientOptions = {
  /** Base URL of the API, such as https://meridian.example */
  baseUrl: string;
  /** mk_live_… */
  apiKey: string;
  fetch?: typeof fetch;
  /** Called with every response, for headers such as RateLimit, ETag and Link. */
  onResponse?: (response: Response) => void;
};

/** An error response with the message and code of the API. */
export class ApiRefusal extends Error {
  readonly status: number;
  readonly code: ApiError['code'];
  /** Seconds to wait before retrying; null if not given. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, { error, code }: ApiError, retryAfterSeconds: number | null) {
    super(error);
    this.name = 'ApiRefusal';
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Iterates over all pages of a list. */
export async function* pages<Q extends { cursor?: string | undefined }, R extends { nextCursor: string | null }>(
  read: (query: Q) => Promise<R>,
  query: Q,
): AsyncGenerator<R> {
  let cursor: string | null | undefined = query.cursor;
  do {
    const page: R = await read(cursor === undefined ? query : { ...query, cursor });
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

export type ForecastsInput = {
  forecaster: string;
  forecasts: Array<{
    asset: 'BTC' | 'ETH' | 'SOL' | 'SUI' | 'XRP';
    horizon: '24h' | '7d' | '28d' | '180d';
    probabilities: Probabilities;
    /** 80% range of the price at the end of the horizon, USD */
    range_80?: Range80;
    /** 95% range of the price at the end of the horizon, USD */
    range_95?: Range80;
  }>;
};

export type Schedule = {
  /** Days of the week, 0 (Sunday) to 6 (Saturday) */
  days: Array<number>;
  /** Start, inclusive */
  from: string;
  /** End, inclusive */
  to: string;
  timeZone: string;
};

export type SecondCondition = {
  metric: string;
  condition:
    | 'above'
    | 'below'
    | 'equals'
    | 'changes_by'
    | 'changes_by_sigma'
    | 'leaves_range'
    | 'changes_to_bullish'
    | 'changes_to_bearish'
    | 'changes_to_neutral'
    | 'becomes_bullish'
    | 'becomes_bearish'
    | 'becomes_neutral';
  /** Value in the unit of the metric */
  value: number | 'BEARISH' | 'NEUTRAL' | 'BULLISH';
};

export type Alert = {
  /** Identifier */
  id: number;
  type:
    | 'PRICE_BULLISH_MOVE'
    | 'PRICE_BEARISH_MOVE'
    | 'EXCHANGE_INFLOW'
    | 'EXCHANGE_OUTFLOW'
    | 'STABLECOIN_GROWTH'
    | 'STABLECOIN_DECLINE'
    | 'BTC_DOMINANCE_SHIFT'
    | 'SSR_LEVEL'
    | 'FUNDING_EXTREME_BULLISH'
    | 'FUNDING_EXTREME_BEARISH'
    | 'LIQUIDATION_SPIKE'
    | 'FEAR_GREED_EXTREME'
    | 'AI_CONSENSUS_BULLISH'
    | 'AI_CONSENSUS_BEARISH'
    | 'INFLATION_SURPRISE'
    | 'UPCOMING_EVENT'
    | 'CUSTOM_THRESHOLD'
    | 'RULES_PAUSED';
  severity: 'high' | 'medium' | 'low';
  message: string;
  metric: string;
  /** Value in the unit of the metric */
  value: number | null;
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  eventDate: string | null;
  /** Event that the alert refers to */
  eventId: number | null;
  /** Alert rule that raised the alert; null for market alerts */
  thresholdId: number | null;
  receipt: Receipt;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Meta;
  acknowledged: boolean;
};

export type AdvancedMetrics = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  /** Bitcoin share of total market cap, percent */
  bitcoinDominance: BitcoinDominance;
  stablecoinMetrics: {
    /** Market cap, USD */
    totalMarketCap: number | null;
    /** 24-hour change, percent; for dominance, percentage points */
    change_24h: number | null;
    /** Stablecoin supply ratio: BTC market cap ÷ supply of USD-pegged stablecoins */
    ssr: number | null;
    /** Source and age of the adjacent figures; for a null figure, the reason */
    meta: Record<string, FigureMeta>;
  };
  exchangeFlows: {
    btc: Btc;
    eth: Btc;
  };
  marketSentiment: {
    /** Sentiment score; for fear and greed, 0 to 100 */
    score: number | null;
    interpretation: string | null;
    /** Source and age of the adjacent figures; for a null figure, the reason */
    meta: Record<string, FigureMeta>;
  };
  /** Market cap, USD */
  totalMarketCap: BitcoinDominance;
  altcoinSeason: {
    /** Share of the top 50 coins that outperformed BTC over 90 days, percent */
    indicator: number | null;
    season: 'Bitcoin season' | 'Neutral' | 'Altcoin season' | null;
    /** Source and age of the adjacent figures; for a null figure, the reason */
    meta: Record<string, FigureMeta>;
  };
  derivatives: Derivatives;
  onchain: Onchain;
  /** Daily values of the last 30 days by metric, oldest first, in the unit of the metric */
  history: Record<string, Array<number>>;
};

export type AiAnalysis = {
  /** Identifier */
  id: string;
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  market_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
  overall_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
  /** Overall confidence, percent */
  overall_confidence: number;
  overall_reasoning: string;
  /** Highest of the three probabilities, percent */
  confidence: number;
  time_horizon: 'all';
  reasoning: string;
  check_point: Term;
  short_term: Term;
  medium_term: Term;
  long_term: Term;
  /** Mean absolute difference in p(up) − p(down) over all pairs of analysts, 0 to 2 */
  dispersion: Record<'24h' | '7d' | '28d' | '180d', number | null>;
  providers: Record<string, ProviderOpinion>;
  /** Analysts without an opinion, with the reason */
  missing: Array<MissingProvider>;
  ranges: Array<{
    provider: string;
    crypto_symbol: 'BTC' | 'ETH' | 'SOL' | 'SUI' | 'XRP';
    horizon: '24h' | '7d' | '28d' | '180d';
    /** When it was issued and frozen */
    issued_at: string;
    /** Price, USD */
    price: number;
    /** 80% range of the price at the end of the horizon, USD */
    range_80: Range80;
    /** 95% range of the price at the end of the horizon, USD */
    range_95: Range80;
  }>;
  unanswered_at: string | null;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Provenance;
};

export type AnalyticsSummary = {
  /** 24-hour volume, USD */
  totalVolume: number | null;
  /** Dispersion of 24-hour changes across the assets, percent */
  volatility: number | null;
  /** (Average change − 0.02) ÷ volatility, ratio */
  riskAdjustedReturn: number | null;
  /** Average 24-hour change, percent */
  avgChange: number | null;
  /** Bitcoin share of total market cap, percent */
  bitcoinDominance: number | null;
  /** Number of assets included */
  assetCount: number;
  trend: 'Bullish' | 'Bearish' | null;
  volatilityLevel: 'High' | 'Medium' | 'Low' | null;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Record<string, FigureMeta>;
};

export type ApiError = {
  /** Error message */
  error: string;
  code:
    | 'bad_request'
    | 'unauthenticated'
    | 'upgrade_required'
    | 'forbidden'
    | 'reauthentication_required'
    | 'not_found'
    | 'conflict'
    | 'precondition_failed'
    | 'payload_too_large'
    | 'rate_limited'
    | 'unavailable'
    | 'internal';
};

export type CallRecord = {
  /** Number of requests sent to the source */
  calls: number;
  /** Share of requests to the source that succeeded, percent */
  success_rate: number | null;
  /** Median latency, milliseconds */
  latency_ms: number | null;
};

export type Candle = {
  at: string;
  /** Opening price, USD */
  open: number;
  /** Highest price, USD */
  high: number;
  /** Lowest price, USD */
  low: number;
  /** Closing price, USD */
  close: number;
  /** Volume, USD */
  volume: number | null;
};

export type Chain = {
  /** Price, USD */
  price: number | null;
  /** 24-hour change, percent */
  change_24h: number | null;
  /** Market cap, USD */
  market_cap: number | null;
  /** Share of the combined market cap of the listed chains, percent */
  dominance: number | null;
  /** 24-hour volume, USD */
  volume_24h: number | null;
  /** Transactions per second */
  tps: number | null;
  /** Active addresses per day */
  active_addresses: number | null;
  /** Identifier */
  id: string;
  symbol: string;
  name: string;
  narrative: string;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Record<string, FigureMeta>;
};

export type Commentary = {
  cpi: Array<string>;
  pce: Array<string>;
  ppi: Array<string>;
  ai: {
    text: string;
    provider: string;
    model: string;
    at: string;
  } | null;
};

export type Cpi = {
  /** CPI, index level */
  cpi: number | null;
  /** CPI, month-over-month change, percent, seasonally adjusted */
  cpiMoM: number | null;
  /** CPI, year-over-year change, percent */
  cpiYoY: number | null;
  /** Core CPI (excluding food and energy), index level */
  coreCPI: number | null;
  /** Core CPI, month-over-month change, percent, seasonally adjusted */
  coreCPIMoM: number | null;
  /** Core CPI, year-over-year change, percent */
  coreCPIYoY: number | null;
  date: string | null;
  period: string | null;
  basis: Record<string, 'SA'>;
  gaps: Record<string, Gaps>;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Record<string, FigureMeta>;
};

export type CryptoPrice = {
  /** Identifier */
  id: string;
  symbol: string;
  name: string;
  /** Rank by market cap */
  rank: number | null;
  /** Price, USD */
  price: number;
  /** 24-hour change, percent */
  change_24h: number | null;
  /** 7-day change, percent */
  change_7d: number | null;
  /** 24-hour low, USD */
  low_24h: number | null;
  /** 24-hour high, USD */
  high_24h: number | null;
  /** 24-hour volume, USD */
  volume_24h: number | null;
  /** Market cap, USD */
  market_cap: number | null;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Provenance;
  /** Source and age of volume, market cap and the other figures of the row */
  listing: Provenance;
  /** Source and age of figures rebuilt from candles, or the reason they are unavailable */
  rebuilt?: {
    /** 7-day change, percent */
    change_7d: FigureMeta;
    range_24h: FigureMeta;
    /** 24-hour volume, USD */
    volume_24h?: FigureMeta;
  };
};

export type Derivatives = {
  openInterest: {
    /** Value in the unit of the metric */
    value: number | null;
    metadata: {
      /** BTC open interest, USD */
      btc_oi: number | null;
      /** ETH open interest, USD */
      eth_oi: number | null;
      /** Source and age of the adjacent figures; for a null figure, the reason */
      meta: Record<string, FigureMeta>;
    };
    /** Source and age of the adjacent figures; for a null figure, the reason */
    meta: Record<string, FigureMeta>;
  };
  fundingRate: {
    /** Value in the unit of the metric */
    value: number | null;
    metadata: {
      /** BTC funding rate, percent per 8 hours */
      btc_funding: number | null;
      /** ETH funding rate, percent per 8 hours */
      eth_funding: number | null;
      /** Source and age of the adjacent figures; for a null figure, the reason */
      meta: Record<string, FigureMeta>;
    };
    /** Source and age of the adjacent figures; for a null figure, the reason */
    meta: Record<string, FigureMeta>;
  };
  liquidations: {
    /** Value in the unit of the metric */
    value: number | null;
    metadata: {
      /** Long liquidations over 24 hours, USD */
      long_liquidations: number | null;
      /** Short liquidations over 24 hours, USD */
      short_liquidations: number | null;
      /** Source and age of the adjacent figures; for a null figure, the reason */
      meta: Record<string, FigureMeta>;
    };
    /** Source and age of the adjacent figures; for a null figure, the reason */
    meta: Record<string, FigureMeta>;
  };
};

export type Event = {
  /** Identifier */
  id: number;
  title: string | null;
  category: 'fed' | 'monetary_policy' | 'crypto' | 'inflation' | 'regulation' | 'earnings' | 'employment' | 'other';
  impact: 'high' | 'medium' | 'low';
  date: string;
  allDay: boolean;
  dateEstimated: boolean;
  /** Data source */
  source: string | null;
  /** Whole UTC days from today; negative for past events */
  daysUntil: number;
  timeRemaining?: string;
  description: string | null;
  kind: string | null;
  status: 'upcoming' | 'past';
  ignored: boolean;
  sourceUrl: string | null;
  checkedAt: string;
  interval: Interval | null;
  otherTimes: Array<OtherTime>;
  figures: ReleaseFigures | null;
  why: string;
  notified: boolean;
};

export type Expectation = {
  /** Consensus forecast, percent */
  consensus: number | null;
  /** Cleveland Fed nowcast, percent */
  nowcast: number | null;
  /** Value of the previous release, percent */
  previous: number | null;
  /** Actual value as first published, percent */
  actual: number | null;
  /** Actual minus expected, percentage points */
  surprise: number | null;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Record<string, FigureMeta>;
};

export type Expectations = {
  cpi: ExpectationsCpi;
  pce: ExpectationsCpi;
  ppi: {
    headline: Expectation;
    /** Core rate (excluding food and energy) */
    core: Expectation;
    /** Year-over-year change */
    yoy: Expectation;
  };
};

export type FigureMeta = FigureOrigin | FigureMissing;

export type FigureMissing = {
  metric: string;
  reason: string;
};

export type FigureOrigin = {
  /** Data source */
  source: string;
  /** Time of observation reported by the source */
  observedAt: string;
  /** When we received it */
  fetchedAt: string;
  /** How the figure was obtained: measured, computed, a stated default or simulated by the demo */
  method: 'measured' | 'computed' | 'default' | 'demo';
  /** When it becomes stale */
  staleAfter: string;
  metric: string;
  venues?: Array<string>;
  terms?: string;
  /** Days of history used, if fewer than the figure requires */
  historyDays?: number;
  /** Hours of data collected so far, for a rolling window that is not yet full */
  collectedHours?: number;
};

export type Forecast = {
  period: string | null;
  release_date: string | null;
  forecast_data: {
    /** Forecast, percent per month */
    prediction: number | null;
    /** Core rate (excluding food and energy), percent per month */
    core: number | null;
    /** Sample size */
    n: number;
  } | null;
  entries: Array<ForecastEntry>;
  past: Array<ForecastEntry>;
  scores: Array<ForecastScore>;
};

export type ForecastEntry = {
  /** Identifier */
  id: number;
  forecaster: string;
  name: string;
  model: string | null;
  period: string;
  /** When it was issued and frozen */
  issued_at: string;
  /** Forecast, percent per month */
  prediction: number;
  /** Core rate (excluding food and energy), percent per month */
  core: number | null;
  /** Confidence of the forecaster, percent */
  confidence: number | null;
  reasoning: string | null;
  /** Actual value as first published, percent */
  actual: number | null;
  /** Forecast minus the first published value, percentage points */
  error: number | null;
};

export type ForecastScore = {
  forecaster: string;
  name: string;
  yardstick: boolean;
  /** Forecast for the upcoming release, percent per month */
  says: number | null;
  /** Sample size */
  n: number;
  /** Mean absolute error, percentage points */
  mae: number | null;
  /** Lower bound, in the unit of the figure */
  low: number | null;
  /** Upper bound, in the unit of the figure */
  high: number | null;
  /** Comparison with the last-value baseline; null for the baseline itself */
  skill: {
    /** Sample size */
    n: number;
    /** Mean absolute error minus that of the last-value baseline, percentage points; below 0 is better */
    difference: number | null;
    /** Lower bound, in the unit of the figure */
    low: number | null;
    /** Upper bound, in the unit of the figure */
    high: number | null;
    verdict: 'ahead' | 'no evidence' | 'behind' | 'too few';
  } | null;
};

export type GradedCall = {
  /** Ledger entry number */
  seq: number;
  crypto_symbol: 'BTC' | 'ETH' | 'SOL' | 'SUI' | 'XRP';
  provider: string;
  model: string;
  horizon: '24h' | '7d' | '28d' | '180d';
  /** When it was issued and frozen */
  issued_at: string;
  resolved_at: string;
  probabilities: Probabilities;
  predicted_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
  actual_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
  /** Realized log return */
  realised: number;
  /** Share of correct calls, percent; 100 or 0 for a single call */
  accuracy: number;
  /** Rank correlation of p(up) − p(down) with the return over the calls of this analyst for the same asset and horizon up to this one, −1 to 1; null below 10 calls */
  correlation_score: number | null;
};

export type HistoryPoint = {
  period: string;
  /** Month-over-month change, percent */
  mom: number | null;
  /** Year-over-year change, percent */
  yoy: number | null;
  reason?: string;
};

export type HistoryRecord = {
  /** Identifier */
  id: string;
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  symbol: string;
  /** Value in the unit of the metric */
  value: number;
  /** Unit of the value */
  unit: string;
  /** Data source */
  source: string;
  /** When we received it */
  fetchedAt: string;
  /** How the figure was obtained: measured, computed, a stated default or simulated by the demo */
  method: 'measured' | 'computed' | 'default' | 'demo';
  /** Change from the previous value of the same symbol, in its unit */
  change: number | null;
  /** Change from the previous value of the same symbol, percent */
  change_percent: number | null;
};

export type InflationReading = {
  sentiment:
    | 'very_bullish'
    | 'bullish'
    | 'slightly_bullish'
    | 'neutral'
    | 'slightly_bearish'
    | 'bearish'
    | 'very_bearish'
    | null;
  /** Sentiment score; for fear and greed, 0 to 100 */
  score: number | null;
  marketImpact: {
    crypto:
      | 'strong_positive'
      | 'positive'
      | 'slightly_positive'
      | 'neutral'
      | 'slightly_negative'
      | 'negative'
      | 'strong_negative';
    stocks:
      | 'strong_positive'
      | 'positive'
      | 'slightly_positive'
      | 'neutral'
      | 'slightly_negative'
      | 'negative'
      | 'strong_negative';
    bonds:
      | 'strong_positive'
      | 'positive'
      | 'slightly_positive'
      | 'neutral'
      | 'slightly_negative'
      | 'negative'
      | 'strong_negative';
    description: string;
  } | null;
  terms: Array<SentimentTerm>;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Record<string, FigureMeta>;
};

export type Layer1Data = {
  /** Combined market cap, USD */
  total_market_cap: number | null;
  /** Combined 24-hour volume, USD */
  total_volume_24h: number | null;
  /** Average 24-hour change, percent */
  avg_change_24h: number | null;
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  chains: Array<Chain>;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Record<string, FigureMeta>;
};

export type LeagueCell = {
  provider: string;
  model: string;
  current: boolean;
  horizon: '24h' | '7d' | '28d' | '180d';
  verdict: 'ahead' | 'behind' | 'no evidence' | 'too few independent windows';
  /** Holm-adjusted one-sided p-value for outperforming every baseline */
  p_ahead: number | null;
  /** Holm-adjusted one-sided p-value for underperforming base rates */
  p_behind: number | null;
  /** Sample size */
  n: number;
  /** Number of distinct issue dates */
  dates: number;
  /** Effective sample size: issue dates with non-overlapping windows */
  n_eff: number;
  /** Number of calls that have not reached their horizon */
  pending: number;
  /** Number of void calls, which cannot be graded */
  voids: number;
  /** Void calls as a share of graded and void calls, 0 to 1 */
  void_rate: number | null;
  /** Number of scheduled calls that were not made */
  missing: number;
  /** Share of correct calls, 0 to 1 */
  hit_rate: number | null;
  hit_interval: Range80 | null;
  /** Brier score, 0 to 2 (0 to 1 within `calibration`); lower is better */
  brier: number | null;
  /** Brier score of the base-rate baseline */
  brier_climatology: number | null;
  /** Brier score of the persistence baseline, which repeats the last outcome */
  brier_persistence: number | null;
  /** Brier score of always forecasting up */
  brier_always_up: number | null;
  /** Brier score of the uniform baseline, one third each */
  brier_uniform: number | null;
  /** Skill score against the best of base rates, persistence and uniform: 1 is perfect, 0 equals the baseline, below 0 is worse */
  skill: number | null;
  /** Ranked probability score; lower is better */
  rps: number | null;
  /** Mean negative log probability of the outcome; lower is better */
  log_score: number | null;
  /** Rank correlation of p(up) − p(down) with the return, −1 to 1 */
  rank_correlation: number | null;
  /** Brier score minus that of the base-rate baseline; below 0 is better */
  difference: Difference | null;
  direction: Direction | null;
  ranges: Ranges | null;
  recalibrated: Recalibrated | null;
  calibration: Calibration | null;
  assets: Array<Asset>;
  /** Effect of the forecaster on the equal-weighted pool of the league */
  contribution: Contribution | null;
};

export type MarketTotals = {
  /** Market cap, USD */
  market_cap: number | null;
  /** 24-hour volume, USD */
  volume_24h: number | null;
  /** 24-hour change, percent */
  change_24h: number | null;
  /** Number of coins in the list */
  coins: number;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Provenance | null;
};

export type MissingProvider = {
  /** Identifier */
  id: string;
  name: string;
  key: string | null;
  reason: string;
};

export type Narrative = {
  /** Combined 24-hour volume, USD */
  total_volume_24h: number | null;
  /** Average 24-hour change, percent */
  avg_change_24h: number | null;
  /** Relevance score, 0 to 100 */
  relevance_score: number | null;
  /** Identifier */
  id: string;
  narrative: string;
  sentiment: 'very_positive' | 'positive' | 'neutral' | 'negative' | 'very_negative' | null;
  /** Coins in the narrative */
  coins: Array<NarrativeCoin>;
  market_insights: {
    trend_analysis: string;
    volume_analysis: string;
    risk_level: 'low' | 'medium' | 'high' | null;
    /** Opportunity score, 0 to 100 */
    opportunity_score: number | null;
  };
  terms: NarrativeTerms;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Record<string, FigureMeta>;
};

export type NarrativeCoin = {
  /** Price, USD */
  price_usd: number | null;
  /** 24-hour change, percent */
  change_24h: number | null;
  coin_symbol: string;
  coin_name: string;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Record<string, FigureMeta>;
};

export type NarrativeTerms = {
  /** 24-hour change relative to the market, in standard deviations */
  relative_sigma: number | null;
  /** Share of total market volume, 0 to 1 */
  volume_share: number | null;
  /** Volume relative to its last 30 days, in standard deviations */
  volume_z: number | null;
  /** Share of coins up over 24 hours, 0 to 1 */
  breadth: number | null;
  /** Annualized 30-day realized volatility; 1 = 100% */
  volatility: number | null;
};

export type NextRelease = {
  type: 'cpi' | 'pce' | 'ppi';
  date: string;
  period: string;
  /** Data source */
  source: string;
  estimated: boolean;
};

export type Onchain = {
  whaleTransactions: {
    /** Value in the unit of the metric */
    value: number | null;
    metadata: {
      /** Number of transfers of 1 million USD or more over 24 hours */
      large_transfers: number | null;
      /** Number of transfers to exchanges over 24 hours */
      exchange_deposits: number | null;
      /** Source and age of the adjacent figures; for a null figure, the reason */
      meta: Record<string, FigureMeta>;
    };
    /** Source and age of the adjacent figures; for a null figure, the reason */
    meta: Record<string, FigureMeta>;
  };
  hashRate: {
    /** Value in the unit of the metric */
    value: number | null;
    metadata: {
      /** Bitcoin network difficulty */
      difficulty: number | null;
      network_health: 'strong' | 'normal' | 'weak' | null;
      /** Source and age of the adjacent figures; for a null figure, the reason */
      meta: Record<string, FigureMeta>;
    };
    /** Source and age of the adjacent figures; for a null figure, the reason */
    meta: Record<string, FigureMeta>;
  };
  activeAddresses: {
    /** Value in the unit of the metric */
    value: number | null;
    metadata: {
      /** New addresses per day */
      new_addresses: number | null;
      /** Returning addresses per day */
      returning_addresses: number | null;
      /** Source and age of the adjacent figures; for a null figure, the reason */
      meta: Record<string, FigureMeta>;
    };
    /** Source and age of the adjacent figures; for a null figure, the reason */
    meta: Record<string, FigureMeta>;
  };
};

export type OtherTime = {
  /** Data source */
  source: string;
  date: string;
  url: string | null;
};

export type Pce = {
  /** PCE price index, index level */
  pce: number | null;
  /** PCE price index, month-over-month change, percent, seasonally adjusted */
  pceMoM: number | null;
  /** PCE price index, year-over-year change, percent */
  pceYoY: number | null;
  /** Core PCE price index (excluding food and energy), index level */
  corePCE: number | null;
  /** Core PCE price index, month-over-month change, percent, seasonally adjusted */
  corePCEMoM: number | null;
  /** Core PCE price index, year-over-year change, percent */
  corePCEYoY: number | null;
  date: string | null;
  period: string | null;
  basis: Record<string, 'SA'>;
  gaps: Record<string, Gaps>;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Record<string, FigureMeta>;
};

export type Ppi = {
  /** PPI, index level */
  ppi: number | null;
  /** PPI, month-over-month change, percent, seasonally adjusted */
  ppiMoM: number | null;
  /** PPI, year-over-year change, percent */
  ppiYoY: number | null;
  /** Core PPI (excluding food and energy), index level */
  corePPI: number | null;
  /** Core PPI, month-over-month change, percent, seasonally adjusted */
  corePPIMoM: number | null;
  /** Core PPI, year-over-year change, percent */
  corePPIYoY: number | null;
  date: string | null;
  period: string | null;
  basis: Record<string, 'SA'>;
  gaps: Record<string, Gaps>;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Record<string, FigureMeta>;
};

export type PredictionSet = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string | null;
  short_term: ShortTerm | null;
  medium_term: ShortTerm | null;
  long_term: ShortTerm | null;
  overall_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH' | null;
  /** Overall confidence, percent */
  overall_confidence: number | null;
  /** Share of the demo history generated so far, percent; null in live mode and once complete */
  preparing: number | null;
};

export type Preview = {
  metric: string;
  /** Unit of the value */
  unit: string;
  /** Start, inclusive */
  from: string | null;
  /** End, inclusive */
  to: string | null;
  /** Days covered by the stored series, at most 90 */
  days: number;
  tried: Array<Tried>;
  absent: string | null;
  /** Series, oldest first: pairs of Unix time in milliseconds and value in `unit` */
  points: Array<[number, number]>;
  /** Alert level, in `unit` */
  level: number | null;
  /** Times at which the rule would have fired; within `after`, price changes in the 24 hours that followed */
  fires: Array<[number, number]>;
  /** Number of times the rule would have fired */
  fireCount: number;
  /** Fires per week */
  perWeek: number | null;
  /** Longest period without a fire, days */
  longestSilenceDays: number | null;
  /** Number of crossings suppressed by the options of the rule */
  suppressed: number;
  after: After;
  suggestions: Array<Suggestion>;
};

export type Probabilities = {
  /** Probability of an up move, 0 to 1 */
  up: number;
  /** Probability of a flat outcome, 0 to 1 */
  flat: number;
  /** Probability of a down move, 0 to 1 */
  down: number;
};

export type Provenance = {
  /** Data source */
  source: string;
  /** Time of observation reported by the source */
  observedAt: string;
  /** When we received it */
  fetchedAt: string;
  /** How the figure was obtained: measured, computed, a stated default or simulated by the demo */
  method: 'measured' | 'computed' | 'default' | 'demo';
  /** When it becomes stale */
  staleAfter: string;
};

export type ProviderOpinion = {
  /** Identifier */
  id: string;
  name: string;
  letter: string;
  built_in: boolean;
  model: string;
  model_version: string | null;
  imputed: boolean;
  overall_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
  /** Overall confidence, percent */
  overall_confidence: number;
  overall_reasoning: string;
  check_point: Term;
  short_term: Term;
  medium_term: Term;
  long_term: Term;
  assets: Record<'BTC' | 'ETH' | 'SOL' | 'SUI' | 'XRP', Record<'24h' | '7d' | '28d' | '180d', Probabilities>>;
};

export type RaisedAlert = {
  /** Identifier */
  id: number;
  type:
    | 'PRICE_BULLISH_MOVE'
    | 'PRICE_BEARISH_MOVE'
    | 'EXCHANGE_INFLOW'
    | 'EXCHANGE_OUTFLOW'
    | 'STABLECOIN_GROWTH'
    | 'STABLECOIN_DECLINE'
    | 'BTC_DOMINANCE_SHIFT'
    | 'SSR_LEVEL'
    | 'FUNDING_EXTREME_BULLISH'
    | 'FUNDING_EXTREME_BEARISH'
    | 'LIQUIDATION_SPIKE'
    | 'FEAR_GREED_EXTREME'
    | 'AI_CONSENSUS_BULLISH'
    | 'AI_CONSENSUS_BEARISH'
    | 'INFLATION_SURPRISE'
    | 'UPCOMING_EVENT'
    | 'CUSTOM_THRESHOLD'
    | 'RULES_PAUSED';
  severity: 'high' | 'medium' | 'low';
  message: string;
  metric: string;
  /** Value in the unit of the metric */
  value: number | null;
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  eventDate: string | null;
  /** Event that the alert refers to */
  eventId: number | null;
  /** Alert rule that raised the alert; null for market alerts */
  thresholdId: number | null;
  receipt: Receipt;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Meta;
};

export type Receipt = {
  sourceAt: string;
  receivedAt: string;
  evaluatedAt: string;
  queuedAt: string;
  deliveries?: Array<{
    channel: 'email' | 'push' | 'telegram' | 'webhook';
    sentAt: string;
  }>;
};

export type RecordedCall = {
  /** Ledger entry number */
  seq: number;
  crypto_symbol: 'BTC' | 'ETH' | 'SOL' | 'SUI' | 'XRP';
  provider: string;
  model: string;
  horizon: '24h' | '7d' | '28d' | '180d';
  /** When it was issued and frozen */
  issued_at: string;
  resolves_at: string;
  probabilities: Probabilities;
  imputed: boolean;
  /** Price, USD */
  price: number;
  /** Half-width of the flat band: a log return within ±band counts as flat */
  band: number | null;
  predicted_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
  state: 'open' | 'graded' | 'void';
  actual_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH' | null;
  /** Realized log return */
  realised: number | null;
  /** Share of correct calls, percent; 100 or 0 for a single call */
  accuracy: number | null;
  resolved_at: string | null;
  /** Ledger entry number of the outcome */
  outcome_seq: number | null;
  /** 80% range of the price at the end of the horizon, USD */
  range_80: Range80 | null;
  /** 95% range of the price at the end of the horizon, USD */
  range_95: Range80 | null;
  /** Whether the price ended inside the 80% range; null until graded or without a range */
  held_80: boolean | null;
  /** Whether the price ended inside the 95% range; null until graded or without a range */
  held_95: boolean | null;
  void_reason: string | null;
};

export type Release = {
  type: 'CPI' | 'PCE' | 'PPI';
  date: string;
  releasedAt: string;
  period: string;
  /** Data source */
  source: string;
  /** Number of revisions */
  revisions: number;
};

export type ReleaseFigures = {
  /** Actual value, as text with its unit */
  actual: string | null;
  /** Forecast, as text with its unit */
  forecast: string | null;
  /** Previous value, as text with its unit */
  previous: string | null;
};

export type Replay = {
  /** When it was computed */
  made_at: string;
  /** Version of the built-in analyst */
  model_version: string;
  /** Day of the first candle, UTC */
  first_day: string;
  /** Day of the last candle, UTC */
  last_day: string;
  /** Sources of the candles */
  sources: Array<string>;
  /** Number of calls and outcomes in its hash chain */
  entries: number;
  /** SHA-256 of the last entry of its hash chain, hex */
  head: string;
  /** Scores of the replay, in the same shape as the live record */
  record: {
    /** When the response was compiled; for a single value, the time it refers to */
    timestamp: string;
    /** Share of graded calls that were correct, percent */
    overall_accuracy: number | null;
    /** Number of graded calls */
    total_predictions: number;
    /** Average rank correlation of p(up) − p(down) with the return, −1 to 1 */
    average_correlation: number | null;
    by_symbol: Record<string, BySymbol>;
    recent_results: Array<GradedCall>;
    headline: TrackCell | null;
    cells: Array<TrackCell>;
    pools: Array<Pool>;
  };
};

export type RiskRow = {
  /** Annualized volatility of daily returns, percent */
  annualised_volatility: number | null;
  /** Sharpe ratio */
  sharpe: number | null;
  /** Sortino ratio */
  sortino: number | null;
  /** Maximum drawdown of daily closes from the preceding peak, percent */
  max_drawdown: number | null;
  /** Beta to BTC, ratio */
  beta_btc: number | null;
  asset: 'BTC' | 'ETH' | 'SOL' | 'SUI' | 'XRP';
  /** Number of daily returns */
  days: number;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Record<string, FigureMeta>;
};

export type RuleOptions = {
  mode: 'every' | 'once';
  /** Minimum number of minutes between two fires */
  cooldownMinutes: number;
  /** How far the value must move back before the rule re-arms, in the unit of the metric; null uses the default of the metric */
  margin: number | null;
  /** Minutes that the condition must hold before the rule fires */
  holdMinutes: number;
  expiresAt: string | null;
  and: SecondCondition | null;
  schedule: Schedule | null;
};

export type SentimentTerm = {
  series: string;
  name: string;
  period: string | null;
  /** Actual value as first published, percent */
  actual: number | null;
  /** Consensus forecast, or the nowcast where there is none, percent */
  expected: number | null;
  /** Actual minus expected, percentage points */
  surprise: number | null;
  /** Weight */
  weight: number;
  /** Contribution to the score */
  contribution: number;
  instead: string | null;
};

export type SourceDetail = {
  /** Identifier */
  id: string;
  name: string;
  gives: string;
  state: 'ok' | 'stale' | 'rate_limited' | 'down' | 'refused_region' | 'key_missing' | 'waiting' | 'unknown';
  note: string | null;
  lastSuccessAt: string | null;
  lastFailureAt: string | null;
  host: string;
  homepage: string;
  licence: string;
  attribution: string | null;
  key: 'none' | 'optional' | 'required';
  day: CallRecord;
  month: CallRecord;
};

export type SourceHealth = {
  /** Identifier */
  id: string;
  name: string;
  gives: string;
  state: 'ok' | 'stale' | 'rate_limited' | 'down' | 'refused_region' | 'key_missing' | 'waiting' | 'unknown';
  note: string | null;
  lastSuccessAt: string | null;
  lastFailureAt: string | null;
};

export type SourceQuote = {
  /** Data source */
  source: string;
  /** Price, USD */
  price: number;
  /** 24-hour volume, USD */
  volume_24h: number | null;
  /** Market cap, USD */
  market_cap: number | null;
  /** 24-hour change, percent */
  change_24h: number | null;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Provenance;
};

export type Term = {
  horizon: '24h' | '7d' | '28d' | '180d';
  market_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
  /** Highest of the three probabilities, percent */
  confidence: number;
  reasoning: string;
  probabilities: Probabilities;
  factors_analyzed: Array<string>;
  key_factors: Array<string>;
  risk_factors: Array<string>;
};

export type Threshold = {
  /** Identifier */
  id: number;
  name: string;
  description: string;
  metric: string;
  condition:
    | 'above'
    | 'below'
    | 'equals'
    | 'changes_by'
    | 'changes_by_sigma'
    | 'leaves_range'
    | 'changes_to_bullish'
    | 'changes_to_bearish'
    | 'changes_to_neutral'
    | 'becomes_bullish'
    | 'becomes_bearish'
    | 'becomes_neutral';
  /** Value in the unit of the metric */
  value: number | 'BEARISH' | 'NEUTRAL' | 'BULLISH';
  enabled: boolean;
  icon: string;
  iconChosen: boolean;
  /** Unit of the value */
  unit: string;
  options: RuleOptions;
  state: 'armed' | 'pending' | 'fired' | 'paused' | 'done' | 'expired' | 'no_data' | 'off';
  note: string | null;
  canRearm: boolean;
  lastFiredAt: string | null;
  /** Number of times the rule has fired */
  fires: number;
  cadence: string;
  current: {
    /** Value in the unit of the metric */
    value: number;
    /** Source and age of the adjacent figures; for a null figure, the reason */
    meta: Provenance;
  } | null;
};

export type TrackCell = {
  provider: string;
  model: string;
  current: boolean;
  horizon: '24h' | '7d' | '28d' | '180d';
  verdict: 'ahead' | 'behind' | 'no evidence' | 'too few independent windows';
  /** Holm-adjusted one-sided p-value for outperforming every baseline */
  p_ahead: number | null;
  /** Holm-adjusted one-sided p-value for underperforming base rates */
  p_behind: number | null;
  /** Sample size */
  n: number;
  /** Number of distinct issue dates */
  dates: number;
  /** Effective sample size: issue dates with non-overlapping windows */
  n_eff: number;
  /** Number of calls that have not reached their horizon */
  pending: number;
  /** Number of void calls, which cannot be graded */
  voids: number;
  /** Void calls as a share of graded and void calls, 0 to 1 */
  void_rate: number | null;
  /** Number of scheduled calls that were not made */
  missing: number;
  /** Share of correct calls, 0 to 1 */
  hit_rate: number | null;
  hit_interval: Range80 | null;
  /** Brier score, 0 to 2 (0 to 1 within `calibration`); lower is better */
  brier: number | null;
  /** Brier score of the base-rate baseline */
  brier_climatology: number | null;
  /** Brier score of the persistence baseline, which repeats the last outcome */
  brier_persistence: number | null;
  /** Brier score of always forecasting up */
  brier_always_up: number | null;
  /** Brier score of the uniform baseline, one third each */
  brier_uniform: number | null;
  /** Skill score against the best of base rates, persistence and uniform: 1 is perfect, 0 equals the baseline, below 0 is worse */
  skill: number | null;
  /** Ranked probability score; lower is better */
  rps: number | null;
  /** Mean negative log probability of the outcome; lower is better */
  log_score: number | null;
  /** Rank correlation of p(up) − p(down) with the return, −1 to 1 */
  rank_correlation: number | null;
  /** Brier score minus that of the base-rate baseline; below 0 is better */
  difference: Difference | null;
  direction: Direction | null;
  ranges: Ranges | null;
  recalibrated: Recalibrated | null;
  calibration: Calibration | null;
  assets: Array<Asset>;
};

export type MarketDataReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
  /** When the last full collection ended */
  lastCollectionTime: string | null;
  /** When the next full collection starts */
  nextCollectionTime: string | null;
  totals: MarketTotals;
  sources: Array<SourceHealth>;
  advancedMetrics?: AdvancedMetrics;
  layer1Data?: Layer1Data;
  trendingNarratives?: Array<Narrative>;
  /** Requested point in time */
  asOf?: string;
};

export type BriefReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
  lines: Array<{
    topic: 'market' | 'coins' | 'positioning' | 'outlook' | 'calendar';
    title: string;
    clauses: Array<{
      text: string;
      href: string;
      /** Source and age of the adjacent figures; for a null figure, the reason */
      meta: FigureOrigin;
    }>;
    /** Number of scheduled calls that were not made */
    missing: string | null;
  }>;
};

export type CryptoPricesReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
  prices: Array<CryptoPrice>;
  totals: MarketTotals;
  /** `cursor` of the next page; null on the last page */
  nextCursor: string | null;
  /** Requested point in time */
  asOf?: string;
};

export type CryptoPricesByIdReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
  coin: CryptoPrice;
  quotes: Array<SourceQuote>;
  sparkline: {
    /** Closing prices in USD, oldest first */
    points: Array<number>;
    /** Source and age of the adjacent figures; for a null figure, the reason */
    meta: Provenance;
  } | null;
};

export type CandlesReply = {
  /** Identifier */
  id: string;
  symbol: string;
  interval: '1' | '5' | '15' | '30' | '60' | '240' | 'D' | 'W' | 'M';
  history: 'complete' | 'loading' | 'unavailable';
  candles: Array<Candle>;
  gaps: Array<Interval>;
  /** Days of history available on the plan or in storage; null if unlimited */
  limitedToDays: number | null;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Provenance | null;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
  /** `cursor` of the next page; null on the last page */
  nextCursor: string | null;
};

export type SourcesReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
  sources: Array<SourceDetail>;
  /** `cursor` of the next page; null on the last page */
  nextCursor: string | null;
};

export type AnalysisReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
  aiAnalysis: AiAnalysis | null;
  /** Requested point in time */
  asOf?: string;
};

export type PredictionsReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string | null;
  short_term: ShortTerm | null;
  medium_term: ShortTerm | null;
  long_term: ShortTerm | null;
  overall_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH' | null;
  /** Overall confidence, percent */
  overall_confidence: number | null;
  /** Share of the demo history generated so far, percent; null in live mode and once complete */
  preparing: number | null;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
};

export type TrackRecordReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  /** Share of graded calls that were correct, percent */
  overall_accuracy: number | null;
  /** Number of graded calls */
  total_predictions: number;
  /** Average rank correlation of p(up) − p(down) with the return, −1 to 1 */
  average_correlation: number | null;
  by_symbol: Record<string, BySymbol>;
  recent_results: Array<GradedCall>;
  headline: Headline | null;
  cells: Array<Headline>;
  pools?: Array<Pool>;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
  recent_hits: Array<boolean>;
  /** Requested point in time */
  asOf?: string;
};

export type TrackRecordCallsReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
  /** Prediction calls, newest first */
  calls: Array<RecordedCall>;
  /** `cursor` of the next page; null on the last page */
  nextCursor: string | null;
};

export type TrackRecordReplayReply = {
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
  /** Replay on past prices, never part of the live record; null if not available */
  replay: Replay | null;
};

export type TrackRecordRangesReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  /** Number of coins with a current range */
  coins: number;
  horizons: Array<{
    horizon: '24h' | '7d' | '28d';
    record: HorizonRecord | null;
    /** Replay on past prices, never part of the live record; null if not available */
    replay: HorizonRecord | null;
  }>;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
};

export type CryptoPricesByIdRangesReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
  /** Identifier */
  id: string;
  ranges: Array<{
    horizon: '24h' | '7d' | '28d';
    /** When it was issued and frozen */
    issued_at: string;
    starts_at: string;
    /** Price, USD */
    price: number;
    /** 80% range of the price at the end of the horizon, USD */
    range_80: Range80;
    /** 95% range of the price at the end of the horizon, USD */
    range_95: Range80;
    record: HorizonRecord | null;
    /** Replay on past prices, never part of the live record; null if not available */
    replay: HorizonRecord | null;
    /** Source and age of the adjacent figures; for a null figure, the reason */
    meta: Provenance;
  }>;
};

export type AnalyticsSummaryReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  summary: AnalyticsSummary;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
};

export type AnalyticsRiskReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  /** Length of the window, days */
  days: number;
  risk: Array<RiskRow>;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
};

export type AnalyticsCorrelationReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  /** Number of days of data */
  days: number;
  assets: Array<string>;
  pairs: Array<
    Array<{
      /** Value in the unit of the metric */
      value: number;
      /** How the figure was obtained: measured, computed, a stated default or simulated by the demo */
      method: 'measured' | 'default';
      /** Number of days of data */
      days: number;
      /** Source and age of the adjacent figures; for a null figure, the reason */
      meta: FigureMeta;
    }>
  >;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
};

export type LeagueReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  horizon: '24h' | '7d' | '28d' | '180d';
  /** Number of forecasters; the response lists the first 100 */
  total: number;
  forecasters: Array<{
    name: string;
    track: string;
    /** When the first forecast was submitted */
    joined_at: string;
    /** Number of forecasts to date */
    forecasts: number;
    /** Number of forecasts that have not reached their horizon */
    open: number;
    cell: {
      verdict: 'ahead' | 'behind' | 'no evidence' | 'too few independent windows';
      /** Holm-adjusted one-sided p-value for outperforming every baseline */
      p_ahead: number | null;
      /** Sample size */
      n: number;
      /** Number of distinct issue dates */
      dates: number;
      /** Effective sample size: issue dates with non-overlapping windows */
      n_eff: number;
      /** Brier score, 0 to 2 (0 to 1 within `calibration`); lower is better */
      brier: number | null;
      /** Brier score of the base-rate baseline */
      brier_climatology: number | null;
      /** Brier score of the persistence baseline, which repeats the last outcome */
      brier_persistence: number | null;
      /** Brier score of the uniform baseline, one third each */
      brier_uniform: number | null;
      /** Skill score against the best of base rates, persistence and uniform: 1 is perfect, 0 equals the baseline, below 0 is worse */
      skill: number | null;
      ranges: Ranges | null;
      /** Effect of the forecaster on the equal-weighted pool of the league */
      contribution: Contribution | null;
    } | null;
  }>;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
};

export type LeagueByNameReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  forecaster: {
    name: string;
    track: string;
    /** When the first forecast was submitted */
    joined_at: string;
    /** Number of forecasts to date */
    forecasts: number;
    /** Number of forecasts that have not reached their horizon */
    open: number;
  };
  /** When the scores were computed */
  scored_at: string | null;
  /** Latest ledger entry included in the scores */
  scored_through: number | null;
  /** Latest ledger entry included in any score of the league */
  league_through: number | null;
  cells: Array<LeagueCell>;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
};

export type ForecastsReply = {
  forecaster: string;
  /** When it was issued and frozen */
  issued_at: string;
  forecasts: Array<{
    /** Ledger entry number */
    seq: number;
    hash: string;
    asset: 'BTC' | 'ETH' | 'SOL' | 'SUI' | 'XRP';
    horizon: '24h' | '7d' | '28d' | '180d';
    /** Price, USD */
    price: number;
    resolves_at: string;
  }>;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
};

export type EventsReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
  events: Array<Event>;
  /** Number of upcoming events by impact */
  upcomingCounts: Record<string, number>;
  /** `cursor` of the next page; null on the last page */
  nextCursor: string | null;
};

export type InflationReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  cpi: Cpi | null;
  pce: Pce | null;
  ppi: Ppi | null;
  expectations: Expectations;
  commentary: Commentary;
  history: Record<string, Array<HistoryPoint>>;
  next: Array<NextRelease>;
  note: string | null;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
  /** Requested point in time */
  asOf?: string;
};

export type InflationReleasesReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  releases: Array<Release>;
  next: Array<NextRelease>;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
  /** `cursor` of the next page; null on the last page */
  nextCursor: string | null;
  /** Requested point in time */
  asOf?: string;
};

export type InflationForecastsReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  forecasts: {
    cpi: Forecast;
    pce: Forecast;
  };
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
  /** Requested point in time */
  asOf?: string;
};

export type InflationExpectationsReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  expectations: Expectations;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
  /** Requested point in time */
  asOf?: string;
};

export type InflationSentimentReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  data: InflationReading;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
  /** Requested point in time */
  asOf?: string;
};

export type AlertsReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
  alerts: Array<Alert>;
  /** `cursor` of the next page; null on the last page */
  nextCursor: string | null;
};

export type ThresholdsReply = {
  /** When the response was compiled; for a single value, the time it refers to */
  timestamp: string;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
  thresholds: Array<Threshold>;
  /** `cursor` of the next page; null on the last page */
  nextCursor: string | null;
};

export type ThresholdsPreviewReply = {
  metric: string;
  /** Unit of the value */
  unit: string;
  /** Start, inclusive */
  from: string | null;
  /** End, inclusive */
  to: string | null;
  /** Days covered by the stored series, at most 90 */
  days: number;
  tried: Array<Tried>;
  absent: string | null;
  /** Series, oldest first: pairs of Unix time in milliseconds and value in `unit` */
  points: Array<[number, number]>;
  /** Alert level, in `unit` */
  level: number | null;
  /** Times at which the rule would have fired; within `after`, price changes in the 24 hours that followed */
  fires: Array<[number, number]>;
  /** Number of times the rule would have fired */
  fireCount: number;
  /** Fires per week */
  perWeek: number | null;
  /** Longest period without a fire, days */
  longestSilenceDays: number | null;
  /** Number of crossings suppressed by the options of the rule */
  suppressed: number;
  after: After;
  suggestions: Array<Suggestion>;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
};

export type HistoryByTypeReply = {
  type:
    | 'EQUITY_INDEX'
    | 'CRYPTO_PRICE'
    | 'DXY'
    | 'TREASURY_YIELD'
    | 'VOLATILITY_INDEX'
    | 'ENERGY_PRICE'
    | 'TOTAL_MARKET_CAP'
    | 'ALTCOIN_SEASON'
    | 'DERIVATIVES'
    | 'ONCHAIN'
    | 'SEASON_INDICATOR';
  symbols: Array<string>;
  records: Array<HistoryRecord>;
  /** `cursor` of the next page; null on the last page */
  nextCursor: string | null;
  /** Days of history available on the plan or in storage; null if unlimited */
  limitedToDays: number | null;
  reason: string | null;
  /** Live data, or simulated data of the demo */
  dataMode: 'live' | 'demo';
};

export type AccountReply = {
  subscriptionStatus: {
    plan: 'free' | 'pro' | 'premium' | 'admin';
    planName: string;
  } | null;
  scopes: Array<'market' | 'analysis' | 'calendar' | 'alerts' | 'alerts:write' | 'forecasts:write'>;
};

export type ThresholdInput = {
  /** Identifier */
  id?: number;
  name: string;
  description?: string;
  metric: string;
  condition:
    | 'above'
    | 'below'
    | 'equals'
    | 'changes_by'
    | 'changes_by_sigma'
    | 'leaves_range'
    | 'changes_to_bullish'
    | 'changes_to_bearish'
    | 'changes_to_neutral'
    | 'becomes_bullish'
    | 'becomes_bearish'
    | 'becomes_neutral';
  /** Value in the unit of the metric */
  value: number | 'BEARISH' | 'NEUTRAL' | 'BULLISH';
  enabled?: boolean;
  icon?: string | null;
  /** Unit of the value */
  unit?: string;
  options?: RuleOptionsInput;
};

export type RuleOptionsInput = {
  mode?: 'every' | 'once';
  /** Minimum number of minutes between two fires */
  cooldownMinutes?: number;
  /** How far the value must move back before the rule re-arms, in the unit of the metric; null uses the default of the metric */
  margin?: number | null;
  /** Minutes that the condition must hold before the rule fires */
  holdMinutes?: number;
  expiresAt?: string | null;
  and?: SecondCondition | null;
  schedule?: Schedule | null;
};

export type Range80 = {
  /** Lower bound, in the unit of the figure */
  low: number;
  /** Upper bound, in the unit of the figure */
  high: number;
};

export type Meta = {
  /** Data source */
  source: string;
  /** Time of observation reported by the source */
  observedAt: string;
  /** When we received it */
  fetchedAt: string;
  /** How the figure was obtained: measured, computed, a stated default or simulated by the demo */
  method: 'measured' | 'computed' | 'default' | 'demo';
};

export type BitcoinDominance = {
  /** Value in the unit of the metric */
  value: number | null;
  /** 24-hour change, percent; for dominance, percentage points */
  change_24h: number | null;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Record<string, FigureMeta>;
};

export type Btc = {
  /** Net exchange flow (inflow minus outflow) over 24 hours, BTC or ETH */
  netFlow: number | null;
  /** Exchange inflow over 24 hours, BTC or ETH */
  inflow: number | null;
  /** Exchange outflow over 24 hours, BTC or ETH */
  outflow: number | null;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Record<string, FigureMeta>;
};

export type Gaps = {
  /** Year-over-year change of the latest month that has one, percent */
  newestYoY: number | null;
  /** Annualized change over two years, percent */
  twoYearRate: number | null;
  newestPeriod: string | null;
  /** Source and age of the adjacent figures; for a null figure, the reason */
  meta: Record<string, FigureMeta>;
};

export type Interval = {
  /** Start, inclusive */
  from: string;
  /** End, inclusive */
  to: string;
};

export type ExpectationsCpi = {
  headline: Expectation;
  /** Core rate (excluding food and energy) */
  core: Expectation;
};

export type Difference = {
  /** Mean, in the unit of the figure */
  mean: number;
  /** Lower bound, in the unit of the figure */
  low: number;
  /** Upper bound, in the unit of the figure */
  high: number;
};

export type Direction = {
  /** Sample size */
  n: number;
  /** Share of correct directions, 0 to 1 */
  success_rate: number;
  /** Share of correct directions expected by chance, 0 to 1 */
  expected: number;
  /** One-sided p-value of the Pesaran–Timmermann test, 0 to 1 */
  p: number;
};

export type Ranges = {
  /** Sample size */
  n: number;
  /** Coverage of the 80% range: share of returns inside it, 0 to 1 */
  coverage_80: number;
  /** Coverage of the 95% range: share of returns inside it, 0 to 1 */
  coverage_95: number;
  /** Mean width of the 80% ranges, log return */
  width_80: number;
  /** Mean width of the 95% ranges, log return */
  width_95: number;
  /** Mean interval score of the 80% ranges, log return; lower is better */
  score_80: number | null;
  /** Mean interval score of past-year 80% quantile ranges, log return; lower is better */
  score_80_trailing: number | null;
  /** Mean interval score of the 95% ranges, log return; lower is better */
  score_95: number | null;
  /** Mean interval score of past-year 95% quantile ranges, log return; lower is better */
  score_95_trailing: number | null;
};

export type Up = {
  /** Intercept of the Platt recalibration, log-odds */
  intercept: number;
  /** Slope of the Platt recalibration */
  slope: number;
};

export type RecalibratedMap = {
  /** Figures for the up outcome */
  up: Up;
  /** Figures for the flat outcome */
  flat: Up;
  /** Figures for the down outcome */
  down: Up;
};

export type Recalibrated = {
  /** Brier score, 0 to 2 (0 to 1 within `calibration`); lower is better */
  brier: number;
  /** Skill score against the best of base rates, persistence and uniform: 1 is perfect, 0 equals the baseline, below 0 is worse */
  skill: number | null;
  /** Mean negative log probability of the outcome; lower is better */
  log_score: number;
  map: RecalibratedMap;
};

export type Point = {
  /** Start, inclusive */
  from: number;
  /** End, inclusive */
  to: number;
  /** Mean forecast probability in the bin, 0 to 1 */
  forecast: number;
  /** Observed frequency in the bin, 0 to 1 */
  observed: number;
  /** Number of forecasts in the bin */
  count: number;
};

export type CalibrationUp = {
  /** Points of the reliability curve */
  points: Array<Point>;
  /** Brier score, 0 to 2 (0 to 1 within `calibration`); lower is better */
  brier: number;
  /** Miscalibration component of the Brier score; lower is better */
  miscalibration: number;
  /** Discrimination component of the Brier score; higher is better */
  discrimination: number;
  /** Uncertainty component of the Brier score */
  uncertainty: number;
};

export type Calibration = {
  /** Figures for the up outcome */
  up: CalibrationUp;
  /** Figures for the down outcome */
  down: CalibrationUp;
};

export type Asset = {
  symbol: 'BTC' | 'ETH' | 'SOL' | 'SUI' | 'XRP';
  /** Sample size */
  n: number;
  /** Share of correct calls, 0 to 1 */
  hit_rate: number;
  /** Brier score, 0 to 2 (0 to 1 within `calibration`); lower is better */
  brier: number;
  /** Brier score of the base-rate baseline */
  brier_climatology: number;
  /** Skill score against the best of base rates, persistence and uniform: 1 is perfect, 0 equals the baseline, below 0 is worse */
  skill: number | null;
  /** Mean negative log probability of the outcome; lower is better */
  log_score: number;
};

export type Contribution = {
  /** Sample size */
  n: number;
  /** Mean Brier score of the equal-weighted pool without this forecaster, minus that with the forecaster; above 0 is an improvement */
  gain: number;
};

export type ShortTerm = {
  market_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
  /** Highest of the three probabilities, percent */
  confidence: number;
  reasoning: string;
};

export type Tried = {
  /** Data source */
  source: string;
  grain: 'hourly closes' | 'daily closes' | 'collected values' | 'hourly values' | 'daily values' | 'analyses';
};

export type Fires = {
  /** Sample size */
  n: number;
  /** Mean, in the unit of the figure */
  mean: number | null;
  /** Lower bound, in the unit of the figure */
  low: number | null;
  /** Upper bound, in the unit of the figure */
  high: number | null;
};

export type After = {
  asset: string;
  /** Times at which the rule would have fired; within `after`, price changes in the 24 hours that followed */
  fires: Fires;
  all: Fires;
  verdict: 'higher' | 'lower' | 'no evidence';
};

export type Suggestion = {
  /** Fires per week */
  perWeek: number;
  /** Value in the unit of the metric */
  value: number;
};

export type BySymbol = {
  /** Number of graded calls */
  totalPredictions: number;
  /** Share of correct calls, percent; 100 or 0 for a single call */
  accuracy: number | null;
  /** Average rank correlation of p(up) − p(down) with the return, −1 to 1 */
  avgCorrelation: number | null;
};

export type Weight = {
  provider: string;
  model: string;
  /** Weight */
  weight: number;
};

export type Pool = {
  horizon: '24h' | '7d' | '28d' | '180d';
  /** Sample size */
  n: number;
  /** Number of distinct issue dates */
  dates: number;
  /** Brier score of the equal-weighted pool */
  brier_equal: number;
  /** Brier score of the pool weighted by past performance */
  brier_weighted: number;
  /** One-sided p-value for the weighted pool outperforming equal weights */
  p_better: number | null;
  /** Whether the consensus uses these weights */
  used: boolean;
  weights: Array<Weight>;
};

export type Headline = {
  provider: string;
  model: string;
  current: boolean;
  horizon: '24h' | '7d' | '28d' | '180d';
  verdict: 'ahead' | 'behind' | 'no evidence' | 'too few independent windows';
  /** Holm-adjusted one-sided p-value for outperforming every baseline */
  p_ahead: number | null;
  /** Holm-adjusted one-sided p-value for underperforming base rates */
  p_behind: number | null;
  /** Sample size */
  n: number;
  /** Number of distinct issue dates */
  dates: number;
  /** Effective sample size: issue dates with non-overlapping windows */
  n_eff: number;
  /** Number of calls that have not reached their horizon */
  pending: number;
  /** Number of void calls, which cannot be graded */
  voids: number;
  /** Void calls as a share of graded and void calls, 0 to 1 */
  void_rate: number | null;
  /** Number of scheduled calls that were not made */
  missing: number;
  /** Share of correct calls, 0 to 1 */
  hit_rate: number | null;
  hit_interval: Range80 | null;
  /** Brier score, 0 to 2 (0 to 1 within `calibration`); lower is better */
  brier: number | null;
  /** Brier score of the base-rate baseline */
  brier_climatology: number | null;
  /** Brier score of the persistence baseline, which repeats the last outcome */
  brier_persistence: number | null;
  /** Brier score of always forecasting up */
  brier_always_up: number | null;
  /** Brier score of the uniform baseline, one third each */
  brier_uniform: number | null;
  /** Skill score against the best of base rates, persistence and uniform: 1 is perfect, 0 equals the baseline, below 0 is worse */
  skill: number | null;
  /** Ranked probability score; lower is better */
  rps: number | null;
  /** Mean negative log probability of the outcome; lower is better */
  log_score: number | null;
  /** Rank correlation of p(up) − p(down) with the return, −1 to 1 */
  rank_correlation: number | null;
  /** Brier score minus that of the base-rate baseline; below 0 is better */
  difference: Difference | null;
  direction: Direction | null;
  ranges: Ranges | null;
  recalibrated: Recalibrated | null;
  calibration?: Calibration | null;
  assets?: Array<Asset>;
};

export type HorizonRecord = {
  /** Sample size */
  n: number;
  /** Coverage of the 80% range: share of returns inside it, 0 to 1 */
  coverage_80: number;
  /** Coverage of the 95% range: share of returns inside it, 0 to 1 */
  coverage_95: number;
};

export type GetMarketDataQuery = {
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
  /** Point in time, such as 2026-11-20T12:00:00Z. The response is rebuilt from the data stored by then. */
  asOf?: string;
};

export type GetBriefQuery = {
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
};

export type GetCryptoPricesQuery = {
  /** Number of rows per page */
  limit?: number;
  /** `nextCursor` of the previous page */
  cursor?: string;
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
  /** Point in time, such as 2026-11-20T12:00:00Z. The response is rebuilt from the data stored by then. */
  asOf?: string;
};

export type GetCryptoPricesByIdQuery = {
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
};

export type GetCandlesQuery = {
  /** Symbol such as `BTC`, or coin ID */
  symbol: string;
  /** Candle interval in minutes, or D, W or M for days, weeks (starting Monday) or months */
  interval?: '1' | '5' | '15' | '30' | '60' | '240' | 'D' | 'W' | 'M';
  /** Start of the time range, inclusive */
  from?: string;
  /** End of the time range, inclusive */
  to?: string;
  /** Number of rows per page */
  limit?: number;
  /** `nextCursor` of the previous page */
  cursor?: string;
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
};

export type GetSourcesQuery = {
  /** Number of rows per page */
  limit?: number;
  /** `nextCursor` of the previous page */
  cursor?: string;
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
};

export type GetAnalysisQuery = {
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
  /** Point in time, such as 2026-11-20T12:00:00Z. The response is rebuilt from the data stored by then. */
  asOf?: string;
};

export type GetPredictionsQuery = {
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
};

export type GetTrackRecordQuery = {
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
  /** Point in time, such as 2026-11-20T12:00:00Z. The response is rebuilt from the data stored by then. */
  asOf?: string;
};

export type GetTrackRecordCallsQuery = {
  /** Analyst ID */
  provider?: string;
  /** Symbol of one of the five tracked assets */
  asset?: 'BTC' | 'ETH' | 'SOL' | 'SUI' | 'XRP';
  /** Forecast horizon */
  horizon?: '24h' | '7d' | '28d' | '180d';
  /** Calls that are pending (`open`), `graded` or `void` */
  state?: 'open' | 'graded' | 'void';
  /** Number of rows per page */
  limit?: number;
  /** `nextCursor` of the previous page */
  cursor?: string;
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
};

export type GetTrackRecordReplayQuery = {
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
};

export type GetTrackRecordRangesQuery = {
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
};

export type GetCryptoPricesByIdRangesQuery = {
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
};

export type GetAnalyticsSummaryQuery = {
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
};

export type GetAnalyticsRiskQuery = {
  /** Number of days of history */
  days?: '30' | '90' | '365';
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
};

export type GetAnalyticsCorrelationQuery = {
  /** Number of days of history */
  days?: '30' | '90' | '365';
  /** Number of assets, 5 or 20 */
  assets?: '5' | '20';
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
};

export type GetLeagueQuery = {
  /** Forecast horizon */
  horizon?: '24h' | '7d' | '28d' | '180d';
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
};

export type GetLeagueByNameQuery = {
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
};

export type GetEventsQuery = {
  /** Number of rows per page */
  limit?: number;
  /** `nextCursor` of the previous page */
  cursor?: string;
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
};

export type GetInflationQuery = {
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
  /** Point in time, such as 2026-11-20T12:00:00Z. The response is rebuilt from the data stored by then. */
  asOf?: string;
};

export type GetInflationReleasesQuery = {
  /** Number of rows per page */
  limit?: number;
  /** `nextCursor` of the previous page */
  cursor?: string;
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
  /** Point in time, such as 2026-11-20T12:00:00Z. The response is rebuilt from the data stored by then. */
  asOf?: string;
  /** Number of days of history */
  days?: string;
};

export type GetInflationForecastsQuery = {
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
  /** Point in time, such as 2026-11-20T12:00:00Z. The response is rebuilt from the data stored by then. */
  asOf?: string;
};

export type GetInflationExpectationsQuery = {
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
  /** Point in time, such as 2026-11-20T12:00:00Z. The response is rebuilt from the data stored by then. */
  asOf?: string;
};

export type GetInflationSentimentQuery = {
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
  /** Point in time, such as 2026-11-20T12:00:00Z. The response is rebuilt from the data stored by then. */
  asOf?: string;
};

export type GetAlertsQuery = {
  /** Number of rows per page */
  limit?: number;
  /** `nextCursor` of the previous page */
  cursor?: string;
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
};

export type GetThresholdsQuery = {
  /** Number of rows per page */
  limit?: number;
  /** `nextCursor` of the previous page */
  cursor?: string;
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
};

export type GetHistoryByTypeQuery = {
  /** Symbol such as `BTC`, or coin ID */
  symbol?: string;
  /** Start of the time range, inclusive */
  from?: string;
  /** End of the time range, inclusive */
  to?: string;
  /** `nextCursor` of the previous page */
  cursor?: string;
  /** Number of rows per page */
  limit?: number;
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
};

export type GetAccountQuery = {
  /** Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included. */
  fields?: string;
};

export type GetStreamQuery = {
  /** Comma-separated topics: prices, market, record, inflation, events, alerts */
  topics?: string;
};

export class MeridianClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Sends any request. @throws ApiRefusal for every error response */
  async ask(method: string, path: string, { query = {}, body, accept = 'application/json' }: Asked): Promise<Response> {
    const { baseUrl, apiKey, fetch: own = fetch, onResponse } = this.#options;
    const url = new URL(path, baseUrl);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const response = await own(url, {
      method,
      headers: { accept, 'x-api-key': apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    onResponse?.(response);
    if (response.ok) return response;
    const after = response.headers.get('retry-after');
    throw new ApiRefusal(response.status, (await response.json()) as ApiError, after === null ? null : Number(after));
  }

  /** Market overview. Market totals, metrics (dominance, stablecoins, exchange flows, fear and greed, altcoin season, derivatives, on-chain), major Layer 1 chains, trending narratives and data source status. Amounts are in USD; changes and shares are in percent. `meta` gives the source and age of each figure, or the reason it is null. Requires the `market` scope. Available from Pro. */
  async getMarketData<const Q extends GetMarketDataQuery>(query?: Q): Promise<Chosen<Q, MarketDataReply>> {
    return (await this.ask('GET', '/api/v1/market-data', { query })).json() as Promise<Chosen<Q, MarketDataReply>>;
  }

  /** The market in five lines. Market, coins, positioning, outlook and calendar, composed from stored figures only. Each clause has the source and age of its figure in `meta`, and `href`, the page that shows more, relative to this server. `missing` gives the reason a line is empty. Requires the `market` scope. Available from Pro. */
  async getBrief<const Q extends GetBriefQuery>(query?: Q): Promise<Chosen<Q, BriefReply>> {
    return (await this.ask('GET', '/api/v1/brief', { query })).json() as Promise<Chosen<Q, BriefReply>>;
  }

  /** Prices of all coins. BTC, ETH, SOL, SUI and XRP first, then all coins by market cap. Prices, volumes and market caps are in USD, changes in percent. `meta` is the source and age of the price; `listing` is that of volume, market cap and the other figures. Requires the `market` scope. Available from Pro. */
  async getCryptoPrices<const Q extends GetCryptoPricesQuery>(query?: Q): Promise<Chosen<Q, CryptoPricesReply>> {
    return (await this.ask('GET', '/api/v1/crypto-prices', { query })).json() as Promise<Chosen<Q, CryptoPricesReply>>;
  }
  /** Prices of all coins, as CSV. */
  async getCryptoPricesCsv(query: GetCryptoPricesQuery = {}): Promise<string> {
    return (await this.ask('GET', '/api/v1/crypto-prices', { ...{ query }, accept: 'text/csv' })).text();
  }

  /** Price of a coin, with quotes from every source. The price, the latest quote from each source and seven days of closing prices. `id` is the coin ID from the price list, such as `bitcoin`. Requires the `market` scope. Available from Pro. */
  async getCryptoPricesById<const Q extends GetCryptoPricesByIdQuery>(
    id: string,
    query?: Q,
  ): Promise<Chosen<Q, CryptoPricesByIdReply>> {
    return (await this.ask('GET', `/api/v1/crypto-prices/${encodeURIComponent(id)}`, { query })).json() as Promise<
      Chosen<Q, CryptoPricesByIdReply>
    >;
  }

  /** OHLCV candles of a coin. Open, high, low, close and volume in USD at intervals of minutes (1, 5, 15, 30, 60, 240), days (D), weeks (W) or months (M) in UTC, oldest first. Missing candles are listed in `gaps` and never filled. `symbol` is a symbol or a coin ID. Requires the `market` scope. Available from Pro. */
  async getCandles<const Q extends GetCandlesQuery>(query: Q): Promise<Chosen<Q, CandlesReply>> {
    return (await this.ask('GET', '/api/v1/candles', { query })).json() as Promise<Chosen<Q, CandlesReply>>;
  }
  /** OHLCV candles of a coin, as CSV. */
  async getCandlesCsv(query: GetCandlesQuery): Promise<string> {
    return (await this.ask('GET', '/api/v1/candles', { ...{ query }, accept: 'text/csv' })).text();
  }

  /** Data sources and their status. License, attribution and state of every data source, with the success rate (percent) and median latency (ms) of our requests. Requires the `market` scope. Available from Pro. */
  async getSources<const Q extends GetSourcesQuery>(query?: Q): Promise<Chosen<Q, SourcesReply>> {
    return (await this.ask('GET', '/api/v1/sources', { query })).json() as Promise<Chosen<Q, SourcesReply>>;
  }
  /** Data sources and their status, as CSV. */
  async getSourcesCsv(query: GetSourcesQuery = {}): Promise<string> {
    return (await this.ask('GET', '/api/v1/sources', { ...{ query }, accept: 'text/csv' })).text();
  }

  /** Latest AI analysis with each analyst’s opinion. Direction, probabilities and reasoning for 1, 7, 28 and 180 days, for the consensus and for each analyst. Confidence is in percent, probabilities are 0 to 1. `missing` lists analysts without an opinion and the reason. Requires the `analysis` scope. Available from Pro. */
  async getAnalysis<const Q extends GetAnalysisQuery>(query?: Q): Promise<Chosen<Q, AnalysisReply>> {
    return (await this.ask('GET', '/api/v1/analysis', { query })).json() as Promise<Chosen<Q, AnalysisReply>>;
  }

  /** Latest predictions in brief. Direction, confidence in percent and reasoning for the short, medium and long term (7, 28 and 180 days). Null before the first analysis. `preparing` is the progress of generating the demo history. Requires the `analysis` scope. Available from Pro. */
  async getPredictions<const Q extends GetPredictionsQuery>(query?: Q): Promise<Chosen<Q, PredictionsReply>> {
    return (await this.ask('GET', '/api/v1/predictions', { query })).json() as Promise<Chosen<Q, PredictionsReply>>;
  }

  /** Track record of predictions. Summary of all graded calls: accuracy in percent and rank correlations from −1 to 1. For each analyst and horizon: sample size, confidence intervals, Brier score, skill against the best baseline and a verdict. Requires the `analysis` scope. Available from Pro. */
  async getTrackRecord<const Q extends GetTrackRecordQuery>(query?: Q): Promise<Chosen<Q, TrackRecordReply>> {
    return (await this.ask('GET', '/api/v1/track-record', { query })).json() as Promise<Chosen<Q, TrackRecordReply>>;
  }

  /** Prediction calls as issued, with outcomes. Newest first, with probabilities and price at issue and the outcome. `seq` is the entry number in the public ledger. Requires the `analysis` scope. Available from Pro. */
  async getTrackRecordCalls<const Q extends GetTrackRecordCallsQuery>(
    query?: Q,
  ): Promise<Chosen<Q, TrackRecordCallsReply>> {
    return (await this.ask('GET', '/api/v1/track-record/calls', { query })).json() as Promise<
      Chosen<Q, TrackRecordCallsReply>
    >;
  }
  /** Prediction calls as issued, with outcomes, as CSV. */
  async getTrackRecordCallsCsv(query: GetTrackRecordCallsQuery = {}): Promise<string> {
    return (await this.ask('GET', '/api/v1/track-record/calls', { ...{ query }, accept: 'text/csv' })).text();
  }

  /** Replay of the built-in analyst on past prices. Forecasts that the built-in analyst would have issued on past days, graded at daily closes with the same scoring as the live record. Never part of the live record. Null until the price history has loaded, and in demo mode, where prices are simulated. Requires the `analysis` scope. Available from Pro. */
  async getTrackRecordReplay<const Q extends GetTrackRecordReplayQuery>(
    query?: Q,
  ): Promise<Chosen<Q, TrackRecordReplayReply>> {
    return (await this.ask('GET', '/api/v1/track-record/replay', { query })).json() as Promise<
      Chosen<Q, TrackRecordReplayReply>
    >;
  }

  /** Coverage of daily price ranges across all coins. Covers all coins except BTC, ETH, SOL, SUI and XRP, whose ranges are graded with their calls. `coins` is the number of coins with a current range. `record` covers live ranges issued within one hour of the start of their horizon; `replay` covers the same method applied to past days. Requires the `analysis` scope. Available from Pro. */
  async getTrackRecordRanges<const Q extends GetTrackRecordRangesQuery>(
    query?: Q,
  ): Promise<Chosen<Q, TrackRecordRangesReply>> {
    return (await this.ask('GET', '/api/v1/track-record/ranges', { query })).json() as Promise<
      Chosen<Q, TrackRecordRangesReply>
    >;
  }

  /** Price ranges of a coin, with historical coverage. The built-in analyst’s 80% and 95% ranges, in USD, for the price after 1, 7 and 28 days. Ranges are updated daily at 00:00 UTC; for BTC, ETH, SOL, SUI and XRP, with each analysis. `record` covers live ranges issued within one hour of the start of their horizon; `replay` covers the same method applied to past days. Empty for stablecoins and coins with too little history. `id` is the coin ID from the price list, such as `bitcoin`. Requires the `analysis` scope. Available from Pro. */
  async getCryptoPricesByIdRanges<const Q extends GetCryptoPricesByIdRangesQuery>(
    id: string,
    query?: Q,
  ): Promise<Chosen<Q, CryptoPricesByIdRangesReply>> {
    return (
      await this.ask('GET', `/api/v1/crypto-prices/${encodeURIComponent(id)}/ranges`, { query })
    ).json() as Promise<Chosen<Q, CryptoPricesByIdRangesReply>>;
  }

  /** Volume, volatility and trend of the tracked assets. Volume is in USD; volatility, change and dominance are in percent. Requires Premium+. Requires the `analysis` scope. Available from Premium+. */
  async getAnalyticsSummary<const Q extends GetAnalyticsSummaryQuery>(
    query?: Q,
  ): Promise<Chosen<Q, AnalyticsSummaryReply>> {
    return (await this.ask('GET', '/api/v1/analytics/summary', { query })).json() as Promise<
      Chosen<Q, AnalyticsSummaryReply>
    >;
  }

  /** Risk metrics of the tracked assets. Annualized volatility and maximum drawdown in percent, Sharpe and Sortino ratios, and beta to BTC, from 30, 90 or 365 daily closes. Requires Premium+. Requires the `analysis` scope. Available from Premium+. */
  async getAnalyticsRisk<const Q extends GetAnalyticsRiskQuery>(query?: Q): Promise<Chosen<Q, AnalyticsRiskReply>> {
    return (await this.ask('GET', '/api/v1/analytics/risk', { query })).json() as Promise<
      Chosen<Q, AnalyticsRiskReply>
    >;
  }

  /** Correlation matrix of assets. Pearson correlations of daily log returns, −1 to 1, by row: `pairs[i][j]` refers to `assets[i]` and `assets[j]`. Pairs with too little shared history use a stated default. Requires Premium+. Requires the `analysis` scope. Available from Premium+. */
  async getAnalyticsCorrelation<const Q extends GetAnalyticsCorrelationQuery>(
    query?: Q,
  ): Promise<Chosen<Q, AnalyticsCorrelationReply>> {
    return (await this.ask('GET', '/api/v1/analytics/correlation', { query })).json() as Promise<
      Chosen<Q, AnalyticsCorrelationReply>
    >;
  }

  /** Open league standings. The top 100 forecasters at one `horizon` (default 24h). Forecasters ahead of every baseline rank first, then by skill (with at least 60 independent dates), then by number of dates. `cell` is null before the first graded forecast. `contribution` is the forecaster’s effect on the Brier score of the equal-weighted pool. Requires the `analysis` scope. Available from Pro. */
  async getLeague<const Q extends GetLeagueQuery>(query?: Q): Promise<Chosen<Q, LeagueReply>> {
    return (await this.ask('GET', '/api/v1/league', { query })).json() as Promise<Chosen<Q, LeagueReply>>;
  }
  /** Open league standings, as CSV. */
  async getLeagueCsv(query: GetLeagueQuery = {}): Promise<string> {
    return (await this.ask('GET', '/api/v1/league', { ...{ query }, accept: 'text/csv' })).text();
  }

  /** Forecaster in the open league. Scores at every horizon. `track` is the `provider` of the forecaster’s calls in the track record. Requires the `analysis` scope. Available from Pro. */
  async getLeagueByName<const Q extends GetLeagueByNameQuery>(
    name: string,
    query?: Q,
  ): Promise<Chosen<Q, LeagueByNameReply>> {
    return (await this.ask('GET', `/api/v1/league/${encodeURIComponent(name)}`, { query })).json() as Promise<
      Chosen<Q, LeagueByNameReply>
    >;
  }

  /** Submit forecasts to the open league. Up to 20 forecasts for BTC, ETH, SOL, SUI and XRP at 24h, 7d, 28d or 180d: three probabilities that sum to 1, and optionally the 80% and 95% ranges in USD. `flat` is a log return within ±0.43 times the 30-day volatility scaled to the horizon. All forecasts of a request are accepted or none. They are recorded in the public ledger at the price on receipt, one per asset, horizon and UTC day, and cannot be changed or withdrawn. `forecaster` is your public name; the first submission claims it for your account. Requires the `forecasts:write` scope. Available from Pro. */
  async postForecasts(body: ForecastsInput): Promise<ForecastsReply> {
    return (await this.ask('POST', '/api/v1/forecasts', { body })).json() as Promise<ForecastsReply>;
  }

  /** Upcoming events and those of the last 7 days. Data releases, central bank meetings, option expiries and crypto events with source, impact and the reason for the impact rating. Upcoming events come first, soonest first. Times are in UTC. `upcomingCounts` is the number of upcoming events by impact. Requires the `calendar` scope. Available from Pro. */
  async getEvents<const Q extends GetEventsQuery>(query?: Q): Promise<Chosen<Q, EventsReply>> {
    return (await this.ask('GET', '/api/v1/events', { query })).json() as Promise<Chosen<Q, EventsReply>>;
  }
  /** Upcoming events and those of the last 7 days, as CSV. */
  async getEventsCsv(query: GetEventsQuery = {}): Promise<string> {
    return (await this.ask('GET', '/api/v1/events', { ...{ query }, accept: 'text/csv' })).text();
  }

  /** CPI, PCE and PPI. Latest official data: index levels, month-over-month and year-over-year changes in percent, expectations, 24 months of history and upcoming releases. Requires the `calendar` scope. Available from Pro. */
  async getInflation<const Q extends GetInflationQuery>(query?: Q): Promise<Chosen<Q, InflationReply>> {
    return (await this.ask('GET', '/api/v1/inflation', { query })).json() as Promise<Chosen<Q, InflationReply>>;
  }

  /** Inflation releases. Releases of the last `days` days, newest first, and the next scheduled releases. Requires the `calendar` scope. Available from Pro. */
  async getInflationReleases<const Q extends GetInflationReleasesQuery>(
    query?: Q,
  ): Promise<Chosen<Q, InflationReleasesReply>> {
    return (await this.ask('GET', '/api/v1/inflation/releases', { query })).json() as Promise<
      Chosen<Q, InflationReleasesReply>
    >;
  }
  /** Inflation releases, as CSV. */
  async getInflationReleasesCsv(query: GetInflationReleasesQuery = {}): Promise<string> {
    return (await this.ask('GET', '/api/v1/inflation/releases', { ...{ query }, accept: 'text/csv' })).text();
  }

  /** Forecasts of the next CPI and PCE releases. Month-over-month forecasts in percent by forecaster, frozen before the release, with past accuracy compared with consensus, nowcast and last value. Requires the `calendar` scope. Available from Pro. */
  async getInflationForecasts<const Q extends GetInflationForecastsQuery>(
    query?: Q,
  ): Promise<Chosen<Q, InflationForecastsReply>> {
    return (await this.ask('GET', '/api/v1/inflation/forecasts', { query })).json() as Promise<
      Chosen<Q, InflationForecastsReply>
    >;
  }

  /** Expectations for the latest releases. Consensus, nowcast and actual in percent per month (year over year for `yoy`), and `surprise` in percentage points. Requires the `calendar` scope. Available from Pro. */
  async getInflationExpectations<const Q extends GetInflationExpectationsQuery>(
    query?: Q,
  ): Promise<Chosen<Q, InflationExpectationsReply>> {
    return (await this.ask('GET', '/api/v1/inflation/expectations', { query })).json() as Promise<
      Chosen<Q, InflationExpectationsReply>
    >;
  }

  /** Inflation sentiment. Market implications of the latest inflation data on a seven-step scale, with the score and its components. Requires the `calendar` scope. Available from Pro. */
  async getInflationSentiment<const Q extends GetInflationSentimentQuery>(
    query?: Q,
  ): Promise<Chosen<Q, InflationSentimentReply>> {
    return (await this.ask('GET', '/api/v1/inflation/sentiment', { query })).json() as Promise<
      Chosen<Q, InflationSentimentReply>
    >;
  }

  /** Raised alerts. Market alerts and alerts from your own rules, newest first. `value` is in the unit of the metric. `receipt` has the timestamps from source to delivery. Requires the `alerts` scope. Available from Pro. */
  async getAlerts<const Q extends GetAlertsQuery>(query?: Q): Promise<Chosen<Q, AlertsReply>> {
    return (await this.ask('GET', '/api/v1/alerts', { query })).json() as Promise<Chosen<Q, AlertsReply>>;
  }
  /** Raised alerts, as CSV. */
  async getAlertsCsv(query: GetAlertsQuery = {}): Promise<string> {
    return (await this.ask('GET', '/api/v1/alerts', { ...{ query }, accept: 'text/csv' })).text();
  }

  /** Your alert rules. Each rule with its state, the current value of its metric and, if paused, the reason. Requires the `alerts` scope. Available from Pro. */
  async getThresholds<const Q extends GetThresholdsQuery>(query?: Q): Promise<Chosen<Q, ThresholdsReply>> {
    return (await this.ask('GET', '/api/v1/thresholds', { query })).json() as Promise<Chosen<Q, ThresholdsReply>>;
  }
  /** Your alert rules, as CSV. */
  async getThresholdsCsv(query: GetThresholdsQuery = {}): Promise<string> {
    return (await this.ask('GET', '/api/v1/thresholds', { ...{ query }, accept: 'text/csv' })).text();
  }

  /** Create an alert rule. The rule is active at once and notifies you through the channels enabled in your profile. Validation is the same as on the alerts page. Requires the `alerts:write` scope. Available from Pro. */
  async postThresholds(body: ThresholdInput): Promise<Threshold> {
    return (await this.ask('POST', '/api/v1/thresholds', { body })).json() as Promise<Threshold>;
  }

  /** Backtest an alert rule. Backtests the rule on up to 90 days of stored values: when it would have fired, how many times per week and how the price moved afterwards. Nothing is saved. Requires the `alerts` scope. Available from Pro. */
  async postThresholdsPreview(body: ThresholdInput): Promise<ThresholdsPreviewReply> {
    return (await this.ask('POST', '/api/v1/thresholds/preview', { body })).json() as Promise<ThresholdsPreviewReply>;
  }

  /** Historical values. Newest first: value with unit, source and method, and the change from the previous value of the same symbol. `from` and `to` are inclusive. `limitedToDays` is the history available on the plan; null if unlimited. Requires the `market` scope. Available from Pro. */
  async getHistoryByType<const Q extends GetHistoryByTypeQuery>(
    type:
      | 'EQUITY_INDEX'
      | 'CRYPTO_PRICE'
      | 'DXY'
      | 'TREASURY_YIELD'
      | 'VOLATILITY_INDEX'
      | 'ENERGY_PRICE'
      | 'TOTAL_MARKET_CAP'
      | 'ALTCOIN_SEASON'
      | 'DERIVATIVES'
      | 'ONCHAIN'
      | 'SEASON_INDICATOR',
    query?: Q,
  ): Promise<Chosen<Q, HistoryByTypeReply>> {
    return (await this.ask('GET', `/api/v1/history/${encodeURIComponent(type)}`, { query })).json() as Promise<
      Chosen<Q, HistoryByTypeReply>
    >;
  }
  /** Historical values, as CSV. */
  async getHistoryByTypeCsv(
    type:
      | 'EQUITY_INDEX'
      | 'CRYPTO_PRICE'
      | 'DXY'
      | 'TREASURY_YIELD'
      | 'VOLATILITY_INDEX'
      | 'ENERGY_PRICE'
      | 'TOTAL_MARKET_CAP'
      | 'ALTCOIN_SEASON'
      | 'DERIVATIVES'
      | 'ONCHAIN'
      | 'SEASON_INDICATOR',
    query: GetHistoryByTypeQuery = {},
  ): Promise<string> {
    return (
      await this.ask('GET', `/api/v1/history/${encodeURIComponent(type)}`, { ...{ query }, accept: 'text/csv' })
    ).text();
  }

  /** Plan and scopes of the API key. The account’s plan and the scopes of the key. The RateLimit header of every response gives the calls remaining. Requires the `market` scope. Available from Pro. */
  async getAccount<const Q extends GetAccountQuery>(query?: Q): Promise<Chosen<Q, AccountReply>> {
    return (await this.ask('GET', '/api/v1/account', { query })).json() as Promise<Chosen<Q, AccountReply>>;
  }

  /** Live updates. Server-sent events for the topics in `topics`; all public topics by default. Each connection counts as one call and closes after 15 minutes; reconnect with Last-Event-ID to resume. Requires the `market` scope, and the `alerts` scope for the `alerts` topic. Available from Pro. */
  async getStream(query: GetStreamQuery = {}): Promise<Response> {
    return this.ask('GET', '/api/v1/stream', { ...{ query }, accept: 'text/event-stream' });
  }
}
