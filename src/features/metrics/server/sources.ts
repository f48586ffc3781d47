import type { SourceDescriptor } from '#server/platform/source-set.ts';

import { alternativeMe, fearAndGreed } from './providers/alternative-me.ts';
import { binanceDerivatives, binanceFutures } from './providers/binance-futures.ts';
import { bybit, bybitDerivatives } from './providers/bybit.ts';
import { deribit, deribitDerivatives } from './providers/deribit.ts';
import { hyperliquid, hyperliquidDerivatives } from './providers/hyperliquid.ts';
import { krakenDerivatives, krakenFutures } from './providers/kraken-futures.ts';
import { okxDerivatives } from './providers/okx-derivatives.ts';
import type { MetricSource } from './types.ts';

/** Every outside source that only the metrics ask; those shared with prices are declared by the market. */
export const METRIC_SOURCES: SourceDescriptor[] = [
  alternativeMe,
  bybit,
  binanceFutures,
  deribit,
  krakenFutures,
  hyperliquid,
];

export const METRIC_ADAPTERS: MetricSource[] = [
  fearAndGreed,
  okxDerivatives,
  deribitDerivatives,
  krakenDerivatives,
  hyperliquidDerivatives,
  bybitDerivatives,
  binanceDerivatives,
];
