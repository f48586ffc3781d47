import type { z } from 'zod/mini';

import type { Replay } from '#features/analysis/contract/replay.ts';
import type {
  readBrief,
  readCandles,
  readCryptoPrice,
  readCryptoPrices,
  readHistory,
  readMarketData,
  readSources,
} from '#features/api/contract/api.ts';
import type { CryptoPrice } from '#features/market/contract/market.ts';
import type { Endpoint } from '#shared/contract.ts';
import { figureMeta, hasOrigin } from '#shared/figures.ts';
import { compact, percent, price } from '#shared/format.ts';
import { GLOSSARY } from '#shared/glossary.ts';
import type { Provenance } from '#shared/provenance.ts';

/** Formats figures with their sources. */
export type ToolFormatter = {
  nameOf: (source: string) => string;
  now: () => Date;
  /** The newest replay on past prices; null without one. */
  replay: () => Replay | null;
};

export type FormatTool = (answer: never, formatter: ToolFormatter) => string;

/** The reply of a public API endpoint. */
export type ToolReply<E extends Endpoint> = z.output<E['reply']>;

const UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
] as const;

/** '4 s ago', '12 min ago', '3 h ago'. */
export function agoText(at: string, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - Date.parse(at)) / 1000));
  const [size, unit] = UNITS.find(([length]) => seconds >= length) ?? [1, 's'];
  return `${Math.floor(seconds / size)} ${unit} ago`;
}

/** ' (Binance, 4 s ago)', with other notes for the reader. */
export function cited(meta: Provenance | null | undefined, { nameOf, now }: ToolFormatter): string {
  if (!meta) return ' (unknown source)';
  const marks = [
    ...(Date.parse(meta.staleAfter) < now().getTime() ? ['stale'] : []),
    ...(meta.method === 'measured' ? [] : [meta.method]),
  ];
  return ` (${[nameOf(meta.source), agoText(meta.observedAt, now()), ...marks].join(', ')})`;
}

/** '63,120.00 USD' */
const usd = (value: number): string => `${price(value)} USD`;

/** At most this many lines, and a count of the rest. */
export function lines(all: readonly string[], most: number, more: string): string {
  const rest = all.length - most;
  return [...all.slice(0, most), ...(rest > 0 ? [`… and ${rest} more ${more}`] : [])].join('\n');
}

const number = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 8 });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function figureLine(name: string, value: unknown, given: unknown, formatter: ToolFormatter): string[] {
  const parsed = figureMeta.safeParse(given);
  if (!parsed.success) return [];
  const meta = parsed.data;
  const term = GLOSSARY[meta.metric];
  const called = term?.name ?? name;
  if (!hasOrigin(meta)) return [`${called}: not available. ${meta.reason}`];
  return typeof value === 'number'
    ? [`${called}: ${number.format(value)} ${term?.unit ?? ''}`.trimEnd() + cited(meta, formatter)]
    : [];
}

/** Every figure of a response that has provenance, with the glossary's name and unit. */
export function figureLines(value: unknown, formatter: ToolFormatter): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => figureLines(each, formatter));
  if (!isObject(value)) return [];
  const { meta, ...rest } = value;
  const own = isObject(meta)
    ? Object.entries(meta).flatMap(([name, given]) => figureLine(name, rest[name], given, formatter))
    : [];
  return [...own, ...Object.values(rest).flatMap((each) => figureLines(each, formatter))];
}

const MAX_LINES = 20;

const priceLine = (coin: CryptoPrice, formatter: ToolFormatter): string =>
  `${coin.symbol} ${usd(coin.price)}${coin.change_24h === null ? '' : `, ${percent(coin.change_24h)} in 24h`}${cited(coin.meta, formatter)}`;

export function formatMarket(
  { totals, advancedMetrics }: ToolReply<typeof readMarketData>,
  formatter: ToolFormatter,
): string {
  const cap =
    totals.market_cap === null
      ? []
      : [`Total market cap: ${compact(totals.market_cap)} USD${cited(totals.meta, formatter)}`];
  return lines([...cap, ...figureLines(advancedMetrics, formatter)], 60, 'figures');
}

export const formatBrief = ({ lines: all }: ToolReply<typeof readBrief>, formatter: ToolFormatter): string =>
  all
    .map(({ title, clauses, missing }) => {
      const texts = clauses.map(({ text, meta }) => text + cited(meta, formatter));
      return `${title}: ${missing ?? texts.join('; ')}`;
    })
    .join('\n');

export function formatPrices(
  { prices, nextCursor }: ToolReply<typeof readCryptoPrices>,
  formatter: ToolFormatter,
): string {
  if (prices.length === 0) return 'No prices available.';
  const text = lines(
    prices.map((coin) => priceLine(coin, formatter)),
    MAX_LINES,
    'coins in this answer',
  );
  return nextCursor === null ? text : `${text}\nUse cursor to get more coins.`;
}

export function formatCoin({ coin, quotes }: ToolReply<typeof readCryptoPrice>, formatter: ToolFormatter): string {
  const others = quotes.map(({ price, meta }) => `${usd(price)}${cited(meta, formatter)}`);
  return [
    `${coin.name}: ${priceLine(coin, formatter)}`,
    ...(others.length > 0 ? [`By source: ${others.join('; ')}`] : []),
  ].join('\n');
}

export function formatCandles(
  { symbol, interval, candles, gaps, meta }: ToolReply<typeof readCandles>,
  formatter: ToolFormatter,
): string {
  const last = candles.at(-1);
  if (!last) return `No ${symbol} candles are available at this interval for that time range.`;
  const missing = gaps.length > 0 ? ` ${gaps.length} gaps without trades are listed.` : '';
  return `${candles.length} ${symbol} candles, interval ${interval}; latest ${last.at}: open ${usd(last.open)}, high ${usd(last.high)}, low ${usd(last.low)}, close ${usd(last.close)}${cited(meta, formatter)}.${missing}`;
}

export function formatHistory(
  { type, records, reason }: ToolReply<typeof readHistory>,
  { nameOf, now }: ToolFormatter,
): string {
  if (records.length === 0) return reason ?? `No ${type} data is available for that time range.`;
  return lines(
    records.map(
      ({ symbol, value, unit, source, timestamp, method }) =>
        `${symbol} ${value} ${unit} at ${timestamp} (${nameOf(source)}, ${agoText(timestamp, now())}${method === 'measured' ? '' : `, ${method}`})`,
    ),
    MAX_LINES,
    'values in this answer',
  );
}

export const formatSources = ({ sources }: ToolReply<typeof readSources>, { now }: ToolFormatter): string =>
  lines(
    sources.map(
      ({ name, state, lastSuccessAt, gives }) =>
        `${name}: ${state}, provides ${gives}${lastSuccessAt === null ? ', no successful request yet' : `, last success ${agoText(lastSuccessAt, now())}`}`,
    ),
    60,
    'sources',
  );
