import type { StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod/mini';
import type {
  createRule,
  previewRule,
  readAccount,
  readAlerts,
  readEvents,
  readInflation,
  readInflationForecasts,
  readInflationReleases,
  readInflationSentiment,
  readThresholds,
} from '#features/api/contract/api.ts';
import { type ApiCall, apiInput } from '#features/api/server/api/service.ts';
import { AppError } from '#kernel/errors.ts';
import {
  formatAnalysis,
  formatCalls,
  formatCoinRanges,
  formatCorrelation,
  formatFigures,
  formatForecaster,
  formatLeague,
  formatPredictions,
  formatRangesRecord,
  formatRecord,
  formatReplay,
  formatSubmitted,
} from './format/analysis.ts';
import {
  agoText,
  cited,
  type FormatTool,
  figureLines,
  formatBrief,
  formatCandles,
  formatCoin,
  formatHistory,
  formatMarket,
  formatPrices,
  formatSources,
  lines,
  type ToolFormatter,
  type ToolReply,
} from './format.ts';
import { documentedSchema, joinInputs, toJsonSchema } from './schemas.ts';

const percentPoint = (value: number | null): string => (value === null ? 'unknown' : `${value.toFixed(2)}%`);

const formatEvents = ({ events }: ToolReply<typeof readEvents>, { now }: ToolFormatter): string =>
  events.length === 0
    ? 'No events found.'
    : lines(
        events.map(
          ({ title, date, allDay, dateEstimated, impact, source, checkedAt, status }) =>
            `${allDay ? date.slice(0, 10) : date} ${title ?? 'untitled'}, ${impact} impact${status === 'past' ? ', past' : ''}${dateEstimated ? ', date estimated' : ''} (${source ?? 'unknown source'}, checked ${agoText(checkedAt, now())})`,
        ),
        20,
        'events in this answer',
      );

function formatInflation({ cpi, pce, ppi, note }: ToolReply<typeof readInflation>, formatter: ToolFormatter): string {
  const parts = [
    ['CPI', cpi],
    ['PCE', pce],
    ['PPI', ppi],
  ] as const;
  const sections = parts.flatMap(([name, part]) => [
    `${name}${part?.period ? ` for ${part.period}, released ${part.date ?? 'on an unknown date'}` : ''}:`,
    ...(part ? figureLines(part, formatter) : ['not yet available']),
  ]);
  return [...sections, ...(note === null ? [] : [note])].join('\n');
}

function formatReleases({ releases, next }: ToolReply<typeof readInflationReleases>, { now }: ToolFormatter): string {
  const past = releases.map(
    ({ type, period, releasedAt, source }) => `${type} for ${period} (${source}, ${agoText(releasedAt, now())})`,
  );
  const coming = next.map(
    ({ type, period, date, source, estimated }) =>
      `next ${type.toUpperCase()} for ${period}: ${date}${estimated ? ', estimated' : ''} (${source})`,
  );
  return lines([...past, ...coming], 30, 'releases');
}

function formatForecasts({ forecasts }: ToolReply<typeof readInflationForecasts>, { now }: ToolFormatter): string {
  const sections = (['cpi', 'pce'] as const).map((name) => {
    const { period, entries } = forecasts[name];
    const each = entries.map(
      ({ name: who, prediction, issued_at }) =>
        `${percentPoint(prediction)} MoM (${who}, ${agoText(issued_at, now())})`,
    );
    return `${name.toUpperCase()}${period ? ` for ${period}` : ''}: ${each.join('; ') || 'no forecasts yet'}`;
  });
  return sections.join('\n');
}

function formatSentiment({ data }: ToolReply<typeof readInflationSentiment>, formatter: ToolFormatter): string {
  if (!data || data.sentiment === null) return 'Not enough data for a sentiment reading.';
  const means = data.marketImpact?.description ?? '';
  return [`${data.sentiment.replaceAll('_', ' ')}. ${means}`, ...figureLines({ ...data }, formatter)].join('\n');
}

type Rule = ToolReply<typeof createRule>;

const formatAlerts = ({ alerts }: ToolReply<typeof readAlerts>, { nameOf, now }: ToolFormatter): string =>
  alerts.length === 0
    ? 'No alerts.'
    : lines(
        alerts.map(
          ({ severity, message, timestamp, meta }) =>
            `${severity}: ${message}, raised ${agoText(timestamp, now())} (${nameOf(meta.source)}, observed ${meta.observedAt})`,
        ),
        20,
        'alerts in this answer',
      );

const ruleLine = (
  { id, name, metric, condition, value, unit, state, note, current }: Rule,
  formatter: ToolFormatter,
): string =>
  `#${id} ${name}: ${metric} ${condition.replaceAll('_', ' ')} ${value} ${unit}, ${state}${note === null ? '' : ` (${note})`}${current ? `; now ${current.value}${cited(current.meta, formatter)}` : ''}`;

const formatRules = ({ thresholds }: ToolReply<typeof readThresholds>, formatter: ToolFormatter): string =>
  thresholds.length === 0
    ? 'No alert rules.'
    : lines(
        thresholds.map((rule) => ruleLine(rule, formatter)),
        50,
        'rules in this answer',
      );

const formatCreated = (rule: ToolReply<typeof createRule>, formatter: ToolFormatter): string =>
  `Created: ${ruleLine(rule, formatter)}. Evaluated ${rule.cadence}.`;

function formatPreview(preview: ToolReply<typeof previewRule>, { nameOf }: ToolFormatter): string {
  const { absent, fireCount, days, perWeek, suppressed, tried, after } = preview;
  if (absent !== null) return `Backtest not possible: ${absent}`;
  const from = tried.map(({ source, grain }) => `${nameOf(source)}, ${grain}`).join('; ');
  const often = perWeek === null ? '' : `, ${perWeek.toFixed(1)} per week`;
  const quiet = suppressed > 0 ? ` ${suppressed} more were suppressed by its options.` : '';
  return `Over ${days.toFixed(0)} days of stored values (${from}) it would have fired ${fireCount} times${often}.${quiet} ${after.asset} return in the 24h after a fire, compared with all days: ${after.verdict}. Nothing was saved.`;
}

const formatAccount = ({ subscriptionStatus, scopes }: ToolReply<typeof readAccount>): string =>
  `Plan ${subscriptionStatus?.planName ?? 'unknown'}; scopes of the key: ${scopes.join(', ')}.`;

/** How a call is exposed as a tool; title and description are the call's. */
type ToolText = {
  name: string;
  /** False for calls with side effects. */
  isReading?: boolean;
  /** Default number of rows: an assistant reads all of them. */
  limit?: number;
  format: FormatTool;
};

/** Tools by method and path of their calls. Streams are excluded: a tool responds once. */
const TOOL_WORDS: Readonly<Record<string, ToolText>> = {
  'GET /api/v1/market-data': { name: 'get_market_data', format: formatMarket },
  'GET /api/v1/brief': { name: 'get_brief', format: formatBrief },
  'GET /api/v1/crypto-prices': { name: 'get_crypto_prices', limit: 20, format: formatPrices },
  'GET /api/v1/crypto-prices/:id': { name: 'get_coin', format: formatCoin },
  'GET /api/v1/crypto-prices/:id/ranges': { name: 'get_coin_ranges', format: formatCoinRanges },
  'GET /api/v1/candles': { name: 'get_candles', limit: 100, format: formatCandles },
  'GET /api/v1/analysis': { name: 'get_analysis', format: formatAnalysis },
  'GET /api/v1/predictions': { name: 'get_predictions', format: formatPredictions },
  'GET /api/v1/track-record': { name: 'get_track_record', format: formatRecord },
  'GET /api/v1/track-record/replay': { name: 'get_track_record_replay', format: formatReplay },
  'GET /api/v1/track-record/calls': { name: 'list_prediction_calls', limit: 25, format: formatCalls },
  'GET /api/v1/track-record/ranges': { name: 'get_ranges_record', format: formatRangesRecord },
  'GET /api/v1/league': { name: 'get_league', format: formatLeague },
  'GET /api/v1/league/:name': { name: 'get_forecaster', format: formatForecaster },
  'POST /api/v1/forecasts': { name: 'submit_forecasts', isReading: false, format: formatSubmitted },
  'GET /api/v1/analytics/summary': { name: 'get_analytics_summary', format: formatFigures },
  'GET /api/v1/analytics/risk': { name: 'get_risk', format: formatFigures },
  'GET /api/v1/analytics/correlation': { name: 'get_correlation', format: formatCorrelation },
  'GET /api/v1/events': { name: 'list_events', limit: 20, format: formatEvents },
  'GET /api/v1/inflation': { name: 'get_inflation', format: formatInflation },
  'GET /api/v1/inflation/releases': { name: 'list_inflation_releases', limit: 20, format: formatReleases },
  'GET /api/v1/inflation/forecasts': { name: 'get_inflation_forecasts', format: formatForecasts },
  'GET /api/v1/inflation/expectations': { name: 'get_inflation_expectations', format: formatFigures },
  'GET /api/v1/inflation/sentiment': { name: 'get_inflation_sentiment', format: formatSentiment },
  'GET /api/v1/alerts': { name: 'list_alerts', limit: 20, format: formatAlerts },
  'GET /api/v1/thresholds': { name: 'list_alert_rules', limit: 50, format: formatRules },
  'POST /api/v1/thresholds/preview': { name: 'preview_alert_rule', format: formatPreview },
  'POST /api/v1/thresholds': { name: 'create_alert_rule', isReading: false, format: formatCreated },
  'GET /api/v1/history/:type': { name: 'get_history', limit: 50, format: formatHistory },
  'GET /api/v1/sources': { name: 'list_sources', limit: 60, format: formatSources },
  'GET /api/v1/account': { name: 'get_account', format: formatAccount },
};

/** A public API call as a tool. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  endpoint: ApiCall['endpoint'];
  annotations: ToolAnnotations;
  inputSchema: StandardSchemaWithJSON;
  outputSchema: StandardSchemaWithJSON;
  /** @throws AppError 400 in the words of the contract */
  parse: (given: unknown) => { params: unknown; query: unknown; body: unknown };
  answer: ApiCall['answer'];
  /** The response as text: figures with source and age. */
  format: (answer: unknown, formatter: ToolFormatter) => string;
};

