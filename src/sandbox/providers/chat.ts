import {
  FORECAST_DAYS,
  type Forecast,
  type ForecastStyle,
  forecastAt,
  type Horizon,
  type Odds,
} from '#sandbox/market/forecasts.ts';
import type { Market } from '#sandbox/market/market.ts';
import { type Call, type Reply, ReplyError } from '#sandbox/provider.ts';

type Month = { period: string; mom: number | null; core_mom: number | null };
type Question = {
  task?: string;
  history?: Month[];
  nowcast?: { headline: number | null; core: number | null };
  figures?: Record<string, Record<string, unknown> | null>;
};

const SERIES = [
  { of: 'cpi', name: 'consumer prices', month: 'cpiMoM', year: 'cpiYoY' },
  { of: 'pce', name: 'PCE prices', month: 'pceMoM', year: 'pceYoY' },
  { of: 'ppi', name: 'producer prices', month: 'ppiMoM', year: 'ppiYoY' },
] as const;

const percent = (value: unknown, span: string): string[] =>
  typeof value === 'number' ? [`${value > 0 ? '+' : ''}${value.toFixed(1)}% ${span}`] : [];

const rounded = (value: number) => Math.round(value * 100) / 100;

function parsePrompt(prompt: string): Question {
  try {
    return JSON.parse(prompt.slice(prompt.indexOf('{'), prompt.lastIndexOf('}') + 1)) as Question;
  } catch {
    return {};
  }
}

/** By style: near the nowcast, like last month, or more of it. */
function predict(style: ForecastStyle, values: readonly number[], nowcast: number | null): number {
  const last = values.at(-1) ?? 0.2;
  const mean = values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : 0.2;
  if (style === 'insight') return rounded(nowcast ?? 0.3 * last + 0.7 * mean);
  return rounded(style === 'momentum' ? 0.7 * last + 0.3 * mean : 1.4 * last);
}

/** The response of a language model about consumer prices; undefined for other prompts. */
function inflationReply(style: ForecastStyle, prompt: string): Record<string, unknown> | undefined {
  const { task, history = [], nowcast, figures } = parsePrompt(prompt);
  if (task === 'inflation_commentary') {
    const sentences = SERIES.flatMap(({ of, name, month, year }) => {
      const [moM, yoY] = [month, year].map((field) => figures?.[of]?.[field]);
      const parts = [...percent(moM, 'MoM'), ...percent(yoY, 'YoY')];
      return parts.length > 0 ? [`${name} ${parts.join(' and ')}`] : [];
    });
    return { text: `The latest releases leave the outlook unchanged: ${sentences.join('; ') || 'no figures yet'}.` };
  }
  if (task !== 'inflation_forecast') return undefined;
  const changesOf = (field: 'mom' | 'core_mom') => history.flatMap((month) => month[field] ?? []).slice(-12);
  const prediction = predict(style, changesOf('mom'), nowcast?.headline ?? null);
  return {
    prediction,
    core: predict(style, changesOf('core_mom'), nowcast?.core ?? null),
    confidence: style === 'bluster' ? 90 : 60,
    reasoning: `Last month was ${changesOf('mom').at(-1) ?? 'unknown'}%; that points to ${prediction}%.`,
  };
}

type Figure = { name: string; value: string };

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const isNumber = (value: unknown): value is number => typeof value === 'number';

/** Rounded as in prose: 72,911 and 8.3, but 0.0121. */
const formatFigure = (value: number) =>
  value.toLocaleString(
    'en-US',
    Math.abs(value) < 1 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: Math.abs(value) < 1000 ? 2 : 0 },
  );

