import {
  type CryptoPrice,
  type MarketTotals,
  PRICE_SOURCES,
  type SourceHealth,
  TRACKED,
} from '#features/market/contract/market.ts';
import { tickMethod } from '#shared/provenance.ts';
import type { LiveTick } from './tick-store.ts';

export type Quote = { price: number; change: number | null; cap: number | null; at: number };

/** A tick counts only when it is newer than the row it would replace. */
export function toQuote(row: CryptoPrice, tick: LiveTick | undefined): Quote {
  const at = Date.parse(row.meta.observedAt);
  if (!tick || tick.at <= at) return { price: row.price, change: row.change_24h, cap: row.market_cap, at };
  return { price: tick.price, change: tick.change ?? row.change_24h, cap: tick.cap ?? row.market_cap, at: tick.at };
}

/** The row as if collected with the tick. Its freshness limits are unchanged. */
export function withTick(row: CryptoPrice, tick: LiveTick | undefined): CryptoPrice {
  const quote = toQuote(row, tick);
  const observed = Date.parse(row.meta.observedAt);
  if (!tick || quote.at === observed) return row;
  const { listing } = row;
  const observedAt = new Date(quote.at).toISOString();
  return {
    ...row,
    price: quote.price,
    change_24h: quote.change,
    market_cap: quote.cap,
    low_24h: row.low_24h === null ? null : Math.min(row.low_24h, quote.price),
    high_24h: row.high_24h === null ? null : Math.max(row.high_24h, quote.price),
    meta: {
      ...row.meta,
      source: tick.source || row.meta.source,
      method: row.meta.method === 'demo' || !tick.source ? row.meta.method : tickMethod(tick.source),
      observedAt,
      fetchedAt: observedAt,
      staleAfter: new Date(quote.at + Date.parse(row.meta.staleAfter) - observed).toISOString(),
    },
    // The cap of a tick is its price × the supply.
    listing: tick.cap !== null && listing.method === 'measured' ? { ...listing, method: 'computed' } : listing,
  };
}

/** Daily volume relative to the market cap, percent. */
export const turnover = ({ volume_24h: volume, market_cap: cap }: MarketTotals): number | null =>
  volume !== null && cap ? (volume / cap) * 100 : null;

const ORDER = new Map<string, number>(TRACKED.map(({ id }, i) => [id, i]));
export const isTracked = (id: string): boolean => ORDER.has(id);

/** The five tracked coins in fixed order; a coin dropped by the source is absent. */
export function trackedRows(rows: readonly CryptoPrice[]): CryptoPrice[] {
  return rows.filter(({ id }) => isTracked(id)).toSorted((a, b) => (ORDER.get(a.id) ?? 0) - (ORDER.get(b.id) ?? 0));
}

export function sourceName(sources: readonly SourceHealth[], id: string): string {
  return sources.find((source) => source.id === id)?.name ?? id;
}

/** Sources that may provide a price; the rest have a page of their own. */
export const priceSources = (sources: readonly SourceHealth[]): SourceHealth[] =>
  sources.filter(({ id }) => PRICE_SOURCES.includes(id));

/** A row names its source by name. */
const isSource = ({ id, name }: SourceHealth, given: string): boolean => given === name || given === id;

/** Names of the sources behind a price, volume or cap of these rows, as one string that changes only when they do. */
export function sourcesText(rows: readonly CryptoPrice[], tickOf: (id: string) => LiveTick | undefined): string {
  const names = rows.flatMap((row) => [withTick(row, tickOf(row.id)).meta.source, row.listing.source]);
  return [...new Set(names)].toSorted().join('\n');
}

export const sourcesNamed = (sources: readonly SourceHealth[], names: string): SourceHealth[] =>
  sources.filter((source) => names.split('\n').some((name) => isSource(source, name)));

const TROUBLE = { rate_limited: 'rate-limited', down: 'down', stale: 'stale' } as const;
type Trouble = keyof typeof TROUBLE;

export const isFailing = ({ state }: SourceHealth): boolean => state in TROUBLE;
export const troubleText = ({ name, state }: SourceHealth): string => `${name} is ${TROUBLE[state as Trouble]}`;

/** "CoinPaprika is responding: CoinGecko is rate-limited", or the problem when no source replaces it. */
export function sourceNote(rows: readonly CryptoPrice[], sources: readonly SourceHealth[]): string | null {
  const failing = sources.filter(isFailing);
  if (failing.length === 0) return null;
  const words = failing.map(troubleText).join(', ');
  const answering =
    rows[0] && sources.find((source) => isSource(source, rows[0]?.listing.source ?? '') && source.state === 'ok');
  return answering ? `${answering.name} is responding: ${words}` : `${words}. The values remain, with their age.`;
}
