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

function dataOf(prompt: string): Question {
  try {
    return JSON.parse(prompt.slice(prompt.indexOf('{'), prompt.lastIndexOf('}') + 1)) as Question;
  } catch {
    return {};
  }
}

/** By temper: near the nowcast, like last month, or more of it. */
function guess(temper: ForecastStyle, values: readonly number[], nowcast: number | null): number {
  const last = values.at(-1) ?? 0.2;
  const mean = values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : 0.2;
  if (temper === 'insight') return rounded(nowcast ?? 0.3 * last + 0.7 * mean);
  return rounded(temper === 'momentum' ? 0.7 * last + 0.3 * mean : 1.4 * last);
}

/** The response of a language model about consumer prices; undefined for other prompts. */
function spokenOfPrices(temper: ForecastStyle, prompt: string): Record<string, unknown> | undefined {
  const { task, history = [], nowcast, figures } = dataOf(prompt);
  if (task === 'inflation_commentary') {
    const told = SERIES.flatMap(({ of, name, month, year }) => {
      const [moM, yoY] = [month, year].map((field) => figures?.[of]?.[field]);
      const parts = [...percent(moM, 'MoM'), ...percent(yoY, 'YoY')];
      return parts.length > 0 ? [`${name} ${parts.join(' and ')}`] : [];
    });
    return { text: `The latest releases leave the outlook unchanged: ${told.join('; ') || 'no figures yet'}.` };
  }
  if (task !== 'inflation_forecast') return undefined;
  const numbers = (field: 'mom' | 'core_mom') => history.flatMap((month) => month[field] ?? []).slice(-12);
  const prediction = guess(temper, numbers('mom'), nowcast?.headline ?? null);
  return {
    prediction,
    core: guess(temper, numbers('core_mom'), nowcast?.core ?? null),
    confidence: temper === 'bluster' ? 90 : 60,
    reasoning: `Last month was ${numbers('mom').at(-1) ?? 'unknown'}%; that points to ${prediction}%.`,
  };
}

type Quote = { what: string; value: string };

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const figure = (value: unknown): value is number => typeof value === 'number';

/** Rounded as in prose: 72,911 and 8.3, but 0.0121. */
const worded = (value: number) =>
  value.toLocaleString(
    'en-US',
    Math.abs(value) < 1 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: Math.abs(value) < 1000 ? 2 : 0 },
  );

/** Figures of the prompt with their names in it. */
function quotesIn(prompt: string): Quote[] {
  let data: Record<string, unknown>;
  try {
    data = record(JSON.parse(prompt.slice(prompt.indexOf('{'), prompt.lastIndexOf('}') + 1)));
  } catch {
    return [];
  }
  const bitcoin = record(record(data['assets'])['BTC']);
  const moves = record(bitcoin['change_percent']);
  const price = bitcoin['price_usd'];
  const quotes: Quote[] = [];
  if (figure(price)) quotes.push({ what: 'BTC price', value: `$${worded(price)}` });
  for (const span of ['24h', '7d', '30d']) {
    const move = moves[span];
    if (figure(move))
      quotes.push({ what: `BTC ${span} change`, value: `${move < 0 ? '\u2212' : '+'}${worded(Math.abs(move))}%` });
  }
  const metrics: unknown[] = Array.isArray(data['metrics']) ? data['metrics'] : [];
  for (const { name, value, unit } of metrics.map(record)) {
    if (typeof name === 'string' && figure(value))
      quotes.push({ what: name, value: `${worded(value)} ${typeof unit === 'string' ? unit : ''}`.trim() });
  }
  return quotes.slice(0, 9);
}

const LEAN = { up: 'higher prices', flat: 'prices near where they are', down: 'lower prices' };

function leanOf(odds: Odds): string {
  const [outcome] = Object.entries(odds).toSorted(([, a], [, b]) => b - a)[0] ?? ['flat'];
  return LEAN[outcome as keyof Odds];
}

/** Each temper words the same figures differently. */
const TERM: Record<ForecastStyle, (lean: string, distance: string, first: string, second: string) => string> = {
  insight: (lean, distance, first, second) =>
    `Weighing ${first} against ${second}, ${lean} are the likelier outcome over ${distance}.`,
  momentum: (lean, distance, first, second) =>
    `The move so far, with ${first} and ${second}, points to ${lean} over ${distance}.`,
  bluster: (lean, distance, first, second) =>
    `Everything says ${lean} over ${distance}: ${first}, ${second}, and little stands in the way.`,
};
const WHOLE: Record<ForecastStyle, (lean: string, figures: string) => string> = {
  insight: (lean, figures) => `${figures}. On balance these favor ${lean} over the coming week, by a narrow margin.`,
  momentum: (lean, figures) => `Trend first: ${figures}. That favors ${lean} over the coming week until it breaks.`,
  bluster: (lean, figures) => `The picture is clear. Expect ${lean} over the coming week: ${figures}.`,
};

function termOf(odds: Odds, distance: Horizon, quotes: readonly Quote[], temper: ForecastStyle) {
  const told = quotes.map(({ what, value }) => `${what} at ${value}`);
  const [first = 'no figure to go by', second = 'nothing else that speaks'] = told;
  return {
    reasoning: TERM[temper](leanOf(odds), distance, first, second),
    factors_analyzed: quotes.map(({ what }) => what).slice(0, 6),
    key_factors: told.slice(0, 4),
    risk_factors: [`A move against ${leanOf(odds)} within ${distance}`, 'Thin order books at the weekend'],
    ...odds,
  };
}

