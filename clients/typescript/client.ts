// Made from the OpenAPI document by `npm run docs`: changes by hand are lost.

/** What is left of an answer when fields were chosen. */
type Part<T> =
  T extends Array<infer Item> ? Array<Part<Item>> : T extends object ? { [Key in keyof T]?: Part<T[Key]> } : T;
type Chosen<Q, T> = Q extends { fields: string } ? Part<T> : T;
type Asked = { query?: object | undefined; body?: unknown; accept?: string };

export type ClientOptions = {
  /** Where the product is, such as https://meridian.example */
  baseUrl: string;
  /** mk_live_… */
  apiKey: string;
  fetch?: typeof fetch;
  /** Sees every answer: RateLimit, ETag and Link are headers. */
  onResponse?: (response: Response) => void;
};

/** A refusal, in the words and with the code of the API. */
export class ApiRefusal extends Error {
  readonly status: number;
  readonly code: ApiError['code'];
  /** Seconds until it may be tried again; null when that is not said. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, { error, code }: ApiError, retryAfterSeconds: number | null) {
    super(error);
    this.name = 'ApiRefusal';
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Every page of a list, one after the other. */
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
    probabilities: {
      /** Probability of rising, 0 to 1 */
      up: number;
      /** Probability of staying, 0 to 1 */
      flat: number;
      /** Probability of falling, 0 to 1 */
      down: number;
    };
    /** USD, 80% range of the price at the end of the horizon */
    range_80?: {
      /** The lower end, in the unit of the figure */
      low: number;
      /** The upper end, in the unit of the figure */
      high: number;
    };
    /** USD, 95% range of the price at the end of the horizon */
    range_95?: {
      /** The lower end, in the unit of the figure */
      low: number;
      /** The upper end, in the unit of the figure */
      high: number;
    };
  }>;
};

export type Schedule = {
  /** Days that went in */
  days: Array<number>;
  /** From here, included */
  from: string;
  /** To here, included */
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
  /** In the unit of the metric */
  value: number | 'BEARISH' | 'NEUTRAL' | 'BULLISH';
};

export type Alert = {
  /** Its number or name */
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
  /** In the unit of the metric */
  value: number | null;
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  eventDate: string | null;
  /** The event it tells of */
  eventId: number | null;
  /** The rule of one’s own that raised it */
  thresholdId: number | null;
  receipt: Receipt;
  /** Source and age of the figures beside it; of one that is null the reason */
  meta: {
    /** Who gave it */
    source: string;
    /** The moment the source names */
    observedAt: string;
    /** When we had it */
    fetchedAt: string;
    /** How the number came to be: measured, computed, a stated default, or the demo’s */
    method: 'measured' | 'computed' | 'default' | 'demo';
  };
  acknowledged: boolean;
};

export type AdvancedMetrics = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  /** Percent of the whole market */
  bitcoinDominance: {
    /** In the unit of the metric */
    value: number | null;
    /** Change over 24 h, percent */
    change_24h: number | null;
    /** Source and age of the figures beside it; of one that is null the reason */
    meta: Record<string, FigureMeta>;
  };
  stablecoinMetrics: {
    /** USD */
    totalMarketCap: number | null;
    /** Change over 24 h, percent */
    change_24h: number | null;
    /** BTC market cap ÷ supply of USD-pegged coins, a ratio */
    ssr: number | null;
    /** Source and age of the figures beside it; of one that is null the reason */
    meta: Record<string, FigureMeta>;
  };
  exchangeFlows: {
    btc: {
      /** Inflow less outflow over 24 h, BTC or ETH */
      netFlow: number | null;
      /** To exchanges over 24 h, BTC or ETH */
      inflow: number | null;
      /** From exchanges over 24 h, BTC or ETH */
      outflow: number | null;
      /** Source and age of the figures beside it; of one that is null the reason */
      meta: Record<string, FigureMeta>;
    };
    eth: {
      /** Inflow less outflow over 24 h, BTC or ETH */
      netFlow: number | null;
      /** To exchanges over 24 h, BTC or ETH */
      inflow: number | null;
      /** From exchanges over 24 h, BTC or ETH */
      outflow: number | null;
      /** Source and age of the figures beside it; of one that is null the reason */
      meta: Record<string, FigureMeta>;
    };
  };
  marketSentiment: {
    /** The score; of fear and greed 0 to 100 */
    score: number | null;
    interpretation: string | null;
    /** Source and age of the figures beside it; of one that is null the reason */
    meta: Record<string, FigureMeta>;
  };
  /** USD */
  totalMarketCap: {
    /** In the unit of the metric */
    value: number | null;
    /** Change over 24 h, percent */
    change_24h: number | null;
    /** Source and age of the figures beside it; of one that is null the reason */
    meta: Record<string, FigureMeta>;
  };
  altcoinSeason: {
    /** Percent of the top 50 that beat BTC over 90 days */
    indicator: number | null;
    season: 'Bitcoin season' | 'Neutral' | 'Altcoin season' | null;
    /** Source and age of the figures beside it; of one that is null the reason */
    meta: Record<string, FigureMeta>;
  };
  derivatives: Derivatives;
  onchain: Onchain;
  /** Daily values of the last 30 days by metric, oldest first, in the unit of the metric */
  history: Record<string, Array<number>>;
};

export type AiAnalysis = {
  /** Its number or name */
  id: string;
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  market_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
  overall_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
  /** Percent */
  overall_confidence: number;
  overall_reasoning: string;
  /** Percent: 100 times the largest probability */
  confidence: number;
  time_horizon: 'all';
  reasoning: string;
  check_point: Term;
  short_term: Term;
  medium_term: Term;
  long_term: Term;
  /** Mean distance of the leans over all pairs of analysts, 0 to 2 */
  dispersion: Record<'24h' | '7d' | '28d' | '180d', number | null>;
  providers: Record<string, ProviderOpinion>;
  /** Questions that got no answer */
  missing: Array<MissingProvider>;
  ranges: Array<{
    provider: string;
    crypto_symbol: 'BTC' | 'ETH' | 'SOL' | 'SUI' | 'XRP';
    horizon: '24h' | '7d' | '28d' | '180d';
    /** When it was frozen */
    issued_at: string;
    /** USD */
    price: number;
    /** USD, 80% range of the price at the end of the horizon */
    range_80: {
      /** The lower end, in the unit of the figure */
      low: number;
      /** The upper end, in the unit of the figure */
      high: number;
    };
    /** USD, 95% range of the price at the end of the horizon */
    range_95: {
      /** The lower end, in the unit of the figure */
      low: number;
      /** The upper end, in the unit of the figure */
      high: number;
    };
  }>;
  unanswered_at: string | null;
  /** Source and age of the figures beside it; of one that is null the reason */
  meta: Provenance;
};

export type AnalyticsSummary = {
  /** Over 24 h, USD */
  totalVolume: number | null;
  /** Percent; of narratives annualised, 1 = 100 % */
  volatility: number | null;
  /** (Average change − 0.02) ÷ volatility, a ratio */
  riskAdjustedReturn: number | null;
  /** Mean change over 24 h, percent */
  avgChange: number | null;
  /** Percent of the whole market */
  bitcoinDominance: number | null;
  /** Assets that went in */
  assetCount: number;
  trend: 'Bullish' | 'Bearish' | null;
  volatilityLevel: 'High' | 'Medium' | 'Low' | null;
  /** Source and age of the figures beside it; of one that is null the reason */
  meta: Record<string, FigureMeta>;
};

export type ApiError = {
  /** Prediction less first print, percentage points */
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
  /** Calls that were counted */
  calls: number;
  /** Percent of our calls that were answered; of directions a rate 0 to 1 */
  success_rate: number | null;
  /** Median, milliseconds */
  latency_ms: number | null;
};

export type Candle = {
  at: string;
  /** USD, at the beginning */
  open: number;
  /** USD, the highest */
  high: number;
  /** USD, the lowest */
  low: number;
  /** USD, at the end */
  close: number;
  /** USD */
  volume: number | null;
};

export type Chain = {
  /** USD */
  price: number | null;
  /** Change over 24 h, percent */
  change_24h: number | null;
  /** USD */
  market_cap: number | null;
  /** Percent of the caps of these chains */
  dominance: number | null;
  /** USD over 24 h */
  volume_24h: number | null;
  /** Transactions per second */
  tps: number | null;
  /** Addresses a day */
  active_addresses: number | null;
  /** Its number or name */
  id: string;
  symbol: string;
  name: string;
  narrative: string;
  /** Source and age of the figures beside it; of one that is null the reason */
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
  /** Index level */
  cpi: number | null;
  /** Percent a month, adjusted */
  cpiMoM: number | null;
  /** Percent a year */
  cpiYoY: number | null;
  /** Index level without food and energy */
  coreCPI: number | null;
  /** Percent a month, adjusted */
  coreCPIMoM: number | null;
  /** Percent a year */
  coreCPIYoY: number | null;
  date: string | null;
  period: string | null;
  basis: Record<string, 'SA'>;
  gaps: Record<
    string,
    {
      /** Percent per year, of the newest month that has a yearly rate */
      newestYoY: number | null;
      /** Percent per year over two years */
      twoYearRate: number | null;
      newestPeriod: string | null;
      /** Source and age of the figures beside it; of one that is null the reason */
      meta: Record<string, FigureMeta>;
    }
  >;
  /** Source and age of the figures beside it; of one that is null the reason */
  meta: Record<string, FigureMeta>;
};

export type CryptoPrice = {
  /** Its number or name */
  id: string;
  symbol: string;
  name: string;
  /** By market cap */
  rank: number | null;
  /** USD */
  price: number;
  /** Change over 24 h, percent */
  change_24h: number | null;
  /** Change over 7 days, percent */
  change_7d: number | null;
  /** Lowest of 24 h, USD */
  low_24h: number | null;
  /** Highest of 24 h, USD */
  high_24h: number | null;
  /** USD over 24 h */
  volume_24h: number | null;
  /** USD */
  market_cap: number | null;
  /** Source and age of the figures beside it; of one that is null the reason */
  meta: Provenance;
  /** Source and age of volume, market cap and the other figures of the row */
  listing: Provenance;
  /** Source and age of what was rebuilt from candles, or why it is not known */
  rebuilt?: {
    /** Change over 7 days, percent */
    change_7d: FigureMeta;
    range_24h: FigureMeta;
    /** USD over 24 h */
    volume_24h?: FigureMeta;
  };
};

export type Derivatives = {
  openInterest: {
    /** In the unit of the metric */
    value: number | null;
    metadata: {
      /** BTC, USD */
      btc_oi: number | null;
      /** ETH, USD */
      eth_oi: number | null;
      /** Source and age of the figures beside it; of one that is null the reason */
      meta: Record<string, FigureMeta>;
    };
    /** Source and age of the figures beside it; of one that is null the reason */
    meta: Record<string, FigureMeta>;
  };
  fundingRate: {
    /** In the unit of the metric */
    value: number | null;
    metadata: {
      /** BTC, percent per 8 h */
      btc_funding: number | null;
      /** ETH, percent per 8 h */
      eth_funding: number | null;
      /** Source and age of the figures beside it; of one that is null the reason */
      meta: Record<string, FigureMeta>;
    };
    /** Source and age of the figures beside it; of one that is null the reason */
    meta: Record<string, FigureMeta>;
  };
  liquidations: {
    /** In the unit of the metric */
    value: number | null;
    metadata: {
      /** Of longs over 24 h, USD */
      long_liquidations: number | null;
      /** Of shorts over 24 h, USD */
      short_liquidations: number | null;
      /** Source and age of the figures beside it; of one that is null the reason */
      meta: Record<string, FigureMeta>;
    };
    /** Source and age of the figures beside it; of one that is null the reason */
    meta: Record<string, FigureMeta>;
  };
};

