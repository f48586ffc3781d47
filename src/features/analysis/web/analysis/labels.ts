import type { BacktestSummary, Direction, Probabilities } from '#features/analysis/contract/predictions.ts';

/** The horizons of an opinion, shortest first; each is graded after `graded`. */
export const TERMS = [
  { key: 'check_point', horizon: '24h', name: 'Check-point', range: '24 hours', graded: '24 hours' },
  { key: 'short_term', horizon: '7d', name: 'Short term', range: '1\u20137 days', graded: '7 days' },
  { key: 'medium_term', horizon: '28d', name: 'Medium term', range: '1\u20134 weeks', graded: '28 days' },
  { key: 'long_term', horizon: '180d', name: 'Long term', range: '1\u20136 months', graded: '180 days' },
] as const;
export type TermName = (typeof TERMS)[number]['key'];

export type RecordCell = BacktestSummary['cells'][number];

/** Name of the pooled opinion in the record. */
export const CONSENSUS = 'consensus';

export const WORD: Record<Direction, string> = { BULLISH: 'Bullish', NEUTRAL: 'Neutral', BEARISH: 'Bearish' };
export const DIR: Record<Direction, 'up' | 'flat' | 'down'> = { BULLISH: 'up', NEUTRAL: 'flat', BEARISH: 'down' };

/** 80 and above green, 60 and above yellow, else red. */
export function confidenceTone(percent: number): string {
  if (percent >= 80) return 'text-up';
  return percent >= 60 ? 'text-warn' : 'text-down';
}

const SURE = 60;
const LEANING = 45;

/** One of seven steps from \u22123, bearish, to 3, bullish: more confidence is further out. */
export function scaleStep(direction: Direction, confidence: number): number {
  if (direction === 'NEUTRAL') return 0;
  const distance = 1 + Number(confidence >= LEANING) + Number(confidence >= SURE);
  return direction === 'BULLISH' ? distance : -distance;
}

/** Whole percents that sum to 100. */
export function percents({ up, flat, down }: Probabilities): { up: number; flat: number; down: number } {
  const shown = { up: Math.round(up * 100), flat: 0, down: Math.round(down * 100) };
  return flat === 0 && shown.up + shown.down !== 100
    ? { ...shown, down: 100 - shown.up }
    : { ...shown, flat: Math.max(0, 100 - shown.up - shown.down) };
}

/** Agreement of the opinions: `dispersion` is the mean distance of their leans, 0 to 2. */
export function agreement(dispersion: number | null): string {
  if (dispersion === null) return 'Single analyst';
  const words = dispersion < 0.4 ? 'Analysts differ' : 'Analysts are split';
  return `${dispersion < 0.15 ? 'Analysts agree' : words} (dispersion ${dispersion.toFixed(2)} of 2)`;
}
