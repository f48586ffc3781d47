import { analysisSources } from '#features/analysis/server/sources.ts';
import { EVENT_SOURCES } from '#features/events/server/sources.ts';
import { INFLATION_SOURCES } from '#features/inflation/server/sources.ts';
import { SOURCES as MARKET_SOURCES } from '#features/market/server/sources.ts';
import { METRIC_SOURCES } from '#features/metrics/server/sources.ts';

import type { Config } from './platform/config.ts';
import type { SourceDescriptor } from './platform/source-set.ts';

/** Every outside source of the product. */
export const allSources = (config: Config): SourceDescriptor[] => [
  ...MARKET_SOURCES,
  ...METRIC_SOURCES,
  ...INFLATION_SOURCES,
  ...EVENT_SOURCES,
  ...analysisSources(config),
];