export type Event = {
  /** Its number or name */
  id: number;
  title: string | null;
  category: 'fed' | 'monetary_policy' | 'crypto' | 'inflation' | 'regulation' | 'earnings' | 'employment' | 'other';
  impact: 'high' | 'medium' | 'low';
  date: string;
  allDay: boolean;
  dateEstimated: boolean;
  /** Who gave it */
  source: string | null;
  /** Whole UTC days from today; negative when past */
  daysUntil: number;
  timeRemaining?: string;
  description: string | null;
  kind: string | null;
  status: 'upcoming' | 'past';
  ignored: boolean;
  sourceUrl: string | null;
  checkedAt: string;
  interval: {
    /** From here, included */
    from: string;
    /** To here, included */
    to: string;
  } | null;
  otherTimes: Array<OtherTime>;
  figures: ReleaseFigures | null;
  why: string;
  notified: boolean;
};

export type Expectation = {
  /** What people expected, percent */
  consensus: number | null;
  /** What the model of the Cleveland Fed said, percent */
  nowcast: number | null;
  /** The release before, percent */
  previous: number | null;
  /** What came: percent, as published first */
  actual: number | null;
  /** Actual less expected, percentage points */
  surprise: number | null;
  /** Source and age of the figures beside it; of one that is null the reason */
  meta: Record<string, FigureMeta>;
};

export type Expectations = {
  cpi: {
    headline: Expectation;
    /** Without food and energy, percent a month */
    core: Expectation;
  };
  pce: {
    headline: Expectation;
    /** Without food and energy, percent a month */
    core: Expectation;
  };
  ppi: {
    headline: Expectation;
    /** Without food and energy, percent a month */
    core: Expectation;
    /** Percent a year */
    yoy: Expectation;
  };
};

export type FigureMeta = FigureOrigin | FigureMissing;

export type FigureMissing = {
  metric: string;
  reason: string;
};

export type FigureOrigin = {
  /** Who gave it */
  source: string;
  /** The moment the source names */
  observedAt: string;
  /** When we had it */
  fetchedAt: string;
  /** How the number came to be: measured, computed, a stated default, or the demo’s */
  method: 'measured' | 'computed' | 'default' | 'demo';
  /** From then on it is stale */
  staleAfter: string;
  metric: string;
  venues?: Array<string>;
  terms?: string;
  /** Days of past behind it, where it wants more */
  historyDays?: number;
  /** Hours it was collected, for a window that is not yet full */
  collectedHours?: number;
};

export type Forecast = {
  period: string | null;
  release_date: string | null;
  forecast_data: {
    /** Percent a month */
    prediction: number | null;
    /** Without food and energy, percent a month */
    core: number | null;
    /** How many went in */
    n: number;
  } | null;
  entries: Array<ForecastEntry>;
  past: Array<ForecastEntry>;
  scores: Array<ForecastScore>;
};

export type ForecastEntry = {
  /** Its number or name */
  id: number;
  forecaster: string;
  name: string;
  model: string | null;
  period: string;
  /** When it was frozen */
  issued_at: string;
  /** Percent a month */
  prediction: number;
  /** Without food and energy, percent a month */
  core: number | null;
  /** Percent: 100 times the largest probability */
  confidence: number | null;
  reasoning: string | null;
  /** What came: percent, as published first */
  actual: number | null;
  /** Prediction less first print, percentage points */
  error: number | null;
};

export type ForecastScore = {
  forecaster: string;
  name: string;
  yardstick: boolean;
  /** Of the coming release, percent a month */
  says: number | null;
  /** How many went in */
  n: number;
  /** Mean absolute error, percentage points */
  mae: number | null;
  /** The lower end, in the unit of the figure */
  low: number | null;
  /** The upper end, in the unit of the figure */
  high: number | null;
  /** Against the best of base rates, persistence and uniform: 1 is perfect, 0 as good, below 0 worse */
  skill: {
    /** How many went in */
    n: number;
    /** Difference of mean absolute errors, percentage points */
    difference: number | null;
    /** The lower end, in the unit of the figure */
    low: number | null;
    /** The upper end, in the unit of the figure */
    high: number | null;
    verdict: 'ahead' | 'no evidence' | 'behind' | 'too few';
  } | null;
};

export type GradedCall = {
  /** Its entry in the ledger */
  seq: number;
  crypto_symbol: 'BTC' | 'ETH' | 'SOL' | 'SUI' | 'XRP';
  provider: string;
  model: string;
  horizon: '24h' | '7d' | '28d' | '180d';
  /** When it was frozen */
  issued_at: string;
  resolved_at: string;
  probabilities: Probabilities;
  predicted_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
  actual_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
  /** Log return that came */
  realised: number;
  /** Percent of calls that came true; of one call 100 or 0 */
  accuracy: number;
  /** Rank correlation of this analyst’s calls up to here, −1 to 1; null below 10 calls */
  correlation_score: number | null;
};

export type HistoryPoint = {
  period: string;
  /** Percent a month */
  mom: number | null;
  /** Percent a year */
  yoy: number | null;
  reason?: string;
};

export type HistoryRecord = {
  /** Its number or name */
  id: string;
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  symbol: string;
  /** In the unit of the metric */
  value: number;
  /** The unit of the value */
  unit: string;
  /** Who gave it */
  source: string;
  /** When we had it */
  fetchedAt: string;
  /** How the number came to be: measured, computed, a stated default, or the demo’s */
  method: 'measured' | 'computed' | 'default' | 'demo';
  /** Against the next older value of the symbol, in the unit */
  change: number | null;
  /** Against the next older value of the symbol, percent */
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
  /** The score; of fear and greed 0 to 100 */
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
  /** Source and age of the figures beside it; of one that is null the reason */
  meta: Record<string, FigureMeta>;
};

export type Layer1Data = {
  /** USD */
  total_market_cap: number | null;
  /** USD */
  total_volume_24h: number | null;
  /** Mean change over 24 h, percent */
  avg_change_24h: number | null;
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  chains: Array<Chain>;
  /** Source and age of the figures beside it; of one that is null the reason */
  meta: Record<string, FigureMeta>;
};

export type LeagueCell = {
  provider: string;
  model: string;
  current: boolean;
  horizon: '24h' | '7d' | '28d' | '180d';
  verdict: 'ahead' | 'behind' | 'no evidence' | 'too few independent windows';
  /** Corrected one-sided p of being ahead of every baseline */
  p_ahead: number | null;
  /** Corrected one-sided p of being behind base rates */
  p_behind: number | null;
  /** How many went in */
  n: number;
  /** Days on which calls were issued */
  dates: number;
  /** Issue dates whose windows share no day */
  n_eff: number;
  /** Calls that wait for their time */
  pending: number;
  /** Calls that can have no outcome */
  voids: number;
  /** Part of the calls without an outcome, 0 to 1 */
  void_rate: number | null;
  /** Questions that got no answer */
  missing: number;
  /** Part of the calls that came true, 0 to 1 */
  hit_rate: number | null;
  hit_interval: {
    /** The lower end, in the unit of the figure */
    low: number;
    /** The upper end, in the unit of the figure */
    high: number;
  } | null;
  /** Brier score, 0 to 2; lower is better */
  brier: number | null;
  /** Brier score of saying the past rates */
  brier_climatology: number | null;
  /** Brier score of saying the last outcome again */
  brier_persistence: number | null;
  /** Brier score of always saying up */
  brier_always_up: number | null;
  /** Brier score of saying a third each */
  brier_uniform: number | null;
  /** Against the best of base rates, persistence and uniform: 1 is perfect, 0 as good, below 0 worse */
  skill: number | null;
  /** Ranked probability score; lower is better */
  rps: number | null;
  /** Mean −log of the probability of what came; lower is better */
  log_score: number | null;
  /** Of lean and return, −1 to 1 */
  rank_correlation: number | null;
  /** Difference of mean absolute errors, percentage points */
  difference: {
    /** The mean, in the unit of the figure */
    mean: number;
    /** The lower end, in the unit of the figure */
    low: number;
    /** The upper end, in the unit of the figure */
    high: number;
  } | null;
  direction: {
    /** How many went in */
    n: number;
    /** Percent of our calls that were answered; of directions a rate 0 to 1 */
    success_rate: number;
    /** What was expected: percent, or a rate 0 to 1 */
    expected: number;
    /** Probability of so much by chance, 0 to 1 */
    p: number;
  } | null;
  ranges: {
    /** How many went in */
    n: number;
    /** Share of returns inside the 80% range, 0 to 1 */
    coverage_80: number;
    /** Share of returns inside the 95% range, 0 to 1 */
    coverage_95: number;
    /** Mean width of the 80% ranges, log return */
    width_80: number;
    /** Mean width of the 95% ranges, log return */
    width_95: number;
    /** Mean interval score of the 80% ranges, log return; lower is better */
    score_80: number | null;
    /** The same for past-year quantiles */
    score_80_trailing: number | null;
    /** Mean interval score of the 95% ranges, log return; lower is better */
    score_95: number | null;
    /** The same for past-year quantiles */
    score_95_trailing: number | null;
  } | null;
  recalibrated: {
    /** Brier score, 0 to 2; lower is better */
    brier: number;
    /** Against the best of base rates, persistence and uniform: 1 is perfect, 0 as good, below 0 worse */
    skill: number | null;
    /** Mean −log of the probability of what came; lower is better */
    log_score: number;
    map: {
      /** Probability of rising, 0 to 1 */
      up: {
        /** Of the correcting line */
        intercept: number;
        /** Of the correcting line */
        slope: number;
      };
      /** Probability of staying, 0 to 1 */
      flat: {
        /** Of the correcting line */
        intercept: number;
        /** Of the correcting line */
        slope: number;
      };
      /** Probability of falling, 0 to 1 */
      down: {
        /** Of the correcting line */
        intercept: number;
        /** Of the correcting line */
        slope: number;
      };
    };
  } | null;
  calibration: {
    /** Probability of rising, 0 to 1 */
    up: {
      /** Values of the line, oldest first: in USD, or pairs of milliseconds since 1970 and a value in `unit` */
      points: Array<{
        /** From here, included */
        from: number;
        /** To here, included */
        to: number;
        /** Mean probability that was forecast, 0 to 1 */
        forecast: number;
        /** Rate at which it came true, 0 to 1 */
        observed: number;
        /** Forecasts in this part of the curve */
        count: number;
      }>;
      /** Brier score, 0 to 2; lower is better */
      brier: number;
      /** How far forecasts miss the rates that came, of the Brier score */
      miscalibration: number;
      /** How far forecasts tell outcomes apart, of the Brier score */
      discrimination: number;
      /** How uncertain the outcomes were, of the Brier score */
      uncertainty: number;
    };
    /** Probability of falling, 0 to 1 */
    down: {
      /** Values of the line, oldest first: in USD, or pairs of milliseconds since 1970 and a value in `unit` */
      points: Array<{
        /** From here, included */
        from: number;
        /** To here, included */
        to: number;
        /** Mean probability that was forecast, 0 to 1 */
        forecast: number;
        /** Rate at which it came true, 0 to 1 */
        observed: number;
        /** Forecasts in this part of the curve */
        count: number;
      }>;
      /** Brier score, 0 to 2; lower is better */
      brier: number;
      /** How far forecasts miss the rates that came, of the Brier score */
      miscalibration: number;
      /** How far forecasts tell outcomes apart, of the Brier score */
      discrimination: number;
      /** How uncertain the outcomes were, of the Brier score */
      uncertainty: number;
    };
  } | null;
  assets: Array<{
    symbol: 'BTC' | 'ETH' | 'SOL' | 'SUI' | 'XRP';
    /** How many went in */
    n: number;
    /** Part of the calls that came true, 0 to 1 */
    hit_rate: number;
    /** Brier score, 0 to 2; lower is better */
    brier: number;
    /** Brier score of saying the past rates */
    brier_climatology: number;
    /** Against the best of base rates, persistence and uniform: 1 is perfect, 0 as good, below 0 worse */
    skill: number | null;
    /** Mean −log of the probability of what came; lower is better */
    log_score: number;
  }>;
  /** Its part of the score */
  contribution: {
    /** How many went in */
    n: number;
    /** Mean Brier score of the league’s mean forecast without this forecaster, less that with them: above 0 they help */
    gain: number;
  } | null;
};

