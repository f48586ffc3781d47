import type { Cadence, ExportFormat, ExportType } from '#features/exports/contract/exports.ts';

const CADENCES: Record<Cadence, string> = { daily: 'Daily', weekly: 'Weekly', monthly: 'Monthly' };

const TYPES: Record<ExportType, string> = {
  crypto_prices: 'Crypto prices',
  market_data: 'Market data',
  ai_analysis: 'AI analysis',
  fear_greed: 'Fear & Greed',
  narratives: 'Narratives',
  alerts: 'Alerts',
  backtest_results: 'Backtest results',
  all_data: 'All data',
};

export const typeWords = (types: readonly ExportType[]): string => types.map((type) => TYPES[type]).join(', ');

/** 'Weekly · Crypto prices, Narratives · CSV' */
export const scheduleName = (of: {
  schedule: Cadence;
  dataTypes: readonly ExportType[];
  format: ExportFormat;
}): string => `${CADENCES[of.schedule]} · ${typeWords(of.dataTypes)} · ${of.format.toUpperCase()}`;

/** '2026-11-20 12:05 UTC' */
export const minuteWords = (iso: string): string => `${new Date(iso).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** '1.5 MB', in steps of 1,000 as file managers count. */
export function sizeWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
