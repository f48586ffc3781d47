import { z } from 'zod/mini';
import { alert, raisedAlert, receipt } from '#features/alerts/contract/alerts.ts';
import {
  preview,
  ruleOptions,
  schedule,
  secondCondition,
  threshold,
  thresholdInput,
} from '#features/alerts/contract/thresholds.ts';
import {
  aiAnalysis,
  missingProvider,
  predictionSet,
  providerOpinion,
  term,
} from '#features/analysis/contract/analysis.ts';
import { forecasts, leagueCell } from '#features/analysis/contract/league.ts';
import { gradedCall, probabilities, recordedCall, trackCell } from '#features/analysis/contract/predictions.ts';
import { replay } from '#features/analysis/contract/replay.ts';
import { riskRow, summary } from '#features/analytics/contract.ts';
import { event, otherTime, releaseFigures } from '#features/events/contract.ts';
import { historyRecord } from '#features/exports/contract/history.ts';
import {
  commentary,
  cpi,
  expectation,
  expectations,
  forecast,
  forecastEntry,
  forecastScore,
  historyPoint,
  nextRelease,
  pce,
  ppi,
  release,
  sentimentReading,
  sentimentTerm,
} from '#features/inflation/contract.ts';
import { chain, layer1Data } from '#features/market/contract/layer1.ts';
import { candle, cryptoPrice, marketTotals, sourceHealth, sourceQuote } from '#features/market/contract/market.ts';
import { advancedMetrics, derivatives, onchain } from '#features/market/contract/metrics.ts';
import { narrative, narrativeCoin, narrativeTerms } from '#features/market/contract/narratives.ts';
import { callRecord, sourceDetail } from '#features/operations/contract/sources.ts';
import { apiError } from '#shared/contract.ts';
import { figureMeta, figureMissing, figureOrigin } from '#shared/figures.ts';
import { provenance } from '#shared/provenance.ts';

import type { ApiCall } from '../call.ts';
import type { Shape } from '../http/response.ts';
import { FIELDS } from './fields.ts';

export const TAGS = [
  ['Market', 'Prices, metrics, candles, data sources and their history'],
  ['Analysis', 'AI analyses, predictions, track record and Premium+ analytics'],
  ['Calendar', 'Events and official inflation data'],
  ['Alerts', 'Raised alerts and your alert rules'],
  ['Account', 'Plan and scopes of the API key'],
] as const;

export const PARAMETERS: Readonly<Record<string, string>> = {
  asOf: 'Point in time, such as 2026-11-20T12:00:00Z. The response is rebuilt from the data stored by then.',
  asset: 'Symbol of one of the five tracked assets',
  assets: 'Number of assets, 5 or 20',
  cursor: '`nextCursor` of the previous page',
  days: 'Number of days of history',
  fields:
    'Comma-separated field paths to return, such as `prices.symbol,prices.price`. The source and age of each selected field are always included.',
  format: 'Response format; `csv` is equivalent to `Accept: text/csv`',
  from: 'Start of the time range, inclusive',
  horizon: 'Forecast horizon',
  id: 'Coin ID, such as `bitcoin`',
  interval: 'Candle interval in minutes, or D, W or M for days, weeks (starting Monday) or months',
  limit: 'Number of rows per page',
  name: 'Public name of a forecaster in the open league',
  provider: 'Analyst ID',
  state: 'Calls that are pending (`open`), `graded` or `void`',
  symbol: 'Symbol such as `BTC`, or coin ID',
  to: 'End of the time range, inclusive',
  topics: 'Comma-separated topics: prices, market, record, inflation, events, alerts',
  type: 'Type of historical data',
};

/** Adds descriptions to fields, by schema and field name or by field name alone. */
function describeAll(schemas: Record<string, Shape>): Record<string, Shape> {
  return Object.fromEntries(Object.entries(schemas).map(([name, shape]) => [name, described(shape, name)]));
}

function described(value: unknown, of: string): Shape {
  if (Array.isArray(value)) return value.map((each) => described(each, of)) as unknown as Shape;
  if (typeof value !== 'object' || value === null) return value as Shape;
  const shape = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, described(each, of)])) as Shape;
  if (!shape.properties || shape.type !== 'object') return shape;
  const properties = Object.entries(shape.properties).map(([name, each]) => {
    const description = FIELDS[`${of}.${name}`] ?? FIELDS[name];
    return [
      name,
      description === undefined || each.description !== undefined ? each : { description, ...each },
    ] as const;
  });
  return { ...shape, properties: Object.fromEntries(properties) };
}