export type MarketTotals = {
  /** USD */
  market_cap: number | null;
  /** USD over 24 h */
  volume_24h: number | null;
  /** Change over 24 h, percent */
  change_24h: number | null;
  /** Coins in the list */
  coins: number;
  /** Source and age of the figures beside it; of one that is null the reason */
  meta: Provenance | null;
};

export type MissingProvider = {
  /** Its number or name */
  id: string;
  name: string;
  key: string | null;
  reason: string;
};

export type Narrative = {
  /** USD */
  total_volume_24h: number | null;
  /** Mean change over 24 h, percent */
  avg_change_24h: number | null;
  /** 0 to 100 */
  relevance_score: number | null;
  /** Its number or name */
  id: string;
  narrative: string;
  sentiment: 'very_positive' | 'positive' | 'neutral' | 'negative' | 'very_negative' | null;
  /** Coins in the list */
  coins: Array<NarrativeCoin>;
  market_insights: {
    trend_analysis: string;
    volume_analysis: string;
    risk_level: 'low' | 'medium' | 'high' | null;
    /** 0 to 100 */
    opportunity_score: number | null;
  };
  terms: NarrativeTerms;
  /** Source and age of the figures beside it; of one that is null the reason */
  meta: Record<string, FigureMeta>;
};

export type NarrativeCoin = {
  /** USD */
  price_usd: number | null;
  /** Change over 24 h, percent */
  change_24h: number | null;
  coin_symbol: string;
  coin_name: string;
  /** Source and age of the figures beside it; of one that is null the reason */
  meta: Record<string, FigureMeta>;
};

export type NarrativeTerms = {
  /** Change against the market, in standard deviations */
  relative_sigma: number | null;
  /** Part of the whole market’s volume, 0 to 1 */
  volume_share: number | null;
  /** Volume against its last 30 days, in standard deviations */
  volume_z: number | null;
  /** Part of the coins that rose over 24 h, 0 to 1 */
  breadth: number | null;
  /** Percent; of narratives annualised, 1 = 100 % */
  volatility: number | null;
};

export type NextRelease = {
  type: 'cpi' | 'pce' | 'ppi';
  date: string;
  period: string;
  /** Who gave it */
  source: string;
  estimated: boolean;
};

export type Onchain = {
  whaleTransactions: {
    /** In the unit of the metric */
    value: number | null;
    metadata: {
      /** Transfers of 1 M USD or more over 24 h */
      large_transfers: number | null;
      /** Transfers to exchanges over 24 h */
      exchange_deposits: number | null;
      /** Source and age of the figures beside it; of one that is null the reason */
      meta: Record<string, FigureMeta>;
    };
    /** Source and age of the figures beside it; of one that is null the reason */
    meta: Record<string, FigureMeta>;
  };
  hashRate: {
    /** In the unit of the metric */
    value: number | null;
    metadata: {
      /** Of the Bitcoin network */
      difficulty: number | null;
      network_health: 'strong' | 'normal' | 'weak' | null;
      /** Source and age of the figures beside it; of one that is null the reason */
      meta: Record<string, FigureMeta>;
    };
    /** Source and age of the figures beside it; of one that is null the reason */
    meta: Record<string, FigureMeta>;
  };
  activeAddresses: {
    /** In the unit of the metric */
    value: number | null;
    metadata: {
      /** A day */
      new_addresses: number | null;
      /** A day */
      returning_addresses: number | null;
      /** Source and age of the figures beside it; of one that is null the reason */
      meta: Record<string, FigureMeta>;
    };
    /** Source and age of the figures beside it; of one that is null the reason */
    meta: Record<string, FigureMeta>;
  };
};

export type OtherTime = {
  /** Who gave it */
  source: string;
  date: string;
  url: string | null;
};

export type Pce = {
  /** Index level */
  pce: number | null;
  /** Percent a month, adjusted */
  pceMoM: number | null;
  /** Percent a year */
  pceYoY: number | null;
  /** Index level without food and energy */
  corePCE: number | null;
  /** Percent a month, adjusted */
  corePCEMoM: number | null;
  /** Percent a year */
  corePCEYoY: number | null;
  date: string | null;
  period: string | null;
  basis: Record<string, 'SA'>;
  gaps: Record<
    string,
    {
      /** Percent per year, of the newest month that has a yearly rate */
      newestYoY: number | null;
      /** Percent per year over two years */
      twoYearRate: number | null;
      newestPeriod: string | null;
      /** Source and age of the figures beside it; of one that is null the reason */
      meta: Record<string, FigureMeta>;
    }
  >;
  /** Source and age of the figures beside it; of one that is null the reason */
  meta: Record<string, FigureMeta>;
};

export type Ppi = {
  /** Index level */
  ppi: number | null;
  /** Percent a month, adjusted */
  ppiMoM: number | null;
  /** Percent a year */
  ppiYoY: number | null;
  /** Index level without food and energy */
  corePPI: number | null;
  /** Percent a month, adjusted */
  corePPIMoM: number | null;
  /** Percent a year */
  corePPIYoY: number | null;
  date: string | null;
  period: string | null;
  basis: Record<string, 'SA'>;
  gaps: Record<
    string,
    {
      /** Percent per year, of the newest month that has a yearly rate */
      newestYoY: number | null;
      /** Percent per year over two years */
      twoYearRate: number | null;
      newestPeriod: string | null;
      /** Source and age of the figures beside it; of one that is null the reason */
      meta: Record<string, FigureMeta>;
    }
  >;
  /** Source and age of the figures beside it; of one that is null the reason */
  meta: Record<string, FigureMeta>;
};

export type PredictionSet = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string | null;
  short_term: {
    market_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
    /** Percent: 100 times the largest probability */
    confidence: number;
    reasoning: string;
  } | null;
  medium_term: {
    market_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
    /** Percent: 100 times the largest probability */
    confidence: number;
    reasoning: string;
  } | null;
  long_term: {
    market_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
    /** Percent: 100 times the largest probability */
    confidence: number;
    reasoning: string;
  } | null;
  overall_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH' | null;
  /** Percent */
  overall_confidence: number | null;
  /** Percent of the demo’s history that is written; null in live mode and once it is whole */
  preparing: number | null;
};

export type Preview = {
  metric: string;
  /** The unit of the value */
  unit: string;
  /** From here, included */
  from: string | null;
  /** To here, included */
  to: string | null;
  /** Days that went in */
  days: number;
  tried: Array<{
    /** Who gave it */
    source: string;
    grain: 'hourly closes' | 'daily closes' | 'collected values' | 'hourly values' | 'daily values' | 'analyses';
  }>;
  absent: string | null;
  /** Values of the line, oldest first: in USD, or pairs of milliseconds since 1970 and a value in `unit` */
  points: Array<[number, number]>;
  /** The watched level, in `unit` */
  level: number | null;
  /** How often it has fired */
  fires: Array<[number, number]>;
  /** How often it would have fired */
  fireCount: number;
  /** Fires a week */
  perWeek: number | null;
  /** Longest time without a fire, days */
  longestSilenceDays: number | null;
  /** Crossings that the options kept quiet */
  suppressed: number;
  after: {
    asset: string;
    /** How often it has fired */
    fires: {
      /** How many went in */
      n: number;
      /** The mean, in the unit of the figure */
      mean: number | null;
      /** The lower end, in the unit of the figure */
      low: number | null;
      /** The upper end, in the unit of the figure */
      high: number | null;
    };
    all: {
      /** How many went in */
      n: number;
      /** The mean, in the unit of the figure */
      mean: number | null;
      /** The lower end, in the unit of the figure */
      low: number | null;
      /** The upper end, in the unit of the figure */
      high: number | null;
    };
    verdict: 'higher' | 'lower' | 'no evidence';
  };
  suggestions: Array<{
    /** Fires a week */
    perWeek: number;
    /** In the unit of the metric */
    value: number;
  }>;
};

export type Probabilities = {
  /** Probability of rising, 0 to 1 */
  up: number;
  /** Probability of staying, 0 to 1 */
  flat: number;
  /** Probability of falling, 0 to 1 */
  down: number;
};

export type Provenance = {
  /** Who gave it */
  source: string;
  /** The moment the source names */
  observedAt: string;
  /** When we had it */
  fetchedAt: string;
  /** How the number came to be: measured, computed, a stated default, or the demo’s */
  method: 'measured' | 'computed' | 'default' | 'demo';
  /** From then on it is stale */
  staleAfter: string;
};

export type ProviderOpinion = {
  /** Its number or name */
  id: string;
  name: string;
  letter: string;
  built_in: boolean;
  model: string;
  model_version: string | null;
  imputed: boolean;
  overall_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
  /** Percent */
  overall_confidence: number;
  overall_reasoning: string;
  check_point: Term;
  short_term: Term;
  medium_term: Term;
  long_term: Term;
  assets: Record<'BTC' | 'ETH' | 'SOL' | 'SUI' | 'XRP', Record<'24h' | '7d' | '28d' | '180d', Probabilities>>;
};

export type RaisedAlert = {
  /** Its number or name */
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
  /** In the unit of the metric */
  value: number | null;
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  eventDate: string | null;
  /** The event it tells of */
  eventId: number | null;
  /** The rule of one’s own that raised it */
  thresholdId: number | null;
  receipt: Receipt;
  /** Source and age of the figures beside it; of one that is null the reason */
  meta: {
    /** Who gave it */
    source: string;
    /** The moment the source names */
    observedAt: string;
    /** When we had it */
    fetchedAt: string;
    /** How the number came to be: measured, computed, a stated default, or the demo’s */
    method: 'measured' | 'computed' | 'default' | 'demo';
  };
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
  /** Its entry in the ledger */
  seq: number;
  crypto_symbol: 'BTC' | 'ETH' | 'SOL' | 'SUI' | 'XRP';
  provider: string;
  model: string;
  horizon: '24h' | '7d' | '28d' | '180d';
  /** When it was frozen */
  issued_at: string;
  resolves_at: string;
  probabilities: Probabilities;
  imputed: boolean;
  /** USD */
  price: number;
  /** A log return within ± band counts as flat */
  band: number | null;
  predicted_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
  state: 'open' | 'graded' | 'void';
  actual_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH' | null;
  /** Log return that came */
  realised: number | null;
  /** Percent of calls that came true; of one call 100 or 0 */
  accuracy: number | null;
  resolved_at: string | null;
  /** The entry of its outcome in the ledger */
  outcome_seq: number | null;
  /** USD, 80% range of the price at the end of the horizon */
  range_80: {
    /** The lower end, in the unit of the figure */
    low: number;
    /** The upper end, in the unit of the figure */
    high: number;
  } | null;
  /** USD, 95% range of the price at the end of the horizon */
  range_95: {
    /** The lower end, in the unit of the figure */
    low: number;
    /** The upper end, in the unit of the figure */
    high: number;
  } | null;
  /** Whether the price ended inside the 80% range; null unless graded, or without a range */
  held_80: boolean | null;
  /** Whether the price ended inside the 95% range; null unless graded, or without a range */
  held_95: boolean | null;
  void_reason: string | null;
};

export type Release = {
  type: 'CPI' | 'PCE' | 'PPI';
  date: string;
  releasedAt: string;
  period: string;
  /** Who gave it */
  source: string;
  /** How often it was revised */
  revisions: number;
};

