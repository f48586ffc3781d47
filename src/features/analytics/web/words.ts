import { grouped } from '#shared/format.ts';
import type { Tone } from '#ui/badge.tsx';

const MINUS = '\u2212';

/** With a true minus, so that columns align. */
export const ratio = (value: number, decimals = 2): string =>
  `${value < 0 && Number(value.toFixed(decimals)) !== 0 ? MINUS : ''}${Math.abs(value).toFixed(decimals)}`;

export const rate = (value: number): string => `${ratio(value, 4)}%`;

/** Where the colours of fear and greed change. */
export const SENTIMENT_STOPS = [25, 55, 75] as const;
const SENTIMENT_TONES = ['text-down', 'text-warn', 'text-accent', 'text-up'] as const;
export const sentimentTone = (value: number): (typeof SENTIMENT_TONES)[number] =>
  SENTIMENT_TONES[SENTIMENT_STOPS.filter((stop) => value >= stop).length] ?? 'text-up';

export const VOLATILITY_TONES: Readonly<Record<'High' | 'Medium' | 'Low', Tone>> = {
  High: 'down',
  Medium: 'warn',
  Low: 'plain',
};

const METRICS: Readonly<Record<string, readonly [name: string, glossary: string]>> = {
  whale_transactions: ['Whale transactions, 24h', 'whales.count'],
  hash_rate: ['Hash rate', 'hash_rate'],
  active_addresses: ['Active addresses', 'addresses.btc.active'],
};

const plain = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1).replaceAll('_', ' ');
export const metricName = (type: string): string => METRICS[type]?.[0] ?? plain(type);
export const metricTerm = (type: string): string => METRICS[type]?.[1] ?? type;
export const networkName = plain;

/** As the page writes it: 1.14e21 H/s is 1.14 ZH/s. */
export function onchainText(type: string, value: number): string {
  if (type !== 'hash_rate') return grouped(value);
  return value >= 1e21 ? `${(value / 1e21).toFixed(2)} ZH/s` : `${(value / 1e18).toFixed(1)} EH/s`;
}