/** Schemas with their own name in the document. */
const NAMED: Readonly<Record<string, z.ZodMiniType>> = {
  Alert: alert,
  AdvancedMetrics: advancedMetrics,
  AiAnalysis: aiAnalysis,
  AnalyticsSummary: summary,
  ApiError: apiError,
  CallRecord: callRecord,
  Candle: candle,
  Chain: chain,
  Commentary: commentary,
  Cpi: cpi,
  CryptoPrice: cryptoPrice,
  Derivatives: derivatives,
  Event: event,
  Expectation: expectation,
  Expectations: expectations,
  FigureMeta: figureMeta,
  FigureMissing: figureMissing,
  FigureOrigin: figureOrigin,
  Forecast: forecast,
  ForecastEntry: forecastEntry,
  ForecastScore: forecastScore,
  GradedCall: gradedCall,
  HistoryPoint: historyPoint,
  HistoryRecord: historyRecord,
  InflationReading: sentimentReading,
  Layer1Data: layer1Data,
  LeagueCell: leagueCell,
  MarketTotals: marketTotals,
  MissingProvider: missingProvider,
  Narrative: narrative,
  NarrativeCoin: narrativeCoin,
  NarrativeTerms: narrativeTerms,
  NextRelease: nextRelease,
  Onchain: onchain,
  OtherTime: otherTime,
  Pce: pce,
  Ppi: ppi,
  PredictionSet: predictionSet,
  Preview: preview,
  Probabilities: probabilities,
  Provenance: provenance,
  ProviderOpinion: providerOpinion,
  RaisedAlert: raisedAlert,
  Receipt: receipt,
  RecordedCall: recordedCall,
  Release: release,
  ReleaseFigures: releaseFigures,
  Replay: replay,
  RiskRow: riskRow,
  RuleOptions: ruleOptions,
  Schedule: schedule,
  SecondCondition: secondCondition,
  SentimentTerm: sentimentTerm,
  SourceDetail: sourceDetail,
  SourceHealth: sourceHealth,
  SourceQuote: sourceQuote,
  Term: term,
  Threshold: threshold,
  TrackCell: trackCell,
};

const uri = (id: string) => `#/components/schemas/${id}`;
const SAFE = new Set([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

/** Integer bounds are omitted: they only repeat the JSON limits. */
function simplify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplify);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !(name === 'pattern' && 'format' in value))
      .filter(
        ([name, each]) =>
          name !== '$schema' && name !== '$id' && !(/^(min|max)imum$/.test(name) && SAFE.has(each as number)),
      )
      .map(([name, each]) => [name, simplify(each)]),
  );
}

function toJsonSchemas(
  schemas: Readonly<Record<string, z.ZodMiniType>>,
  io: 'input' | 'output',
): Record<string, Shape> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const made = z.toJSONSchema(registry, { uri, io, unrepresentable: 'any' });
  return simplify(made.schemas) as Record<string, Shape>;
}

/** The operation's name, such as `getHistoryByType`. */
export function schemaName({ method, path }: { method: string; path: string }): string {
  const words = path
    .replace('/api/v1/', '')
    .split('/')
    .flatMap((part) => (part.startsWith(':') ? ['by', part.slice(1)] : part.split('-')));
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

export const replyName = (endpoint: ApiCall['endpoint']): string =>
  `${schemaName(endpoint).replace(/^(get|post)/, '')}Reply`;

/** Request bodies. */
const BODIES: Readonly<Record<string, z.ZodMiniType>> = { ThresholdInput: thresholdInput, ForecastsInput: forecasts };

/** Schemas of the document: named ones, and the response of each call. */
export function buildSchemas(calls: readonly ApiCall[]): Record<string, Shape> {
  const named = new Set<z.ZodMiniType>(Object.values(NAMED));
  const replies = calls.filter(({ endpoint }) => !named.has(endpoint.reply));
  const output = toJsonSchemas(
    { ...NAMED, ...Object.fromEntries(replies.map(({ endpoint }) => [replyName(endpoint), endpoint.reply])) },
    'output',
  );
  const {
    ThresholdInput: input,
    RuleOptions: options,
    ...rest
  } = toJsonSchemas(
    { ...BODIES, RuleOptions: ruleOptions, Schedule: schedule, SecondCondition: secondCondition },
    'input',
  );
  const inputs: Record<string, Shape> = {
    ThresholdInput: JSON.parse(JSON.stringify(input).replaceAll(uri('RuleOptions'), uri('RuleOptionsInput'))) as Shape,
    RuleOptionsInput: options as Shape,
  };
  return describeAll({ ...rest, ...output, ...inputs });
}

/** Reference to a call's response. */
export function replyReference({ endpoint }: Pick<ApiCall, 'endpoint'>): { $ref: string } {
  const named = Object.entries(NAMED).find(([, schema]) => schema === endpoint.reply);
  return { $ref: uri(named ? named[0] : replyName(endpoint)) };
}

/** Reference to a call's request body. */
export function bodyReference({ body }: ApiCall['endpoint']): { $ref: string } {
  const [name] = Object.entries(BODIES).find(([, schema]) => schema === body) ?? [];
  if (name === undefined) throw new Error('A request body has no name');
  return { $ref: uri(name) };
}

/** The schema of one parameter. */
export function parameterShape(schema: z.ZodMiniType): Shape {
  const { $schema: _, ...shape } = simplify(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })) as Shape;
  return shape;
}