export type ReleaseFigures = {
  /** What came: percent, as published first */
  actual: string | null;
  /** Mean probability that was forecast, 0 to 1 */
  forecast: string | null;
  /** The release before, percent */
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
  /** Where the candles came from */
  sources: Array<string>;
  /** Calls and outcomes in its hash chain */
  entries: number;
  /** SHA-256 of the last entry of its hash chain, hex */
  head: string;
  /** Its scores, in the shape of the live record */
  record: {
    /** When this was put together; of a value the moment it is of */
    timestamp: string;
    /** Percent of graded calls that came true */
    overall_accuracy: number | null;
    /** Graded calls */
    total_predictions: number;
    /** Rank correlation of lean and return, −1 to 1 */
    average_correlation: number | null;
    by_symbol: Record<
      string,
      {
        /** Graded calls */
        totalPredictions: number;
        /** Percent of calls that came true; of one call 100 or 0 */
        accuracy: number | null;
        /** Rank correlation of lean and return, −1 to 1 */
        avgCorrelation: number | null;
      }
    >;
    recent_results: Array<GradedCall>;
    headline: TrackCell | null;
    cells: Array<TrackCell>;
    pools: Array<{
      horizon: '24h' | '7d' | '28d' | '180d';
      /** How many went in */
      n: number;
      /** Days on which calls were issued */
      dates: number;
      /** Brier score with equal weights */
      brier_equal: number;
      /** Brier score with weights by the past */
      brier_weighted: number;
      /** One-sided p of the weighted pool being better */
      p_better: number | null;
      /** Whether the consensus uses these weights */
      used: boolean;
      weights: Array<{
        provider: string;
        model: string;
        /** Its weight */
        weight: number;
      }>;
    }>;
  };
};

export type RiskRow = {
  /** Percent a year */
  annualised_volatility: number | null;
  /** A ratio */
  sharpe: number | null;
  /** A ratio */
  sortino: number | null;
  /** Percent below the highest close before */
  max_drawdown: number | null;
  /** Beta to BTC, a ratio */
  beta_btc: number | null;
  asset: 'BTC' | 'ETH' | 'SOL' | 'SUI' | 'XRP';
  /** Days that went in */
  days: number;
  /** Source and age of the figures beside it; of one that is null the reason */
  meta: Record<string, FigureMeta>;
};

export type RuleOptions = {
  mode: 'every' | 'once';
  /** No second fire within so many minutes */
  cooldownMinutes: number;
  /** How far the value must come back, in the unit of the metric; null is the metric’s own */
  margin: number | null;
  /** It must hold for so many minutes before the rule fires */
  holdMinutes: number;
  expiresAt: string | null;
  and: SecondCondition | null;
  schedule: Schedule | null;
};

export type SentimentTerm = {
  series: string;
  name: string;
  period: string | null;
  /** What came: percent, as published first */
  actual: number | null;
  /** What was expected: percent, or a rate 0 to 1 */
  expected: number | null;
  /** Actual less expected, percentage points */
  surprise: number | null;
  /** Its weight */
  weight: number;
  /** Its part of the score */
  contribution: number;
  instead: string | null;
};

export type SourceDetail = {
  /** Its number or name */
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
  /** Its number or name */
  id: string;
  name: string;
  gives: string;
  state: 'ok' | 'stale' | 'rate_limited' | 'down' | 'refused_region' | 'key_missing' | 'waiting' | 'unknown';
  note: string | null;
  lastSuccessAt: string | null;
  lastFailureAt: string | null;
};

export type SourceQuote = {
  /** Who gave it */
  source: string;
  /** USD */
  price: number;
  /** USD over 24 h */
  volume_24h: number | null;
  /** USD */
  market_cap: number | null;
  /** Change over 24 h, percent */
  change_24h: number | null;
  /** Source and age of the figures beside it; of one that is null the reason */
  meta: Provenance;
};

export type Term = {
  horizon: '24h' | '7d' | '28d' | '180d';
  market_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
  /** Percent: 100 times the largest probability */
  confidence: number;
  reasoning: string;
  probabilities: Probabilities;
  factors_analyzed: Array<string>;
  key_factors: Array<string>;
  risk_factors: Array<string>;
};

export type Threshold = {
  /** Its number or name */
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
  /** In the unit of the metric */
  value: number | 'BEARISH' | 'NEUTRAL' | 'BULLISH';
  enabled: boolean;
  icon: string;
  iconChosen: boolean;
  /** The unit of the value */
  unit: string;
  options: RuleOptions;
  state: 'armed' | 'pending' | 'fired' | 'paused' | 'done' | 'expired' | 'no_data' | 'off';
  note: string | null;
  canRearm: boolean;
  lastFiredAt: string | null;
  /** How often it has fired */
  fires: number;
  cadence: string;
  current: {
    /** In the unit of the metric */
    value: number;
    /** Source and age of the figures beside it; of one that is null the reason */
    meta: Provenance;
  } | null;
};

export type TrackCell = {
  provider: string;
  model: string;
  current: boolean;
  horizon: '24h' | '7d' | '28d' | '180d';
  verdict: 'ahead' | 'behind' | 'no evidence' | 'too few independent windows';
  /** Corrected one-sided p of being ahead of every baseline */
  p_ahead: number | null;
  /** Corrected one-sided p of being behind base rates */
  p_behind: number | null;
  /** How many went in */
  n: number;
  /** Days on which calls were issued */
  dates: number;
  /** Issue dates whose windows share no day */
  n_eff: number;
  /** Calls that wait for their time */
  pending: number;
  /** Calls that can have no outcome */
  voids: number;
  /** Part of the calls without an outcome, 0 to 1 */
  void_rate: number | null;
  /** Questions that got no answer */
  missing: number;
  /** Part of the calls that came true, 0 to 1 */
  hit_rate: number | null;
  hit_interval: {
    /** The lower end, in the unit of the figure */
    low: number;
    /** The upper end, in the unit of the figure */
    high: number;
  } | null;
  /** Brier score, 0 to 2; lower is better */
  brier: number | null;
  /** Brier score of saying the past rates */
  brier_climatology: number | null;
  /** Brier score of saying the last outcome again */
  brier_persistence: number | null;
  /** Brier score of always saying up */
  brier_always_up: number | null;
  /** Brier score of saying a third each */
  brier_uniform: number | null;
  /** Against the best of base rates, persistence and uniform: 1 is perfect, 0 as good, below 0 worse */
  skill: number | null;
  /** Ranked probability score; lower is better */
  rps: number | null;
  /** Mean −log of the probability of what came; lower is better */
  log_score: number | null;
  /** Of lean and return, −1 to 1 */
  rank_correlation: number | null;
  /** Difference of mean absolute errors, percentage points */
  difference: {
    /** The mean, in the unit of the figure */
    mean: number;
    /** The lower end, in the unit of the figure */
    low: number;
    /** The upper end, in the unit of the figure */
    high: number;
  } | null;
  direction: {
    /** How many went in */
    n: number;
    /** Percent of our calls that were answered; of directions a rate 0 to 1 */
    success_rate: number;
    /** What was expected: percent, or a rate 0 to 1 */
    expected: number;
    /** Probability of so much by chance, 0 to 1 */
    p: number;
  } | null;
  ranges: {
    /** How many went in */
    n: number;
    /** Share of returns inside the 80% range, 0 to 1 */
    coverage_80: number;
    /** Share of returns inside the 95% range, 0 to 1 */
    coverage_95: number;
    /** Mean width of the 80% ranges, log return */
    width_80: number;
    /** Mean width of the 95% ranges, log return */
    width_95: number;
    /** Mean interval score of the 80% ranges, log return; lower is better */
    score_80: number | null;
    /** The same for past-year quantiles */
    score_80_trailing: number | null;
    /** Mean interval score of the 95% ranges, log return; lower is better */
    score_95: number | null;
    /** The same for past-year quantiles */
    score_95_trailing: number | null;
  } | null;
  recalibrated: {
    /** Brier score, 0 to 2; lower is better */
    brier: number;
    /** Against the best of base rates, persistence and uniform: 1 is perfect, 0 as good, below 0 worse */
    skill: number | null;
    /** Mean −log of the probability of what came; lower is better */
    log_score: number;
    map: {
      /** Probability of rising, 0 to 1 */
      up: {
        /** Of the correcting line */
        intercept: number;
        /** Of the correcting line */
        slope: number;
      };
      /** Probability of staying, 0 to 1 */
      flat: {
        /** Of the correcting line */
        intercept: number;
        /** Of the correcting line */
        slope: number;
      };
      /** Probability of falling, 0 to 1 */
      down: {
        /** Of the correcting line */
        intercept: number;
        /** Of the correcting line */
        slope: number;
      };
    };
  } | null;
  calibration: {
    /** Probability of rising, 0 to 1 */
    up: {
      /** Values of the line, oldest first: in USD, or pairs of milliseconds since 1970 and a value in `unit` */
      points: Array<{
        /** From here, included */
        from: number;
        /** To here, included */
        to: number;
        /** Mean probability that was forecast, 0 to 1 */
        forecast: number;
        /** Rate at which it came true, 0 to 1 */
        observed: number;
        /** Forecasts in this part of the curve */
        count: number;
      }>;
      /** Brier score, 0 to 2; lower is better */
      brier: number;
      /** How far forecasts miss the rates that came, of the Brier score */
      miscalibration: number;
      /** How far forecasts tell outcomes apart, of the Brier score */
      discrimination: number;
      /** How uncertain the outcomes were, of the Brier score */
      uncertainty: number;
    };
    /** Probability of falling, 0 to 1 */
    down: {
      /** Values of the line, oldest first: in USD, or pairs of milliseconds since 1970 and a value in `unit` */
      points: Array<{
        /** From here, included */
        from: number;
        /** To here, included */
        to: number;
        /** Mean probability that was forecast, 0 to 1 */
        forecast: number;
        /** Rate at which it came true, 0 to 1 */
        observed: number;
        /** Forecasts in this part of the curve */
        count: number;
      }>;
      /** Brier score, 0 to 2; lower is better */
      brier: number;
      /** How far forecasts miss the rates that came, of the Brier score */
      miscalibration: number;
      /** How far forecasts tell outcomes apart, of the Brier score */
      discrimination: number;
      /** How uncertain the outcomes were, of the Brier score */
      uncertainty: number;
    };
  } | null;
  assets: Array<{
    symbol: 'BTC' | 'ETH' | 'SOL' | 'SUI' | 'XRP';
    /** How many went in */
    n: number;
    /** Part of the calls that came true, 0 to 1 */
    hit_rate: number;
    /** Brier score, 0 to 2; lower is better */
    brier: number;
    /** Brier score of saying the past rates */
    brier_climatology: number;
    /** Against the best of base rates, persistence and uniform: 1 is perfect, 0 as good, below 0 worse */
    skill: number | null;
    /** Mean −log of the probability of what came; lower is better */
    log_score: number;
  }>;
};

export type MarketDataReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
  /** When the last full collection ended */
  lastCollectionTime: string | null;
  /** When the next full collection begins */
  nextCollectionTime: string | null;
  totals: MarketTotals;
  sources: Array<SourceHealth>;
  advancedMetrics?: AdvancedMetrics;
  layer1Data?: Layer1Data;
  trendingNarratives?: Array<Narrative>;
  /** The moment that was asked for */
  asOf?: string;
};

export type CryptoPricesReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
  prices: Array<CryptoPrice>;
  totals: MarketTotals;
  /** The `cursor` of the page below; null at the end */
  nextCursor: string | null;
  /** The moment that was asked for */
  asOf?: string;
};

export type CryptoPricesByIdReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
  coin: CryptoPrice;
  quotes: Array<SourceQuote>;
  sparkline: {
    /** Values of the line, oldest first: in USD, or pairs of milliseconds since 1970 and a value in `unit` */
    points: Array<number>;
    /** Source and age of the figures beside it; of one that is null the reason */
    meta: Provenance;
  } | null;
};

export type CandlesReply = {
  /** Its number or name */
  id: string;
  symbol: string;
  interval: '1' | '5' | '15' | '30' | '60' | '240' | 'D' | 'W' | 'M';
  history: 'complete' | 'loading' | 'unavailable';
  candles: Array<Candle>;
  gaps: Array<{
    /** From here, included */
    from: string;
    /** To here, included */
    to: string;
  }>;
  /** Days that the plan shows or that are kept; null is everything */
  limitedToDays: number | null;
  /** Source and age of the figures beside it; of one that is null the reason */
  meta: Provenance | null;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
  /** The `cursor` of the page below; null at the end */
  nextCursor: string | null;
};

