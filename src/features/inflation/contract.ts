import { z } from 'zod/mini';

import { endpoint, topic } from '#shared/contract.ts';
import { figureMeta, figures } from '#shared/figures.ts';
import { IMPACT_STEPS, SENTIMENT_STEPS } from '#shared/inflation-rule.ts';

export const INDICATORS = ['cpi', 'pce', 'ppi'] as const;
export const indicator = z.enum(INDICATORS);
export type Indicator = z.infer<typeof indicator>;

/**
 * Replaces a yearly rate that spans an unpublished month: the newest computable one with its month, and the annual rate
 * over two years.
 */
export const yearGap = figures(['newestYoY', 'twoYearRate'], { newestPeriod: z.nullable(z.string()) });
export type YearGap = z.infer<typeof yearGap>;

/** Release day and reference month; null while no release is known. */
const dates = z.object({
  date: z.nullable(z.iso.date()),
  period: z.nullable(z.string().check(z.regex(/^\d{4}-\d{2}$/))),
  /** Deviations from the usual basis: `SA` for a year-over-year rate of the adjusted index. */
  basis: z.record(z.string(), z.literal('SA')),
  /** Keyed by the yearly rate that is null: `cpiYoY`. */
  gaps: z.record(z.string(), yearGap),
});

/** `cpi`, `pce`, `ppi` and the cores are index levels; changes in percent, MoM adjusted, YoY unadjusted. */
export const cpi = figures(['cpi', 'cpiMoM', 'cpiYoY', 'coreCPI', 'coreCPIMoM', 'coreCPIYoY'], dates.shape);
export const pce = figures(['pce', 'pceMoM', 'pceYoY', 'corePCE', 'corePCEMoM', 'corePCEYoY'], dates.shape);
export const ppi = figures(['ppi', 'ppiMoM', 'ppiYoY', 'corePPI', 'corePPIMoM', 'corePPIYoY'], dates.shape);

/**
 * Expectations for the newest release: percent per month, and per year for `yoy`. `consensus` is the survey of
 * forecasters, `nowcast` the Cleveland Fed model; `surprise` is actual − consensus in percentage points, or actual −
 * nowcast without a consensus, and null with neither.
 */
export const expectation = figures(['consensus', 'nowcast', 'previous', 'actual', 'surprise']);
export type Expectation = z.infer<typeof expectation>;

const months = z.object({ headline: expectation, core: expectation });
const monthsAndYear = z.extend(months, { yoy: expectation });
export const expectations = z.object({
  cpi: months,
  pce: months,
  ppi: monthsAndYear,
});
export type Expectations = z.infer<typeof expectations>;

/** A point of the small charts: one reference month; null where the month was not published, with the reason. */
export const historyPoint = z.object({
  period: z.string(),
  mom: z.nullable(z.number()),
  yoy: z.nullable(z.number()),
  reason: z.optional(z.string()),
});
export type HistoryPoint = z.infer<typeof historyPoint>;

/** The last 24 reference months by series: `cpi`, `coreCPI`, `pce`, `corePCE`, `ppi`, `corePPI`. */
const history = z.record(z.string(), z.array(historyPoint));

/** An upcoming release; `estimated` when the agency has not announced the day. */
export const nextRelease = z.object({
  type: indicator,
  date: z.iso.datetime(),
  period: z.string(),
  source: z.string(),
  estimated: z.boolean(),
});

const note = z.nullable(z.string());

/** Commentary on the newest figures: rule-based sentences, plus a language model's if available. */
export const commentary = z.object({
  cpi: z.array(z.string()),
  pce: z.array(z.string()),
  ppi: z.array(z.string()),
  ai: z.nullable(
    z.object({
      text: z.string(),
      provider: z.string(),
      model: z.string(),
      at: z.iso.datetime(),
    }),
  ),
});

export const latestInflation = z.object({
  timestamp: z.iso.datetime(),
  /** Null when there is no data at all: the page says "temporarily unavailable". */
  cpi: z.nullable(cpi),
  pce: z.nullable(pce),
  ppi: z.nullable(ppi),
  expectations,
  commentary,
  history,
  next: z.array(nextRelease),
  /** In one sentence: the date up to which figures are official; later ones are simulated. */
  note,
});
export type LatestInflation = z.infer<typeof latestInflation>;

export const release = z.object({
  type: z.enum(['CPI', 'PCE', 'PPI']),
  date: z.iso.date(),
  releasedAt: z.iso.datetime(),
  period: z.string(),
  source: z.string(),
  revisions: z.int(),
});
export type Release = z.infer<typeof release>;

/** One forecaster's number for one release, frozen before it; `error` is prediction − first release, in points. */
export const forecastEntry = z.object({
  id: z.int(),
  forecaster: z.string(),
  name: z.string(),
  model: z.nullable(z.string()),
  period: z.string(),
  issued_at: z.iso.datetime(),
  /** Month-over-month percent, headline. */
  prediction: z.number(),
  core: z.nullable(z.number()),
  confidence: z.nullable(z.number()),
  reasoning: z.nullable(z.string()),
  actual: z.nullable(z.number()),
  error: z.nullable(z.number()),
});
export type ForecastEntry = z.infer<typeof forecastEntry>;

