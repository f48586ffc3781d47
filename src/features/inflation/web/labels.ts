import type { Indicator, InflationSentiment } from '#features/inflation/contract.ts';

export const NAMES: Record<Indicator, { short: string; long: string }> = {
  cpi: { short: 'CPI', long: 'Consumer prices' },
  pce: { short: 'PCE', long: 'Personal consumption' },
  ppi: { short: 'PPI', long: 'Producer prices' },
};

export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** '2026-10' is 'Oct 2026'. */
export const monthName = (period: string): string =>
  `${MONTHS[Number(period.slice(5, 7)) - 1] ?? ''} ${period.slice(0, 4)}`;

/** 'slightly_bullish' is 'Slightly Bullish'. */
export const titled = (word: string): string =>
  word
    .split('_')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(' ');

export type Mood = 'bullish' | 'bearish' | 'neutral';

export const sentimentMood = (word: InflationSentiment): Mood => {
  if (word.endsWith('bullish')) return 'bullish';
  return word.endsWith('bearish') ? 'bearish' : 'neutral';
};

const MINUS = '\u2212';

/** '3.0%', with a true minus and no plus: a rate, not a change. */
export const rate = (value: number, decimals = 1): string => {
  const text = Math.abs(value).toFixed(decimals);
  return `${value < 0 && Number(text) !== 0 ? MINUS : ''}${text}%`;
};

/** '+0.1 pp'; a value that rounds to zero is 'In line'. */
export const points = (value: number): string => {
  const text = Math.abs(value).toFixed(1);
  if (Number(text) === 0) return 'In line';
  return `${value < 0 ? MINUS : '+'}${text} pp`;
};

/** Above expectations is red, below green. */
export const surpriseTone = (value: number): string => {
  if (Math.abs(value).toFixed(1) === '0.0') return 'text-ink-3';
  return value > 0 ? 'text-down' : 'text-up';
};

const DAY_MS = 86_400_000;
const dayNumber = (ms: number) => Math.floor(ms / DAY_MS);

/** Distance of a release in whole UTC days: 'today', 'tomorrow', 'in 18 days'. */
export function daysTo(iso: string, now: number): string {
  const days = dayNumber(Date.parse(iso)) - dayNumber(now);
  if (days <= 0) return 'today';
  return days === 1 ? 'tomorrow' : `in ${days} days`;
}