export type SourcesReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
  sources: Array<SourceDetail>;
  /** The `cursor` of the page below; null at the end */
  nextCursor: string | null;
};

export type AnalysisReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
  aiAnalysis: AiAnalysis | null;
  /** The moment that was asked for */
  asOf?: string;
};

export type PredictionsReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string | null;
  short_term: {
    market_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
    /** Percent: 100 times the largest probability */
    confidence: number;
    reasoning: string;
  } | null;
  medium_term: {
    market_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
    /** Percent: 100 times the largest probability */
    confidence: number;
    reasoning: string;
  } | null;
  long_term: {
    market_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH';
    /** Percent: 100 times the largest probability */
    confidence: number;
    reasoning: string;
  } | null;
  overall_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH' | null;
  /** Percent */
  overall_confidence: number | null;
  /** Percent of the demo’s history that is written; null in live mode and once it is whole */
  preparing: number | null;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
};

export type TrackRecordReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  /** Percent of graded calls that came true */
  overall_accuracy: number | null;
  /** Graded calls */
  total_predictions: number;
  /** Rank correlation of lean and return, −1 to 1 */
  average_correlation: number | null;
  by_symbol: Record<
    string,
    {
      /** Graded calls */
      totalPredictions: number;
      /** Percent of calls that came true; of one call 100 or 0 */
      accuracy: number | null;
      /** Rank correlation of lean and return, −1 to 1 */
      avgCorrelation: number | null;
    }
  >;
  recent_results: Array<GradedCall>;
  headline: {
    provider: string;
    model: string;
    current: boolean;
    horizon: '24h' | '7d' | '28d' | '180d';
    verdict: 'ahead' | 'behind' | 'no evidence' | 'too few independent windows';
    /** Corrected one-sided p of being ahead of every baseline */
    p_ahead: number | null;
    /** Corrected one-sided p of being behind base rates */
    p_behind: number | null;
    /** How many went in */
    n: number;
    /** Days on which calls were issued */
    dates: number;
    /** Issue dates whose windows share no day */
    n_eff: number;
    /** Calls that wait for their time */
    pending: number;
    /** Calls that can have no outcome */
    voids: number;
    /** Part of the calls without an outcome, 0 to 1 */
    void_rate: number | null;
    /** Questions that got no answer */
    missing: number;
    /** Part of the calls that came true, 0 to 1 */
    hit_rate: number | null;
    hit_interval: {
      /** The lower end, in the unit of the figure */
      low: number;
      /** The upper end, in the unit of the figure */
      high: number;
    } | null;
    /** Brier score, 0 to 2; lower is better */
    brier: number | null;
    /** Brier score of saying the past rates */
    brier_climatology: number | null;
    /** Brier score of saying the last outcome again */
    brier_persistence: number | null;
    /** Brier score of always saying up */
    brier_always_up: number | null;
    /** Brier score of saying a third each */
    brier_uniform: number | null;
    /** Against the best of base rates, persistence and uniform: 1 is perfect, 0 as good, below 0 worse */
    skill: number | null;
    /** Ranked probability score; lower is better */
    rps: number | null;
    /** Mean −log of the probability of what came; lower is better */
    log_score: number | null;
    /** Of lean and return, −1 to 1 */
    rank_correlation: number | null;
    /** Difference of mean absolute errors, percentage points */
    difference: {
      /** The mean, in the unit of the figure */
      mean: number;
      /** The lower end, in the unit of the figure */
      low: number;
      /** The upper end, in the unit of the figure */
      high: number;
    } | null;
    direction: {
      /** How many went in */
      n: number;
      /** Percent of our calls that were answered; of directions a rate 0 to 1 */
      success_rate: number;
      /** What was expected: percent, or a rate 0 to 1 */
      expected: number;
      /** Probability of so much by chance, 0 to 1 */
      p: number;
    } | null;
    ranges: {
      /** How many went in */
      n: number;
      /** Share of returns inside the 80% range, 0 to 1 */
      coverage_80: number;
      /** Share of returns inside the 95% range, 0 to 1 */
      coverage_95: number;
      /** Mean width of the 80% ranges, log return */
      width_80: number;
      /** Mean width of the 95% ranges, log return */
      width_95: number;
      /** Mean interval score of the 80% ranges, log return; lower is better */
      score_80: number | null;
      /** The same for past-year quantiles */
      score_80_trailing: number | null;
      /** Mean interval score of the 95% ranges, log return; lower is better */
      score_95: number | null;
      /** The same for past-year quantiles */
      score_95_trailing: number | null;
    } | null;
    recalibrated: {
      /** Brier score, 0 to 2; lower is better */
      brier: number;
      /** Against the best of base rates, persistence and uniform: 1 is perfect, 0 as good, below 0 worse */
      skill: number | null;
      /** Mean −log of the probability of what came; lower is better */
      log_score: number;
      map: {
        /** Probability of rising, 0 to 1 */
        up: {
          /** Of the correcting line */
          intercept: number;
          /** Of the correcting line */
          slope: number;
        };
        /** Probability of staying, 0 to 1 */
        flat: {
          /** Of the correcting line */
          intercept: number;
          /** Of the correcting line */
          slope: number;
        };
        /** Probability of falling, 0 to 1 */
        down: {
          /** Of the correcting line */
          intercept: number;
          /** Of the correcting line */
          slope: number;
        };
      };
    } | null;
    calibration?: {
      /** Probability of rising, 0 to 1 */
      up: {
        /** Values of the line, oldest first: in USD, or pairs of milliseconds since 1970 and a value in `unit` */
        points: Array<{
          /** From here, included */
          from: number;
          /** To here, included */
          to: number;
          /** Mean probability that was forecast, 0 to 1 */
          forecast: number;
          /** Rate at which it came true, 0 to 1 */
          observed: number;
          /** Forecasts in this part of the curve */
          count: number;
        }>;
        /** Brier score, 0 to 2; lower is better */
        brier: number;
        /** How far forecasts miss the rates that came, of the Brier score */
        miscalibration: number;
        /** How far forecasts tell outcomes apart, of the Brier score */
        discrimination: number;
        /** How uncertain the outcomes were, of the Brier score */
        uncertainty: number;
      };
      /** Probability of falling, 0 to 1 */
      down: {
        /** Values of the line, oldest first: in USD, or pairs of milliseconds since 1970 and a value in `unit` */
        points: Array<{
          /** From here, included */
          from: number;
          /** To here, included */
          to: number;
          /** Mean probability that was forecast, 0 to 1 */
          forecast: number;
          /** Rate at which it came true, 0 to 1 */
          observed: number;
          /** Forecasts in this part of the curve */
          count: number;
        }>;
        /** Brier score, 0 to 2; lower is better */
        brier: number;
        /** How far forecasts miss the rates that came, of the Brier score */
        miscalibration: number;
        /** How far forecasts tell outcomes apart, of the Brier score */
        discrimination: number;
        /** How uncertain the outcomes were, of the Brier score */
        uncertainty: number;
      };
    } | null;
    assets?: Array<{
      symbol: 'BTC' | 'ETH' | 'SOL' | 'SUI' | 'XRP';
      /** How many went in */
      n: number;
      /** Part of the calls that came true, 0 to 1 */
      hit_rate: number;
      /** Brier score, 0 to 2; lower is better */
      brier: number;
      /** Brier score of saying the past rates */
      brier_climatology: number;
      /** Against the best of base rates, persistence and uniform: 1 is perfect, 0 as good, below 0 worse */
      skill: number | null;
      /** Mean −log of the probability of what came; lower is better */
      log_score: number;
    }>;
  } | null;
  cells: Array<{
    provider: string;
    model: string;
    current: boolean;
    horizon: '24h' | '7d' | '28d' | '180d';
    verdict: 'ahead' | 'behind' | 'no evidence' | 'too few independent windows';
    /** Corrected one-sided p of being ahead of every baseline */
    p_ahead: number | null;
    /** Corrected one-sided p of being behind base rates */
    p_behind: number | null;
    /** How many went in */
    n: number;
    /** Days on which calls were issued */
    dates: number;
    /** Issue dates whose windows share no day */
    n_eff: number;
    /** Calls that wait for their time */
    pending: number;
    /** Calls that can have no outcome */
    voids: number;
    /** Part of the calls without an outcome, 0 to 1 */
    void_rate: number | null;
    /** Questions that got no answer */
    missing: number;
    /** Part of the calls that came true, 0 to 1 */
    hit_rate: number | null;
    hit_interval: {
      /** The lower end, in the unit of the figure */
      low: number;
      /** The upper end, in the unit of the figure */
      high: number;
    } | null;
    /** Brier score, 0 to 2; lower is better */
    brier: number | null;
    /** Brier score of saying the past rates */
    brier_climatology: number | null;
    /** Brier score of saying the last outcome again */
    brier_persistence: number | null;
    /** Brier score of always saying up */
    brier_always_up: number | null;
    /** Brier score of saying a third each */
    brier_uniform: number | null;
    /** Against the best of base rates, persistence and uniform: 1 is perfect, 0 as good, below 0 worse */
    skill: number | null;
    /** Ranked probability score; lower is better */
    rps: number | null;
    /** Mean −log of the probability of what came; lower is better */
    log_score: number | null;
    /** Of lean and return, −1 to 1 */
    rank_correlation: number | null;
    /** Difference of mean absolute errors, percentage points */
    difference: {
      /** The mean, in the unit of the figure */
      mean: number;
      /** The lower end, in the unit of the figure */
      low: number;
      /** The upper end, in the unit of the figure */
      high: number;
    } | null;
    direction: {
      /** How many went in */
      n: number;
      /** Percent of our calls that were answered; of directions a rate 0 to 1 */
      success_rate: number;
      /** What was expected: percent, or a rate 0 to 1 */
      expected: number;
      /** Probability of so much by chance, 0 to 1 */
      p: number;
    } | null;
    ranges: {
      /** How many went in */
      n: number;
      /** Share of returns inside the 80% range, 0 to 1 */
      coverage_80: number;
      /** Share of returns inside the 95% range, 0 to 1 */
      coverage_95: number;
      /** Mean width of the 80% ranges, log return */
      width_80: number;
      /** Mean width of the 95% ranges, log return */
      width_95: number;
      /** Mean interval score of the 80% ranges, log return; lower is better */
      score_80: number | null;
      /** The same for past-year quantiles */
      score_80_trailing: number | null;
      /** Mean interval score of the 95% ranges, log return; lower is better */
      score_95: number | null;
      /** The same for past-year quantiles */
      score_95_trailing: number | null;
    } | null;
    recalibrated: {
      /** Brier score, 0 to 2; lower is better */
      brier: number;
      /** Against the best of base rates, persistence and uniform: 1 is perfect, 0 as good, below 0 worse */
      skill: number | null;
      /** Mean −log of the probability of what came; lower is better */
      log_score: number;
      map: {
        /** Probability of rising, 0 to 1 */
        up: {
          /** Of the correcting line */
          intercept: number;
          /** Of the correcting line */
          slope: number;
        };
        /** Probability of staying, 0 to 1 */
        flat: {
          /** Of the correcting line */
          intercept: number;
          /** Of the correcting line */
          slope: number;
        };
        /** Probability of falling, 0 to 1 */
        down: {
          /** Of the correcting line */
          intercept: number;
          /** Of the correcting line */
          slope: number;
        };
      };
    } | null;
    calibration?: {
      /** Probability of rising, 0 to 1 */
      up: {
        /** Values of the line, oldest first: in USD, or pairs of milliseconds since 1970 and a value in `unit` */
        points: Array<{
          /** From here, included */
          from: number;
          /** To here, included */
          to: number;
          /** Mean probability that was forecast, 0 to 1 */
          forecast: number;
          /** Rate at which it came true, 0 to 1 */
          observed: number;
          /** Forecasts in this part of the curve */
          count: number;
        }>;
        /** Brier score, 0 to 2; lower is better */
        brier: number;
        /** How far forecasts miss the rates that came, of the Brier score */
        miscalibration: number;
        /** How far forecasts tell outcomes apart, of the Brier score */
        discrimination: number;
        /** How uncertain the outcomes were, of the Brier score */
        uncertainty: number;
      };
      /** Probability of falling, 0 to 1 */
      down: {
        /** Values of the line, oldest first: in USD, or pairs of milliseconds since 1970 and a value in `unit` */
        points: Array<{
          /** From here, included */
          from: number;
          /** To here, included */
          to: number;
          /** Mean probability that was forecast, 0 to 1 */
          forecast: number;
          /** Rate at which it came true, 0 to 1 */
          observed: number;
          /** Forecasts in this part of the curve */
          count: number;
        }>;
        /** Brier score, 0 to 2; lower is better */
        brier: number;
        /** How far forecasts miss the rates that came, of the Brier score */
        miscalibration: number;
        /** How far forecasts tell outcomes apart, of the Brier score */
        discrimination: number;
        /** How uncertain the outcomes were, of the Brier score */
        uncertainty: number;
      };
    } | null;
    assets?: Array<{
      symbol: 'BTC' | 'ETH' | 'SOL' | 'SUI' | 'XRP';
      /** How many went in */
      n: number;
      /** Part of the calls that came true, 0 to 1 */
      hit_rate: number;
      /** Brier score, 0 to 2; lower is better */
      brier: number;
      /** Brier score of saying the past rates */
      brier_climatology: number;
      /** Against the best of base rates, persistence and uniform: 1 is perfect, 0 as good, below 0 worse */
      skill: number | null;
      /** Mean −log of the probability of what came; lower is better */
      log_score: number;
    }>;
  }>;
  pools?: Array<{
    horizon: '24h' | '7d' | '28d' | '180d';
    /** How many went in */
    n: number;
    /** Days on which calls were issued */
    dates: number;
    /** Brier score with equal weights */
    brier_equal: number;
    /** Brier score with weights by the past */
    brier_weighted: number;
    /** One-sided p of the weighted pool being better */
    p_better: number | null;
    /** Whether the consensus uses these weights */
    used: boolean;
    weights: Array<{
      provider: string;
      model: string;
      /** Its weight */
      weight: number;
    }>;
  }>;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
  recent_hits: Array<boolean>;
  /** The moment that was asked for */
  asOf?: string;
};

