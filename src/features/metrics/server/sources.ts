import type { SourceDescriptor } from '#server/platform/source-set.ts';

import { alternativeMe, fearAndGreed } from './providers/alternative-me.ts';
import { coingeckoNarratives } from './providers/coingecko-narratives.ts';
import type { MetricSource } from './types.ts';

/** Every outside source that only the metrics ask; those shared with prices are declared by the market. */
export const METRIC_SOURCES: SourceDescriptor[] = [alternativeMe];

export const METRIC_ADAPTERS: MetricSource[] = [fearAndGreed, coingeckoNarratives];
