import type {
  Cadence,
  ExportFormat,
  ExportItem,
  ExportRange,
  ExportState,
  ExportType,
} from '#features/exports/contract/exports.ts';
import { dateTime, grouped } from '#shared/format.ts';
import type { Tone } from '#ui/badge.tsx';
import { dayOf } from '#ui/day.ts';
import { zoneWords } from '#ui/zone-field.tsx';

/** Each type of data, and what the file contains. */
export const TYPES: Record<ExportType, readonly [name: string, holds: string]> = {
  crypto_prices: ['Crypto prices', 'Price, market cap and volume for every coin'],
  market_data: ['Market data', 'Dominance, stablecoins, flows, derivatives, on-chain'],
  fear_greed: ['Fear and greed', 'The index and its classification'],
  narratives: ['Narratives', 'Trending narratives with their coins'],
  ai_analysis: ['AI analysis', 'Every analysis, by provider and horizon'],
  alerts: ['Alerts', 'Market and custom alerts'],
  backtest_results: ['Backtest results', 'Graded calls with their outcomes'],
  all_data: ['All data', 'All of the above in one file'],
};

export const FORMATS: Record<ExportFormat, string> = {
  csv: 'CSV',
  json: 'JSON',
  xlsx: 'Excel',
  pdf: 'PDF',
  xml: 'XML',
};

export const RANGES: Record<ExportRange, string> = {
  '1d': '1 day',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  '1y': '1 year',
  all: 'All time',
  custom: 'Custom',
};

export const CADENCES: Record<Cadence, string> = { daily: 'Daily', weekly: 'Weekly', monthly: 'Monthly' };

export const STATES: Record<ExportState, readonly [word: string, tone: Tone]> = {
  waiting: ['Waiting', 'plain'],
  running: ['Creating', 'accent'],
  done: ['Ready', 'up'],
  failed: ['Failed', 'down'],
  cancelled: ['Canceled', 'plain'],
  expired: ['Removed', 'plain'],
};

const SIZES = ['bytes', 'kB', 'MB', 'GB'] as const;

/** '1.3 MB', in steps of 1,000. */
export function sizeWords(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  return `${step === 0 ? bytes : (bytes / 1000 ** step).toFixed(1)} ${SIZES[step]}`;
}

const minute = (iso: string) => dateTime(Date.parse(iso)).replace(/:\d\d UTC$/, ' UTC');

export function rangeWords({ dateRange, from, to }: Pick<ExportItem, 'dateRange' | 'from' | 'to'>): string {
  if (dateRange !== 'custom' || from === null) return RANGES[dateRange];
  // The end is exclusive: the moment after the last day.
  const last = new Date(Math.max(Date.parse(from), Date.parse(to) - 1)).toISOString();
  return `${dayOf(from)} to ${dayOf(last)}`;
}

/** Details of one entry, then its result: '7 days · JSON · 21 Nov 2026, 14:03 UTC'. */
export function itemFacts(item: ExportItem): string[] {
  const { format, compression, created_at, file_size, rows } = item;
  const isPacked = compression && (format === 'csv' || format === 'json');
  return [
    rangeWords(item),
    isPacked ? `${FORMATS[format]}, compressed` : FORMATS[format],
    minute(created_at),
    ...(rows === null ? [] : [`${grouped(rows)} ${rows === 1 ? 'row' : 'rows'}`]),
    ...(file_size === null ? [] : [sizeWords(file_size)]),
  ];
}

/** For use within a sentence; 'AI' is unchanged. */
export const within = (name: string): string => name.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

export const typeWords = (types: readonly ExportType[]): string =>
  types.map((type, i) => (i === 0 ? TYPES[type][0] : within(TYPES[type][0]))).join(', ');

/** 'Mon, 23 Nov 2026, 08:00 Europe/Paris' */
export function momentWords(iso: string, timeZone: string): string {
  const at = new Date(iso).toLocaleString('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  });
  return `${at} ${zoneWords(timeZone)}`;
}

export const hourWords = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
