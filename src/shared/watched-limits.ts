import { findWatched, type Watched, type WatchedMetric } from './watched.ts';

/** Limits of a value; `words` complete "Please enter ...". */
export type Limits = { from: number; to: number /** The lowest one itself is refused. */; above?: true; words: string };

const PRICE: Limits = { from: 0, above: true, to: 1e12, words: 'a price above 0 and up to 1,000,000,000,000 USD' };
const SHARE: Limits = { from: 0, to: 100, words: 'a share from 0 to 100%' };
const INDEX: Limits = { from: 0, above: true, to: 1000, words: 'a number above 0 and up to 1,000' };

/** Limits of the metric itself, where it is numeric. */
const LEVELS: Partial<Record<WatchedMetric, Limits>> = {
  btc_price: PRICE,
  eth_price: PRICE,
  sol_price: PRICE,
  ssr: INDEX,
  btc_dominance: SHARE,
  exchange_flow: { from: -21e6, to: 21e6, words: 'a number from −21,000,000 to 21,000,000 BTC' },
  fear_greed: { from: 0, to: 100, words: 'a number from 0 to 100' },
  vix: INDEX,
  dxy: INDEX,
  volume_24h: { from: 0, above: true, to: 1e15, words: 'a volume above 0 and up to 1,000,000,000,000,000 USD' },
};

const CHANGE: Limits = { from: 0, above: true, to: 1000, words: 'a change above 0 and up to 1,000%' };
const DISTANCE: Limits = { from: 0, to: 100, words: 'a distance from 0 to 100%' };
const SIGMA: Limits = { from: 0.5, to: 20, words: 'a number of standard deviations from 0.5 to 20' };

/** Undefined for a metric that is not watched or that has directions instead of numbers. */
export function findLimits(metric: string, condition: string): Limits | undefined {
  const watched = findWatched(metric);
  if (watched?.kind !== 'number') return undefined;
  if (condition === 'changes_by') return CHANGE;
  if (condition === 'changes_by_sigma') return SIGMA;
  if (condition === 'leaves_range') return DISTANCE;
  return LEVELS[metric as WatchedMetric] ?? PRICE;
}

export const isWithin = (value: number, { from, to, above }: Limits): boolean =>
  Number.isFinite(value) && (above ? value > from : value >= from) && value <= to;

/** The unit of the compared value. */
export function conditionUnit({ unit }: Watched, condition: string): string {
  if (condition === 'changes_by' || condition === 'leaves_range') return '%';
  return condition === 'changes_by_sigma' ? 'σ' : unit;
}

/** A flow may be zero or change its sign, so it has no logarithm. */
export const HAS_NO_SIGMA: readonly string[] = ['exchange_flow'];