/** A forecast as a language model words it, quoting the figures of the prompt. */
function spoken({ market, assets }: Forecast, prompt: string, temper: ForecastStyle): Record<string, unknown> {
  const quotes = quotesIn(prompt);
  const terms = Object.keys(FORECAST_DAYS) as Horizon[];
  const figures = quotes.slice(0, 3).map(({ what, value }) => `${what} ${value}`);
  return {
    overall_reasoning: WHOLE[temper](leanOf(market['7d']), figures.join(', ') || 'No figures were given'),
    market: Object.fromEntries(terms.map((distance) => [distance, termOf(market[distance], distance, quotes, temper)])),
    assets,
  };
}

type Asked = { model: string; format: string; prompt: string; length: number };

export type Said = {
  model: string;
  content: string;
  finish: 'stop' | 'length';
  promptTokens: number;
  completionTokens: number;
  /** Seconds. */
  created: number;
  id: string;
};

export type Manners = {
  temper: ForecastStyle;
  models: (now: number) => readonly string[];
  unauthorised: Reply;
  badRequest: (why: string) => Reply;
  noSuchModel: (model: string) => Reply;
  noFormat: (format: string) => Reply;
  /** A complete response in the provider's own format. */
  completion: (said: Said) => object;
  /** The response of a model that refuses. */
  refusal: (said: Said) => object;
};

const FORMATS: ReadonlySet<string> = new Set(['json_schema', 'json_object', 'text']);
const TOKEN = 4;

function read({ json }: Call, badRequest: Manners['badRequest']): Asked {
  const { model, messages, response_format } = record(json);
  const lines = Array.isArray(messages) ? messages.map(record) : [];
  if (typeof model !== 'string' || lines.length === 0)
    throw new ReplyError(badRequest('model and messages are required'));
  const format = response_format === undefined ? 'text' : String(record(response_format)['type']);
  if (!FORMATS.has(format)) throw new ReplyError(badRequest('response_format.type is not one of those supported'));
  const texts = lines.map(({ content }) => String(content));
  if (format === 'json_object' && !texts.some((text) => /json/i.test(text)))
    throw new ReplyError(badRequest("'messages' must contain the word 'json' in some form"));
  const prompt = lines.find(({ role }) => role === 'user')?.['content'];
  return { model, format, prompt: String(prompt), length: texts.join('').length };
}

/** Makes the figures of one asset absurd. */
function spoilt(answer: Record<string, unknown>): object {
  const assets = record(answer['assets']);
  const bitcoin = { ...record(assets['BTC']), '7d': { up: 0.8, flat: 0.4, down: 0.2 } };
  return { ...answer, assets: { ...assets, BTC: bitcoin } };
}

/** POST /chat/completions: one response without streaming, the same for the same prompt at the same time. */
export function chat(market: Market, manners: Manners): (call: Call) => Reply {
  return (call) => {
    const on = (kind: string) => call.faults.find((fault) => fault.kind === kind);
    if (!/^Bearer \S+$/.test(String(call.headers['authorization']))) return manners.unauthorised;
    const { model, format, prompt, length } = read(call, manners.badRequest);
    if (!manners.models(call.now).includes(model)) return manners.noSuchModel(model);
    const unheld = on('no_json_schema');
    const refused = format === 'json_schema' || (unheld?.kind === 'no_json_schema' && unheld.orObject === true);
    if (unheld && refused && format !== 'text') return manners.noFormat(format);

    const answer =
      spokenOfPrices(manners.temper, prompt) ??
      spoken(forecastAt(market, manners.temper, call.now), prompt, manners.temper);
    const text = JSON.stringify(on('schema_violation') ? spoilt(answer) : answer);
    const whole = format === 'text' ? `Here is my view.\n\n\`\`\`json\n${text}\n\`\`\`\n` : text;
    const half = whole.slice(0, Math.floor(whole.length / 2));
    const content = on('truncated_answer') || on('invalid_json') ? half : whole;
    const said: Said = {
      model,
      content,
      finish: on('truncated_answer') ? 'length' : 'stop',
      promptTokens: Math.ceil(length / TOKEN),
      completionTokens: Math.ceil(content.length / TOKEN),
      created: Math.floor(call.now / 1000),
      id: `chatcmpl-${Math.floor(call.now).toString(16)}${length.toString(16)}`,
    };
    return { body: on('refusal') ? manners.refusal(said) : manners.completion(said) };
  };
}

/** Fields that fault `nulls` removes from a response or a list. */
export function withNulls(path: string, body: unknown): unknown {
  const given = record(body);
  if (!path.endsWith('/models')) return { ...given, usage: null, model: null, cost: null };
  const rows = given['data'] as Record<string, unknown>[];
  const emptied = ({ id, ...row }: Record<string, unknown>) => ({
    ...Object.fromEntries(Object.keys(row).map((key) => [key, null])),
    id,
  });
  return { ...given, data: rows.map((row, i) => (i % 3 === 1 ? emptied(row) : row)) };
}