/** Figures of the prompt with their names in it. */
function readFigures(prompt: string): Figure[] {
  let data: Record<string, unknown>;
  try {
    data = record(JSON.parse(prompt.slice(prompt.indexOf('{'), prompt.lastIndexOf('}') + 1)));
  } catch {
    return [];
  }
  const bitcoin = record(record(data['assets'])['BTC']);
  const moves = record(bitcoin['change_percent']);
  const price = bitcoin['price_usd'];
  const figures: Figure[] = [];
  if (isNumber(price)) figures.push({ name: 'BTC price', value: `$${formatFigure(price)}` });
  for (const span of ['24h', '7d', '30d']) {
    const move = moves[span];
    if (isNumber(move))
      figures.push({
        name: `BTC ${span} change`,
        value: `${move < 0 ? '\u2212' : '+'}${formatFigure(Math.abs(move))}%`,
      });
  }
  const metrics: unknown[] = Array.isArray(data['metrics']) ? data['metrics'] : [];
  for (const { name, value, unit } of metrics.map(record)) {
    if (typeof name === 'string' && isNumber(value))
      figures.push({ name: name, value: `${formatFigure(value)} ${typeof unit === 'string' ? unit : ''}`.trim() });
  }
  return figures.slice(0, 9);
}

const DIRECTION_TEXT = { up: 'higher prices', flat: 'prices near where they are', down: 'lower prices' };

function directionOf(odds: Odds): string {
  const [outcome] = Object.entries(odds).toSorted(([, a], [, b]) => b - a)[0] ?? ['flat'];
  return DIRECTION_TEXT[outcome as keyof Odds];
}

/** Each style words the same figures differently. */
const HORIZON_TEXT: Record<
  ForecastStyle,
  (direction: string, horizon: string, first: string, second: string) => string
> = {
  insight: (direction, horizon, first, second) =>
    `Weighing ${first} against ${second}, ${direction} are the likelier outcome over ${horizon}.`,
  momentum: (direction, horizon, first, second) =>
    `The move so far, with ${first} and ${second}, points to ${direction} over ${horizon}.`,
  bluster: (direction, horizon, first, second) =>
    `Everything says ${direction} over ${horizon}: ${first}, ${second}, and little stands in the way.`,
};
const OVERALL_TEXT: Record<ForecastStyle, (direction: string, figures: string) => string> = {
  insight: (direction, figures) =>
    `${figures}. On balance these favor ${direction} over the coming week, by a narrow margin.`,
  momentum: (direction, figures) =>
    `Trend first: ${figures}. That favors ${direction} over the coming week until it breaks.`,
  bluster: (direction, figures) => `The picture is clear. Expect ${direction} over the coming week: ${figures}.`,
};

function horizonReply(odds: Odds, horizon: Horizon, figures: readonly Figure[], style: ForecastStyle) {
  const figureTexts = figures.map(({ name, value }) => `${name} at ${value}`);
  const [first = 'no figure to go by', second = 'nothing else that speaks'] = figureTexts;
  return {
    reasoning: HORIZON_TEXT[style](directionOf(odds), horizon, first, second),
    factors_analyzed: figures.map(({ name }) => name).slice(0, 6),
    key_factors: figureTexts.slice(0, 4),
    risk_factors: [`A move against ${directionOf(odds)} within ${horizon}`, 'Thin order books at the weekend'],
    ...odds,
  };
}

/** A forecast as a language model words it, quoting the figures of the prompt. */
function forecastReply({ market, assets }: Forecast, prompt: string, style: ForecastStyle): Record<string, unknown> {
  const figures = readFigures(prompt);
  const horizons = Object.keys(FORECAST_DAYS) as Horizon[];
  const opening = figures.slice(0, 3).map(({ name, value }) => `${name} ${value}`);
  return {
    overall_reasoning: OVERALL_TEXT[style](directionOf(market['7d']), opening.join(', ') || 'No figures were given'),
    market: Object.fromEntries(
      horizons.map((horizon) => [horizon, horizonReply(market[horizon], horizon, figures, style)]),
    ),
    assets,
  };
}

type ChatRequest = { model: string; format: string; prompt: string; length: number };

export type Completion = {
  model: string;
  content: string;
  finishReason: 'stop' | 'length';
  promptTokens: number;
  completionTokens: number;
  /** Seconds. */
  created: number;
  id: string;
};

export type ChatProfile = {
  style: ForecastStyle;
  models: (now: number) => readonly string[];
  unauthorized: Reply;
  badRequest: (reason: string) => Reply;
  noSuchModel: (model: string) => Reply;
  unsupportedFormat: (format: string) => Reply;
  /** A complete response in the provider's own format. */
  completion: (completion: Completion) => object;
  /** The response of a model that refuses. */
  refusal: (completion: Completion) => object;
};