type Given = Record<string, unknown>;

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A selection of fields, or another format, would violate the declared schema. */
const FOR_PROGRAMS = ['fields', 'format'];
const CERTIFICATE = 'Figures have their source and observation time in `meta`; cite both when you quote one.';

/** As text, as in a URL: the contract parses numbers from text there. */
const withPathParameters = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);

function createTool(call: ApiCall, { name, isReading = true, limit, format }: ToolText): Tool {
  const { endpoint, summary, about, answer } = call;
  const { params, query, body, reply } = endpoint;
  const input = joinInputs([params, query, body]);
  const properties = input['properties'] as Record<string, Given>;
  for (const unused of FOR_PROGRAMS) delete properties[unused];
  if (limit !== undefined && properties['limit']) properties['limit']['default'] = limit;
  const known = Object.keys(properties);
  const fieldNames = (part: z.ZodMiniType | undefined) =>
    Object.keys((part as z.ZodMiniObject | undefined)?.shape ?? {});
  const pick = (part: z.ZodMiniType | undefined, given: Given) =>
    Object.fromEntries(fieldNames(part).flatMap((each) => (Object.hasOwn(given, each) ? [[each, given[each]]] : [])));
  return {
    name,
    title: summary,
    description: `${about} ${CERTIFICATE}`,
    endpoint,
    annotations: {
      title: summary,
      readOnlyHint: isReading,
      destructiveHint: false,
      idempotentHint: isReading,
      openWorldHint: false,
    },
    inputSchema: documentedSchema(input),
    outputSchema: documentedSchema(toJsonSchema(reply, 'output')),
    parse(given = {}) {
      if (!isObject(given)) throw new AppError('bad_request', 'Arguments must be an object');
      const stranger = Object.keys(given).find((each) => !known.includes(each));
      if (stranger !== undefined) {
        const takes = known.length > 0 ? `Accepted: ${known.join(', ')}` : 'This tool takes no arguments';
        throw new AppError('bad_request', `Unknown argument "${stranger.slice(0, 40)}". ${takes}`);
      }
      const usual = limit === undefined ? given : { limit, ...given };
      const asked = Object.entries(pick(query, usual)).map(([each, value]) => [each, withPathParameters(value)]);
      const parts = { params: pick(params, given), query: Object.fromEntries(asked) as Given, body: pick(body, given) };
      return apiInput(call, parts);
    },
    answer,
    format: format as Tool['format'],
  };
}

const callKey = ({ endpoint: { method, path } }: ApiCall): string => `${method} ${path}`;

/** The tools, in the order of the calls. */
export function createTools(calls: readonly ApiCall[]): Tool[] {
  return calls.flatMap((call) => {
    const words = TOOL_WORDS[callKey(call)];
    return words ? [createTool(call, words)] : [];
  });
}