export type TrackRecordCallsReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
  /** Calls that were counted */
  calls: Array<RecordedCall>;
  /** The `cursor` of the page below; null at the end */
  nextCursor: string | null;
};

export type TrackRecordReplayReply = {
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
  /** The replay on past prices, never part of the live record; null without one */
  replay: Replay | null;
};

export type TrackRecordRangesReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  /** Coins in the list */
  coins: number;
  horizons: Array<{
    horizon: '24h' | '7d' | '28d';
    record: {
      /** How many went in */
      n: number;
      /** Share of returns inside the 80% range, 0 to 1 */
      coverage_80: number;
      /** Share of returns inside the 95% range, 0 to 1 */
      coverage_95: number;
    } | null;
    /** The replay on past prices, never part of the live record; null without one */
    replay: {
      /** How many went in */
      n: number;
      /** Share of returns inside the 80% range, 0 to 1 */
      coverage_80: number;
      /** Share of returns inside the 95% range, 0 to 1 */
      coverage_95: number;
    } | null;
  }>;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
};

export type CryptoPricesByIdRangesReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
  /** Its number or name */
  id: string;
  ranges: Array<{
    horizon: '24h' | '7d' | '28d';
    /** When it was frozen */
    issued_at: string;
    starts_at: string;
    /** USD */
    price: number;
    /** USD, 80% range of the price at the end of the horizon */
    range_80: {
      /** The lower end, in the unit of the figure */
      low: number;
      /** The upper end, in the unit of the figure */
      high: number;
    };
    /** USD, 95% range of the price at the end of the horizon */
    range_95: {
      /** The lower end, in the unit of the figure */
      low: number;
      /** The upper end, in the unit of the figure */
      high: number;
    };
    record: {
      /** How many went in */
      n: number;
      /** Share of returns inside the 80% range, 0 to 1 */
      coverage_80: number;
      /** Share of returns inside the 95% range, 0 to 1 */
      coverage_95: number;
    } | null;
    /** The replay on past prices, never part of the live record; null without one */
    replay: {
      /** How many went in */
      n: number;
      /** Share of returns inside the 80% range, 0 to 1 */
      coverage_80: number;
      /** Share of returns inside the 95% range, 0 to 1 */
      coverage_95: number;
    } | null;
    /** Source and age of the figures beside it; of one that is null the reason */
    meta: Provenance;
  }>;
};

export type AnalyticsSummaryReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  summary: AnalyticsSummary;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
};

export type AnalyticsRiskReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  /** Days that went in */
  days: number;
  risk: Array<RiskRow>;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
};

export type AnalyticsCorrelationReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  /** Days that went in */
  days: number;
  assets: Array<string>;
  pairs: Array<
    Array<{
      /** In the unit of the metric */
      value: number;
      /** How the number came to be: measured, computed, a stated default, or the demo’s */
      method: 'measured' | 'default';
      /** Days that went in */
      days: number;
      /** Source and age of the figures beside it; of one that is null the reason */
      meta: FigureMeta;
    }>
  >;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
};

export type LeagueReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  horizon: '24h' | '7d' | '28d' | '180d';
  /** All forecasters; the answer lists the first 100 */
  total: number;
  forecasters: Array<{
    name: string;
    track: string;
    /** When the first forecast was made */
    joined_at: string;
    /** Forecasts so far */
    forecasts: number;
    /** Forecasts whose time has not come */
    open: number;
    cell: {
      verdict: 'ahead' | 'behind' | 'no evidence' | 'too few independent windows';
      /** Corrected one-sided p of being ahead of every baseline */
      p_ahead: number | null;
      /** How many went in */
      n: number;
      /** Days on which calls were issued */
      dates: number;
      /** Issue dates whose windows share no day */
      n_eff: number;
      /** Brier score, 0 to 2; lower is better */
      brier: number | null;
      /** Brier score of saying the past rates */
      brier_climatology: number | null;
      /** Brier score of saying the last outcome again */
      brier_persistence: number | null;
      /** Brier score of saying a third each */
      brier_uniform: number | null;
      /** Against the best of base rates, persistence and uniform: 1 is perfect, 0 as good, below 0 worse */
      skill: number | null;
      ranges: {
        /** How many went in */
        n: number;
        /** Share of returns inside the 80% range, 0 to 1 */
        coverage_80: number;
        /** Share of returns inside the 95% range, 0 to 1 */
        coverage_95: number;
        /** Mean width of the 80% ranges, log return */
        width_80: number;
        /** Mean width of the 95% ranges, log return */
        width_95: number;
        /** Mean interval score of the 80% ranges, log return; lower is better */
        score_80: number | null;
        /** The same for past-year quantiles */
        score_80_trailing: number | null;
        /** Mean interval score of the 95% ranges, log return; lower is better */
        score_95: number | null;
        /** The same for past-year quantiles */
        score_95_trailing: number | null;
      } | null;
      /** Its part of the score */
      contribution: {
        /** How many went in */
        n: number;
        /** Mean Brier score of the league’s mean forecast without this forecaster, less that with them: above 0 they help */
        gain: number;
      } | null;
    } | null;
  }>;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
};

export type LeagueByNameReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  forecaster: {
    name: string;
    track: string;
    /** When the first forecast was made */
    joined_at: string;
    /** Forecasts so far */
    forecasts: number;
    /** Forecasts whose time has not come */
    open: number;
  };
  /** When the scores were computed */
  scored_at: string | null;
  /** The newest ledger entry that the scores count */
  scored_through: number | null;
  /** The newest ledger entry that any score of the league counts */
  league_through: number | null;
  cells: Array<LeagueCell>;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
};

export type ForecastsReply = {
  forecaster: string;
  /** When it was frozen */
  issued_at: string;
  forecasts: Array<{
    /** Its entry in the ledger */
    seq: number;
    hash: string;
    asset: 'BTC' | 'ETH' | 'SOL' | 'SUI' | 'XRP';
    horizon: '24h' | '7d' | '28d' | '180d';
    /** USD */
    price: number;
    resolves_at: string;
  }>;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
};

export type EventsReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
  events: Array<Event>;
  /** Events ahead, by impact */
  upcomingCounts: Record<string, number>;
  /** The `cursor` of the page below; null at the end */
  nextCursor: string | null;
};

export type InflationReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  cpi: Cpi | null;
  pce: Pce | null;
  ppi: Ppi | null;
  expectations: Expectations;
  commentary: Commentary;
  history: Record<string, Array<HistoryPoint>>;
  next: Array<NextRelease>;
  note: string | null;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
  /** The moment that was asked for */
  asOf?: string;
};

export type InflationReleasesReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  releases: Array<Release>;
  next: Array<NextRelease>;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
  /** The `cursor` of the page below; null at the end */
  nextCursor: string | null;
  /** The moment that was asked for */
  asOf?: string;
};

export type InflationForecastsReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  forecasts: {
    cpi: Forecast;
    pce: Forecast;
  };
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
  /** The moment that was asked for */
  asOf?: string;
};

export type InflationExpectationsReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  expectations: Expectations;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
  /** The moment that was asked for */
  asOf?: string;
};

export type InflationSentimentReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  data: InflationReading;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
  /** The moment that was asked for */
  asOf?: string;
};

export type AlertsReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
  alerts: Array<Alert>;
  /** The `cursor` of the page below; null at the end */
  nextCursor: string | null;
};

export type ThresholdsReply = {
  /** When this was put together; of a value the moment it is of */
  timestamp: string;
  /** Whether these are live data or the demo’s */
  dataMode: 'live' | 'demo';
  thresholds: Array<Threshold>;
  /** The `cursor` of the page below; null at the end */
  nextCursor: string | null;
};

export type ThresholdsPreviewReply = {
  metric: string;
  /** The unit of the value */
  unit: string;
  /** From here, included */
  from: string | null;
  /** To here, included */
  to: string | null;
  /** Days that went in */
  days: number;
  tried: Array<{
    /** Who gave it */
    source: string;
    grain: 'hourly closes' | 'daily closes' | 'collected values' | 'hourly values' | 'daily values' | 'analyses';
  }>;
  absent: string | null;
  /** Values of the line, oldest first: in USD, or pairs of milliseconds since 1970 and a value in `unit` */
  points: Array<[number, number]>;
  /** The watched level, in `unit` */
  level: number | null;
  /** How often it has fired */
  fires: Array<[number, number]>;
  /** How often it would have fired */
  fireCount: number;
  /** Fires a week */
  perWeek: number | null;
  /** Longest time without a fire, days */
  longestSilenceDays: number | null;
  /** Crossings that the options kept quiet */
  suppressed: number;
  after: {
    asset: string;
    /** How often it has fired */
    fires: {
      /** How many went in */
      n: number;
      /** The mean, in the unit of the figure */
      mean: number | null;
      /** The lower end, in the unit of the figure */
      low: number | null;
      /** The upper end, in the unit of the figure */
      high: number | null;
    };
    all: {
      /** How many went in */
      n: number;
      /** The mean, in the unit of the figure */
      mean: number | null;
      /** The lower end, in the unit of the figure */
      low: number | null;
      /** The upper end, in the unit of the figure */
      high: number | null;
    };
    verdict: 'higher' | 'lower' | 'no evidence';
  };
  suggestions: Array<{
    /** Fires a week */
    perWeek: number;
    /** In the unit of the metric */
    value: number;
  }>;
  /** Whether these are live data or the demo’s */
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
  /** The `cursor` of the page below; null at the end */
  nextCursor: string | null;
  /** Days that the plan shows or that are kept; null is everything */
  limitedToDays: number | null;
  reason: string | null;
  /** Whether these are live data or the demo’s */
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
  /** Its number or name */
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
  /** In the unit of the metric */
  value: number | 'BEARISH' | 'NEUTRAL' | 'BULLISH';
  enabled?: boolean;
  icon?: string | null;
  /** The unit of the value */
  unit?: string;
  options?: RuleOptionsInput;
};