const FORMATS: ReadonlySet<string> = new Set(['json_schema', 'json_object', 'text']);
const CHARACTERS_PER_TOKEN = 4;

function readRequest({ json }: Call, badRequest: ChatProfile['badRequest']): ChatRequest {
  const { model, messages, response_format } = record(json);
  const chatMessages = Array.isArray(messages) ? messages.map(record) : [];
  if (typeof model !== 'string' || chatMessages.length === 0)
    throw new ReplyError(badRequest('model and messages are required'));
  const format = response_format === undefined ? 'text' : String(record(response_format)['type']);
  if (!FORMATS.has(format)) throw new ReplyError(badRequest('response_format.type is not one of those supported'));
  const texts = chatMessages.map(({ content }) => String(content));
  if (format === 'json_object' && !texts.some((text) => /json/i.test(text)))
    throw new ReplyError(badRequest("'messages' must contain the word 'json' in some form"));
  const prompt = chatMessages.find(({ role }) => role === 'user')?.['content'];
  return { model, format, prompt: String(prompt), length: texts.join('').length };
}

/** Makes the figures of one asset absurd. */
function withAbsurdFigures(reply: Record<string, unknown>): object {
  const assets = record(reply['assets']);
  const bitcoin = { ...record(assets['BTC']), '7d': { up: 0.8, flat: 0.4, down: 0.2 } };
  return { ...reply, assets: { ...assets, BTC: bitcoin } };
}

/** POST /chat/completions: one response without streaming, the same for the same prompt at the same time. */
export function chat(market: Market, profile: ChatProfile): (call: Call) => Reply {
  return (call) => {
    const activeFault = (kind: string) => call.faults.find((fault) => fault.kind === kind);
    if (!/^Bearer \S+$/.test(String(call.headers['authorization']))) return profile.unauthorized;
    const { model, format, prompt, length } = readRequest(call, profile.badRequest);
    if (!profile.models(call.now).includes(model)) return profile.noSuchModel(model);
    const schemaFault = activeFault('no_json_schema');
    const isUnsupported =
      format === 'json_schema' || (schemaFault?.kind === 'no_json_schema' && schemaFault.orObject === true);
    if (schemaFault && isUnsupported && format !== 'text') return profile.unsupportedFormat(format);

    const reply =
      inflationReply(profile.style, prompt) ??
      forecastReply(forecastAt(market, profile.style, call.now), prompt, profile.style);
    const text = JSON.stringify(activeFault('schema_violation') ? withAbsurdFigures(reply) : reply);
    const fullText = format === 'text' ? `Here is my view.\n\n\`\`\`json\n${text}\n\`\`\`\n` : text;
    const truncated = fullText.slice(0, Math.floor(fullText.length / 2));
    const content = activeFault('truncated_answer') || activeFault('invalid_json') ? truncated : fullText;
    const completion: Completion = {
      model,
      content,
      finishReason: activeFault('truncated_answer') ? 'length' : 'stop',
      promptTokens: Math.ceil(length / CHARACTERS_PER_TOKEN),
      completionTokens: Math.ceil(content.length / CHARACTERS_PER_TOKEN),
      created: Math.floor(call.now / 1000),
      id: `chatcmpl-${Math.floor(call.now).toString(16)}${length.toString(16)}`,
    };
    return { body: activeFault('refusal') ? profile.refusal(completion) : profile.completion(completion) };
  };
}

/** Fields that fault `nulls` removes from a response or a list. */
export function withNulls(path: string, body: unknown): unknown {
  const fields = record(body);
  if (!path.endsWith('/models')) return { ...fields, usage: null, model: null, cost: null };
  const rows = fields['data'] as Record<string, unknown>[];
  const withNullFields = ({ id, ...row }: Record<string, unknown>) => ({
    ...Object.fromEntries(Object.keys(row).map((key) => [key, null])),
    id,
  });
  return { ...fields, data: rows.map((row, i) => (i % 3 === 1 ? withNullFields(row) : row)) };
}
