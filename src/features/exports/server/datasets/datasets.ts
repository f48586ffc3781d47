import { ADVANCED_TYPES, BASIC_TYPES, type ExportType } from '#features/exports/contract.ts';

import type { Scope } from '../store/scope.ts';
import { ALERTS } from './alerts.ts';
import { FROZEN, GRADED, OPINIONS } from './analyses.ts';
import type { Dataset } from './dataset.ts';
import { FEAR_GREED, MARKET, NARRATIVES } from './metrics.ts';
import { barsFor, pricesDataset } from './prices.ts';

export const TYPE_NAMES: Record<ExportType, string> = {
  crypto_prices: 'Crypto prices',
  market_data: 'Market data',
  ai_analysis: 'AI analysis',
  fear_greed: 'Fear and greed',
  narratives: 'Narratives',
  alerts: 'Alerts',
  backtest_results: 'Backtest results',
  all_data: 'All data',
};

export type Asked = {
  dataTypes: readonly ExportType[];
  /** Of the basic page, whose 'all_data' holds its own kinds only. */
  basic: boolean;
  scope: Scope;
  now: Date;
  /** Days that minutes of prices are kept. */
  minuteDays: number;
};

/** The tables of an export, each once. */
export function datasetsOf({ dataTypes, basic, scope, now, minuteDays }: Asked): Dataset[] {
  const all: readonly ExportType[] = basic ? BASIC_TYPES : ADVANCED_TYPES;
  const kinds = dataTypes.includes('all_data') ? all : dataTypes;
  const tables: Record<ExportType, () => Dataset[]> = {
    crypto_prices: () => [pricesDataset(barsFor(scope, now, minuteDays))],
    market_data: () => [MARKET],
    fear_greed: () => [FEAR_GREED],
    narratives: () => [NARRATIVES],
    ai_analysis: () => [OPINIONS, FROZEN],
    alerts: () => [ALERTS],
    backtest_results: () => [GRADED],
    all_data: () => [],
  };
  return [...new Set(kinds)].flatMap((kind) => tables[kind]());
}