/**
 * Record on first releases: the forecasters, then the benchmarks. Mean absolute errors in points over the months
 * covered, each with a 99% interval; none below eight months.
 */
export const forecastScore = z.object({
  forecaster: z.string(),
  name: z.string(),
  /** Consensus, nowcast or last value, as of just before the release. */
  yardstick: z.boolean(),
  /** Forecast for the next release, month-over-month percent. */
  says: z.nullable(z.number()),
  n: z.int(),
  mae: z.nullable(z.number()),
  low: z.nullable(z.number()),
  high: z.nullable(z.number()),
  /** Its errors minus those of the last value, over common months: below zero is better. Null for the last value. */
  skill: z.nullable(
    z.object({
      n: z.int(),
      difference: z.nullable(z.number()),
      low: z.nullable(z.number()),
      high: z.nullable(z.number()),
      verdict: z.enum(['ahead', 'no evidence', 'behind', 'too few']),
    }),
  ),
});
export type ForecastScore = z.infer<typeof forecastScore>;

export const forecast = z.object({
  period: z.nullable(z.string()),
  release_date: z.nullable(z.iso.datetime()),
  /** The mean of the forecasters, as on the card; null without forecasts. */
  forecast_data: z.nullable(
    z.object({
      prediction: z.nullable(z.number()),
      core: z.nullable(z.number()),
      n: z.int(),
    }),
  ),
  entries: z.array(forecastEntry),
  past: z.array(forecastEntry),
  scores: z.array(forecastScore),
});
export type Forecast = z.infer<typeof forecast>;

export const inflationSentiment = z.enum(SENTIMENT_STEPS);
export type InflationSentiment = z.infer<typeof inflationSentiment>;
export const marketImpact = z.enum(IMPACT_STEPS);

/**
 * One term of the score: −clamp(surprise ÷ 0.1, −2, 2) × weight. `expected` is the consensus or the nowcast; with
 * neither it and `surprise` are null and the change of the yearly rate counts. `instead` names the replacement for a
 * consensus.
 */
export const sentimentTerm = z.object({
  series: z.string(),
  name: z.string(),
  period: z.nullable(z.string()),
  actual: z.nullable(z.number()),
  expected: z.nullable(z.number()),
  surprise: z.nullable(z.number()),
  weight: z.number(),
  contribution: z.number(),
  instead: z.nullable(z.string()),
});

export const sentimentReading = z.object({
  sentiment: z.nullable(inflationSentiment),
  score: z.nullable(z.number()),
  marketImpact: z.nullable(
    z.object({
      crypto: marketImpact,
      stocks: marketImpact,
      bonds: marketImpact,
      description: z.string(),
    }),
  ),
  terms: z.array(sentimentTerm),
  meta: z.record(z.string(), figureMeta),
});
export type InflationReading = z.infer<typeof sentimentReading>;

const days = z.optional(
  z.string().check(z.regex(/^([1-9]|[1-9]\d|[1-3]\d\d)$/, 'days must be a whole number from 1 to 399')),
);

export const getLatestInflation = endpoint({
  method: 'GET',
  access: 'public',
  path: '/api/inflation/latest',
  reply: latestInflation,
});
/** Releases of the last `days` (7) days, newest first. */
export const getInflationReleases = endpoint({
  method: 'GET',
  access: 'public',
  path: '/api/inflation/releases',
  query: z.object({ days }),
  reply: z.object({
    timestamp: z.iso.datetime(),
    releases: z.array(release),
    next: z.array(nextRelease),
  }),
});
export const getInflationForecasts = endpoint({
  method: 'GET',
  access: 'public',
  path: '/api/inflation/forecasts',
  reply: z.object({
    timestamp: z.iso.datetime(),
    forecasts: z.object({ cpi: forecast, pce: forecast }),
  }),
});
export const getInflationExpectations = endpoint({
  method: 'GET',
  access: 'public',
  path: '/api/inflation/expectations',
  reply: z.object({ timestamp: z.iso.datetime(), expectations }),
});
export const getInflationSentiment = endpoint({
  method: 'GET',
  access: 'public',
  path: '/api/inflation/sentiment',
  reply: z.object({ timestamp: z.iso.datetime(), data: sentimentReading }),
});

/** The card at a past moment: everything published, expected and forecast by then. */
export const getInflationAt = endpoint({
  method: 'GET',
  access: 'public',
  path: '/api/inflation/at',
  query: z.object({ asOf: z.iso.datetime('Must be an ISO time such as 2026-11-20T12:00:00Z') }),
  reply: z.object({
    latest: latestInflation,
    releases: z.array(release),
    forecasts: z.object({ cpi: forecast, pce: forecast }),
    expectations,
    reading: sentimentReading,
  }),
});

export type InflationEarlier = z.infer<typeof getInflationAt.reply>;
export type InflationForecasts = z.infer<typeof getInflationForecasts.reply>;
export type InflationExpectations = z.infer<typeof getInflationExpectations.reply>;
export type InflationSentimentReply = z.infer<typeof getInflationSentiment.reply>;

/** An indicator has changed: a new release, a revision, a forecast. */
export const inflationTopic = topic({
  name: 'inflation',
  access: 'public',
  data: z.object({ at: z.number(), types: z.array(indicator) }),
});
