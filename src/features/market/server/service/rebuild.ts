import type { CryptoPrice } from '#features/market/contract.ts';
import type { FigureMeta } from '#shared/figures.ts';
import { price as priceText } from '#shared/format.ts';

import type { MarketContext } from '../context.ts';
import { HISTORY_FRESH_MS, methodIn, sourceName } from '../names.ts';
import { closedAt, type EarlierClose, type EarlierRange, rangesBetween } from '../store/earlier.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** How far before seven days earlier the close may lie. */
const SLACK_MS = 3 * HOUR_MS;
const NO_LIST = 'No price list of that moment is stored, and candles do not tell the volume of all markets';

/** What a price list says and no observation keeps: the change over seven days and the range of the day, from candles. */
export async function rebuildFigures(ctx: MarketContext, at: Date, prices: CryptoPrice[]): Promise<CryptoPrice[]> {
  const [weekAgo, dayAgo] = [new Date(at.getTime() - WEEK_MS), new Date(at.getTime() - DAY_MS)];
  const [closes, ranges] = await Promise.all([
    closedAt(ctx.db, weekAgo, new Date(weekAgo.getTime() - SLACK_MS - HOUR_MS)),
    rangesBetween(ctx.db, dayAgo, at),
  ]);
  return prices.map((row) => {
    const week = changeSince(ctx, row, closes.get(row.id), weekAgo);
    const day = rangeOf(ctx, row, ranges.get(row.id), at);
    const volume = row.volume_24h === null ? { volume_24h: { metric: 'coin.volume', reason: NO_LIST } } : {};
    return {
      ...row,
      change_7d: week.value,
      low_24h: day.low,
      high_24h: day.high,
      rebuilt: { change_7d: week.meta, range_24h: day.meta, ...volume },
    };
  });
}

type Sources = { observedAt: number; fetchedAt: number; sources: string[] };

const computed = ({ mode }: MarketContext, metric: string, terms: string, from: Sources): FigureMeta => ({
  metric,
  source: 'Meridian',
  observedAt: new Date(from.observedAt).toISOString(),
  fetchedAt: new Date(from.fetchedAt).toISOString(),
  method: methodIn(mode, 'computed'),
  staleAfter: new Date(from.observedAt + HISTORY_FRESH_MS).toISOString(),
  venues: [...new Set(from.sources.map(sourceName))],
  terms,
});

function changeSince(ctx: MarketContext, row: CryptoPrice, close: EarlierClose | undefined, weekAgo: Date) {
  const metric = 'coin.change_7d';
  if (!close || weekAgo.getTime() - close.endedAt > SLACK_MS)
    return { value: null, meta: { metric, reason: 'No price of seven days before that moment is stored' } };
  const ended = new Date(close.endedAt).toISOString().slice(0, 16).replace('T', ' ');
  const terms = `$${priceText(row.price)} against the close of $${priceText(close.close)} on ${ended} UTC`;
  const meta = computed(ctx, metric, terms, {
    observedAt: Date.parse(row.meta.observedAt),
    fetchedAt: Math.max(Date.parse(row.meta.fetchedAt), close.fetchedAt),
    sources: [row.meta.source, close.source],
  });
  return { value: Math.round((row.price / close.close - 1) * 1e6) / 1e4, meta };
}

function rangeOf(ctx: MarketContext, row: CryptoPrice, range: EarlierRange | undefined, at: Date) {
  const metric = 'coin.range';
  const hours = Math.floor(at.getTime() / HOUR_MS) - Math.ceil((at.getTime() - DAY_MS) / HOUR_MS);
  if (!range || range.hours < hours) {
    const reason = `Candles of ${range?.hours ?? 0} of the ${hours} whole hours before that moment are stored`;
    return { low: null, high: null, meta: { metric, reason } };
  }
  const around = range.minutes > 0 ? ` and of ${range.minutes} minutes around them` : '';
  const terms = `Lowest and highest of ${range.hours} hours${around}`;
  const meta = computed(ctx, metric, terms, { ...range, observedAt: range.endedAt });
  return { low: Math.min(range.low, row.price), high: Math.max(range.high, row.price), meta };
}