export type RuleOptionsInput = {
  mode?: 'every' | 'once';
  /** No second fire within so many minutes */
  cooldownMinutes?: number;
  /** How far the value must come back, in the unit of the metric; null is the metric’s own */
  margin?: number | null;
  /** It must hold for so many minutes before the rule fires */
  holdMinutes?: number;
  expiresAt?: string | null;
  and?: SecondCondition | null;
  schedule?: Schedule | null;
};

export type GetMarketDataQuery = {
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
  /** An earlier moment, as 2026-11-20T12:00:00Z: the answer is rebuilt from what was stored by then */
  asOf?: string;
};

export type GetCryptoPricesQuery = {
  /** Rows of a page */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
  /** An earlier moment, as 2026-11-20T12:00:00Z: the answer is rebuilt from what was stored by then */
  asOf?: string;
};

export type GetCryptoPricesByIdQuery = {
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
};

export type GetCandlesQuery = {
  /** A symbol such as BTC, or the id of a coin */
  symbol: string;
  /** Minutes of a candle, or D, W, M for days, weeks from Monday and months */
  interval?: '1' | '5' | '15' | '30' | '60' | '240' | 'D' | 'W' | 'M';
  /** The first moment, included */
  from?: string;
  /** The last moment, included */
  to?: string;
  /** Rows of a page */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
};

export type GetSourcesQuery = {
  /** Rows of a page */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
};

export type GetAnalysisQuery = {
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
  /** An earlier moment, as 2026-11-20T12:00:00Z: the answer is rebuilt from what was stored by then */
  asOf?: string;
};

export type GetPredictionsQuery = {
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
};

export type GetTrackRecordQuery = {
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
  /** An earlier moment, as 2026-11-20T12:00:00Z: the answer is rebuilt from what was stored by then */
  asOf?: string;
};

export type GetTrackRecordCallsQuery = {
  /** An analyst, by id */
  provider?: string;
  /** One of the five tracked assets, by symbol */
  asset?: 'BTC' | 'ETH' | 'SOL' | 'SUI' | 'XRP';
  /** How far ahead the calls look */
  horizon?: '24h' | '7d' | '28d' | '180d';
  /** Calls that wait, that have an outcome, or that can have none */
  state?: 'open' | 'graded' | 'void';
  /** Rows of a page */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
};

export type GetTrackRecordReplayQuery = {
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
};

export type GetTrackRecordRangesQuery = {
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
};

export type GetCryptoPricesByIdRangesQuery = {
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
};

export type GetAnalyticsSummaryQuery = {
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
};

export type GetAnalyticsRiskQuery = {
  /** Days of past */
  days?: '30' | '90' | '365';
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
};

export type GetAnalyticsCorrelationQuery = {
  /** Days of past */
  days?: '30' | '90' | '365';
  /** How many assets: 5 or 20 */
  assets?: '5' | '20';
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
};

export type GetLeagueQuery = {
  /** How far ahead the calls look */
  horizon?: '24h' | '7d' | '28d' | '180d';
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
};

export type GetLeagueByNameQuery = {
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
};

export type GetEventsQuery = {
  /** Rows of a page */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
};

export type GetInflationQuery = {
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
  /** An earlier moment, as 2026-11-20T12:00:00Z: the answer is rebuilt from what was stored by then */
  asOf?: string;
};

export type GetInflationReleasesQuery = {
  /** Rows of a page */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
  /** An earlier moment, as 2026-11-20T12:00:00Z: the answer is rebuilt from what was stored by then */
  asOf?: string;
  /** Days of past */
  days?: string;
};

export type GetInflationForecastsQuery = {
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
  /** An earlier moment, as 2026-11-20T12:00:00Z: the answer is rebuilt from what was stored by then */
  asOf?: string;
};

export type GetInflationExpectationsQuery = {
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
  /** An earlier moment, as 2026-11-20T12:00:00Z: the answer is rebuilt from what was stored by then */
  asOf?: string;
};

export type GetInflationSentimentQuery = {
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
  /** An earlier moment, as 2026-11-20T12:00:00Z: the answer is rebuilt from what was stored by then */
  asOf?: string;
};

export type GetAlertsQuery = {
  /** Rows of a page */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
};

export type GetThresholdsQuery = {
  /** Rows of a page */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
};

export type GetHistoryByTypeQuery = {
  /** A symbol such as BTC, or the id of a coin */
  symbol?: string;
  /** The first moment, included */
  from?: string;
  /** The last moment, included */
  to?: string;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** Rows of a page */
  limit?: number;
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
};

export type GetAccountQuery = {
  /** Names of fields with dots between them and commas between the names, such as `prices.symbol,prices.price`. Source and age of what is chosen always come with it. */
  fields?: string;
};

export type GetStreamQuery = {
  /** Names with commas between them: prices, market, record, inflation, events, alerts */
  topics?: string;
};

export class MeridianClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Any call. @throws ApiRefusal for every answer that is none */
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

  /** The market as the dashboard shows it. Totals over every coin, market metrics (dominance, stablecoins, exchange flows, fear and greed, altcoin season, derivatives, on-chain), the large chains, trending narratives and the state of every source. Amounts are USD, changes and shares percent. Each figure has its source and age in `meta`, and a figure that is null has its reason there. Scope `market`, from Pro. */
  async getMarketData<const Q extends GetMarketDataQuery>(query?: Q): Promise<Chosen<Q, MarketDataReply>> {
    return (await this.ask('GET', '/api/v1/market-data', { query })).json() as Promise<Chosen<Q, MarketDataReply>>;
  }

  /** Prices of every coin. BTC, ETH, SOL, SUI and XRP first, then every coin by market cap. Prices, volumes and caps in USD, changes in percent. `meta` is source and age of the price, `listing` that of volume, cap and the other figures. Scope `market`, from Pro. */
  async getCryptoPrices<const Q extends GetCryptoPricesQuery>(query?: Q): Promise<Chosen<Q, CryptoPricesReply>> {
    return (await this.ask('GET', '/api/v1/crypto-prices', { query })).json() as Promise<Chosen<Q, CryptoPricesReply>>;
  }
  /** Prices of every coin, as CSV. */
  async getCryptoPricesCsv(query: GetCryptoPricesQuery = {}): Promise<string> {
    return (await this.ask('GET', '/api/v1/crypto-prices', { ...{ query }, accept: 'text/csv' })).text();
  }

  /** One coin, with what every source says of it. The price, what each source said last, and seven days of closes. `id` is that of the list, such as `bitcoin`. Scope `market`, from Pro. */
  async getCryptoPricesById<const Q extends GetCryptoPricesByIdQuery>(
    id: string,
    query?: Q,
  ): Promise<Chosen<Q, CryptoPricesByIdReply>> {
    return (await this.ask('GET', `/api/v1/crypto-prices/${encodeURIComponent(id)}`, { query })).json() as Promise<
      Chosen<Q, CryptoPricesByIdReply>
    >;
  }

  /** Candles of a coin. Open, high, low, close and volume in USD by minutes (1, 5, 15, 30, 60, 240), days (D), weeks (W) or months (M) in UTC, oldest first. Missing candles are named in `gaps` and never filled. `symbol` is a symbol or an id. Scope `market`, from Pro. */
  async getCandles<const Q extends GetCandlesQuery>(query: Q): Promise<Chosen<Q, CandlesReply>> {
    return (await this.ask('GET', '/api/v1/candles', { query })).json() as Promise<Chosen<Q, CandlesReply>>;
  }
  /** Candles of a coin, as CSV. */
  async getCandlesCsv(query: GetCandlesQuery): Promise<string> {
    return (await this.ask('GET', '/api/v1/candles', { ...{ query }, accept: 'text/csv' })).text();
  }

  /** The sources of all figures, and how they answer. Licence, attribution and state of every source, with the success rate (percent) and median latency (ms) of our own calls. Scope `market`, from Pro. */
  async getSources<const Q extends GetSourcesQuery>(query?: Q): Promise<Chosen<Q, SourcesReply>> {
    return (await this.ask('GET', '/api/v1/sources', { query })).json() as Promise<Chosen<Q, SourcesReply>>;
  }
  /** The sources of all figures, and how they answer, as CSV. */
  async getSourcesCsv(query: GetSourcesQuery = {}): Promise<string> {
    return (await this.ask('GET', '/api/v1/sources', { ...{ query }, accept: 'text/csv' })).text();
  }

  /** The newest analysis, and each opinion in it. Direction, probabilities and reasons for a day, 7, 28 and 180 days: of all analysts together and of each. Confidence in percent, probabilities 0 to 1. `missing` names who could have spoken and why not. Scope `analysis`, from Pro. */
  async getAnalysis<const Q extends GetAnalysisQuery>(query?: Q): Promise<Chosen<Q, AnalysisReply>> {
    return (await this.ask('GET', '/api/v1/analysis', { query })).json() as Promise<Chosen<Q, AnalysisReply>>;
  }

  /** The newest predictions, in short. Short, medium and long term (7, 28 and 180 days): direction, confidence in percent, reasoning. Null before the first analysis; `preparing` says how much of its history a fresh demo has written. Scope `analysis`, from Pro. */
  async getPredictions<const Q extends GetPredictionsQuery>(query?: Q): Promise<Chosen<Q, PredictionsReply>> {
    return (await this.ask('GET', '/api/v1/predictions', { query })).json() as Promise<Chosen<Q, PredictionsReply>>;
  }

  /** How the predictions did. Every graded call summed up: accuracies in percent, correlations −1 to 1, and per analyst and horizon what makes them honest: n, intervals, Brier score, skill against the best baseline and one plain word. Scope `analysis`, from Pro. */
  async getTrackRecord<const Q extends GetTrackRecordQuery>(query?: Q): Promise<Chosen<Q, TrackRecordReply>> {
    return (await this.ask('GET', '/api/v1/track-record', { query })).json() as Promise<Chosen<Q, TrackRecordReply>>;
  }

  /** Every call as it was frozen, with its outcome. Newest first. Probabilities and price at issue, and what came: `seq` is its entry in the public ledger. Scope `analysis`, from Pro. */
  async getTrackRecordCalls<const Q extends GetTrackRecordCallsQuery>(
    query?: Q,
  ): Promise<Chosen<Q, TrackRecordCallsReply>> {
    return (await this.ask('GET', '/api/v1/track-record/calls', { query })).json() as Promise<
      Chosen<Q, TrackRecordCallsReply>
    >;
  }
  /** Every call as it was frozen, with its outcome, as CSV. */
  async getTrackRecordCallsCsv(query: GetTrackRecordCallsQuery = {}): Promise<string> {
    return (await this.ask('GET', '/api/v1/track-record/calls', { ...{ query }, accept: 'text/csv' })).text();
  }

  /** The replay of the built-in analyst on past prices. What the built-in analyst would have forecast for past days, graded at daily closes by the scoring code of the live record. Never part of the live record. Null until the price history has loaded, and in demo mode, whose prices are simulated. Scope `analysis`, from Pro. */
  async getTrackRecordReplay<const Q extends GetTrackRecordReplayQuery>(
    query?: Q,
  ): Promise<Chosen<Q, TrackRecordReplayReply>> {
    return (await this.ask('GET', '/api/v1/track-record/replay', { query })).json() as Promise<
      Chosen<Q, TrackRecordReplayReply>
    >;
  }

  /** How often the daily price ranges of all coins held. All coins but BTC, ETH, SOL, SUI and XRP, whose ranges are graded with their calls. `coins` have a range now. `record` counts ranges issued within the first hour, `replay` what the same method would have given on past days. Scope `analysis`, from Pro. */
  async getTrackRecordRanges<const Q extends GetTrackRecordRangesQuery>(
    query?: Q,
  ): Promise<Chosen<Q, TrackRecordRangesReply>> {
    return (await this.ask('GET', '/api/v1/track-record/ranges', { query })).json() as Promise<
      Chosen<Q, TrackRecordRangesReply>
    >;
  }

  /** Price ranges of a coin, and how often earlier ones held. Where the built-in analyst expects the price after a day, 7 and 28 days, 80 and 95 times in 100, in USD. A new range each day at 00:00 UTC; BTC, ETH, SOL, SUI and XRP have one with each analysis. `record` counts ranges issued within the first hour, `replay` what the same method would have given on past days. Empty for coins with too little history and for stablecoins. `id` is that of the list, such as `bitcoin`. Scope `analysis`, from Pro. */
  async getCryptoPricesByIdRanges<const Q extends GetCryptoPricesByIdRangesQuery>(
    id: string,
    query?: Q,
  ): Promise<Chosen<Q, CryptoPricesByIdRangesReply>> {
    return (
      await this.ask('GET', `/api/v1/crypto-prices/${encodeURIComponent(id)}/ranges`, { query })
    ).json() as Promise<Chosen<Q, CryptoPricesByIdRangesReply>>;
  }

  /** Volume, volatility and trend of the tracked assets. Volume in USD, volatility, change and dominance in percent. For Premium+. Scope `analysis`, from Premium+. */
  async getAnalyticsSummary<const Q extends GetAnalyticsSummaryQuery>(
    query?: Q,
  ): Promise<Chosen<Q, AnalyticsSummaryReply>> {
    return (await this.ask('GET', '/api/v1/analytics/summary', { query })).json() as Promise<
      Chosen<Q, AnalyticsSummaryReply>
    >;
  }

  /** Risk of the tracked assets. Volatility in percent a year, Sharpe and Sortino ratios, drawdown in percent, beta to BTC, of 30, 90 or 365 daily closes. For Premium+. Scope `analysis`, from Premium+. */
  async getAnalyticsRisk<const Q extends GetAnalyticsRiskQuery>(query?: Q): Promise<Chosen<Q, AnalyticsRiskReply>> {
    return (await this.ask('GET', '/api/v1/analytics/risk', { query })).json() as Promise<
      Chosen<Q, AnalyticsRiskReply>
    >;
  }

  /** Correlations between assets. Of daily log returns, −1 to 1, row by row: `pairs[i][j]` is of `assets[i]` and `assets[j]`. A pair with too little common past is a stated default. For Premium+. Scope `analysis`, from Premium+. */
  async getAnalyticsCorrelation<const Q extends GetAnalyticsCorrelationQuery>(
    query?: Q,
  ): Promise<Chosen<Q, AnalyticsCorrelationReply>> {
    return (await this.ask('GET', '/api/v1/analytics/correlation', { query })).json() as Promise<
      Chosen<Q, AnalyticsCorrelationReply>
    >;
  }

  /** The open league: everyone who forecasts, best first. Scores at one `horizon` (24h unless chosen), the first 100: ahead of every baseline first, then by skill from 60 independent dates on, then by dates. `cell` is null before the first graded forecast. `contribution` is what the forecaster adds to the mean of all, in Brier score. Scope `analysis`, from Pro. */
  async getLeague<const Q extends GetLeagueQuery>(query?: Q): Promise<Chosen<Q, LeagueReply>> {
    return (await this.ask('GET', '/api/v1/league', { query })).json() as Promise<Chosen<Q, LeagueReply>>;
  }
  /** The open league: everyone who forecasts, best first, as CSV. */
  async getLeagueCsv(query: GetLeagueQuery = {}): Promise<string> {
    return (await this.ask('GET', '/api/v1/league', { ...{ query }, accept: 'text/csv' })).text();
  }

  /** One forecaster of the open league. Scores at every horizon. `track` is the `provider` under which each forecast stands among the calls. Scope `analysis`, from Pro. */
  async getLeagueByName<const Q extends GetLeagueByNameQuery>(
    name: string,
    query?: Q,
  ): Promise<Chosen<Q, LeagueByNameReply>> {
    return (await this.ask('GET', `/api/v1/league/${encodeURIComponent(name)}`, { query })).json() as Promise<
      Chosen<Q, LeagueByNameReply>
    >;
  }

  /** Submit forecasts to the open league. Up to 20 forecasts of BTC, ETH, SOL, SUI and XRP at 24h, 7d, 28d or 180d: three probabilities that sum to 1 and, if given, the 80% and 95% ranges in USD. `flat` is a log return within ±0.43 of the past 30 days’ volatility scaled to the horizon. Frozen at the price of their arrival in the public ledger, all or none, one for each asset, horizon and UTC day; nothing can be changed or withdrawn. `forecaster` is the public name, which the first submission takes for the account. Scope `forecasts:write`, from Pro. */
  async postForecasts(body: ForecastsInput): Promise<ForecastsReply> {
    return (await this.ask('POST', '/api/v1/forecasts', { body })).json() as Promise<ForecastsReply>;
  }

  /** Events ahead, and those of the last 7 days. Releases, meetings, expiries and crypto events with their impact, source and the reason for it. Future ones first, soonest first; times in UTC. `upcomingCounts` is how many are ahead by impact. Scope `calendar`, from Pro. */
  async getEvents<const Q extends GetEventsQuery>(query?: Q): Promise<Chosen<Q, EventsReply>> {
    return (await this.ask('GET', '/api/v1/events', { query })).json() as Promise<Chosen<Q, EventsReply>>;
  }
  /** Events ahead, and those of the last 7 days, as CSV. */
  async getEventsCsv(query: GetEventsQuery = {}): Promise<string> {
    return (await this.ask('GET', '/api/v1/events', { ...{ query }, accept: 'text/csv' })).text();
  }

  /** CPI, PCE and PPI. The newest official figures: index levels, changes in percent by month and year, what was expected, 24 months of past, and the releases that come. Scope `calendar`, from Pro. */
  async getInflation<const Q extends GetInflationQuery>(query?: Q): Promise<Chosen<Q, InflationReply>> {
    return (await this.ask('GET', '/api/v1/inflation', { query })).json() as Promise<Chosen<Q, InflationReply>>;
  }

  /** Releases of official prices. Those of the last `days` days, newest first, and the next ones. Scope `calendar`, from Pro. */
  async getInflationReleases<const Q extends GetInflationReleasesQuery>(
    query?: Q,
  ): Promise<Chosen<Q, InflationReleasesReply>> {
    return (await this.ask('GET', '/api/v1/inflation/releases', { query })).json() as Promise<
      Chosen<Q, InflationReleasesReply>
    >;
  }
  /** Releases of official prices, as CSV. */
  async getInflationReleasesCsv(query: GetInflationReleasesQuery = {}): Promise<string> {
    return (await this.ask('GET', '/api/v1/inflation/releases', { ...{ query }, accept: 'text/csv' })).text();
  }

  /** Forecasts of the coming CPI and PCE. Percent a month by each forecaster, frozen before the release, with how they did before against consensus, nowcast and last value. Scope `calendar`, from Pro. */
  async getInflationForecasts<const Q extends GetInflationForecastsQuery>(
    query?: Q,
  ): Promise<Chosen<Q, InflationForecastsReply>> {
    return (await this.ask('GET', '/api/v1/inflation/forecasts', { query })).json() as Promise<
      Chosen<Q, InflationForecastsReply>
    >;
  }

  /** What was expected of the newest releases. Consensus and nowcast against what came, percent a month (a year for `yoy`); `surprise` in percentage points. Scope `calendar`, from Pro. */
  async getInflationExpectations<const Q extends GetInflationExpectationsQuery>(
    query?: Q,
  ): Promise<Chosen<Q, InflationExpectationsReply>> {
    return (await this.ask('GET', '/api/v1/inflation/expectations', { query })).json() as Promise<
      Chosen<Q, InflationExpectationsReply>
    >;
  }

  /** What the newest inflation figures mean for markets. The sentiment in seven steps with its score and the terms it is made of. Scope `calendar`, from Pro. */
  async getInflationSentiment<const Q extends GetInflationSentimentQuery>(
    query?: Q,
  ): Promise<Chosen<Q, InflationSentimentReply>> {
    return (await this.ask('GET', '/api/v1/inflation/sentiment', { query })).json() as Promise<
      Chosen<Q, InflationSentimentReply>
    >;
  }

  /** Alerts that were raised. What was raised for everyone and by the rules of the owner of the key, newest first. `value` is in the unit of the metric; `receipt` is the way from the source to the reader. Scope `alerts`, from Pro. */
  async getAlerts<const Q extends GetAlertsQuery>(query?: Q): Promise<Chosen<Q, AlertsReply>> {
    return (await this.ask('GET', '/api/v1/alerts', { query })).json() as Promise<Chosen<Q, AlertsReply>>;
  }
  /** Alerts that were raised, as CSV. */
  async getAlertsCsv(query: GetAlertsQuery = {}): Promise<string> {
    return (await this.ask('GET', '/api/v1/alerts', { ...{ query }, accept: 'text/csv' })).text();
  }

  /** The rules of the owner of the key. Each with its state, the watched value now, and why it is paused where it is. Scope `alerts`, from Pro. */
  async getThresholds<const Q extends GetThresholdsQuery>(query?: Q): Promise<Chosen<Q, ThresholdsReply>> {
    return (await this.ask('GET', '/api/v1/thresholds', { query })).json() as Promise<Chosen<Q, ThresholdsReply>>;
  }
  /** The rules of the owner of the key, as CSV. */
  async getThresholdsCsv(query: GetThresholdsQuery = {}): Promise<string> {
    return (await this.ask('GET', '/api/v1/thresholds', { ...{ query }, accept: 'text/csv' })).text();
  }

  /** Create an alert rule. The rule watches from now on and tells by the ways that are switched on in the profile. The same checks as on the alerts page. Scope `alerts:write`, from Pro. */
  async postThresholds(body: ThresholdInput): Promise<Threshold> {
    return (await this.ask('POST', '/api/v1/thresholds', { body })).json() as Promise<Threshold>;
  }

  /** Try an alert rule on the past. What the rule would have done on up to 90 days of stored values: when it would have fired, how often a week, and what the price did afterwards. Nothing is saved. Scope `alerts`, from Pro. */
  async postThresholdsPreview(body: ThresholdInput): Promise<ThresholdsPreviewReply> {
    return (await this.ask('POST', '/api/v1/thresholds/preview', { body })).json() as Promise<ThresholdsPreviewReply>;
  }

  /** Stored values of the past. Newest first: value with its unit, source and method, and the change against the next older value of the same symbol. `from` and `to` are included. `limitedToDays` is what the plan shows; null is everything. Scope `market`, from Pro. */
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
  /** Stored values of the past, as CSV. */
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

  /** The plan behind the key, and what the key may do. The plan of the owner and the scopes of the key. How many calls are left stands in the RateLimit header of every answer. Scope `market`, from Pro. */
  async getAccount<const Q extends GetAccountQuery>(query?: Q): Promise<Chosen<Q, AccountReply>> {
    return (await this.ask('GET', '/api/v1/account', { query })).json() as Promise<Chosen<Q, AccountReply>>;
  }

  /** What changes, as it changes. Server-sent events of the topics named in `topics`, else of all that are open to everyone. A connection costs one call; it ends after a quarter of an hour and goes on where it was with Last-Event-ID. Scope `market`, for `alerts` also `alerts`, from Pro. */
  async getStream(query: GetStreamQuery = {}): Promise<Response> {
    return this.ask('GET', '/api/v1/stream', { ...{ query }, accept: 'text/event-stream' });
  }
}
