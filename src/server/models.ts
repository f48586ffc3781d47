import type { PlanDashboards } from '#features/dashboard/server/service.ts';
import type { Layer1Data } from '#features/layer1/contract.ts';
import type { About } from '#features/legal/contract.ts';
import type { PriceList, Sparklines } from '#features/market/contract.ts';
import type { AdvancedMetrics, DerivativesReply, OnchainReply, SentimentReading } from '#features/metrics/contract.ts';
import type { TrendingNarratives } from '#features/narratives/contract.ts';

import type { ReadModel } from './platform/read-model.ts';

/** The public payloads this process keeps ready to be written. */
export type Models = {
  dashboard: PlanDashboards;
  prices: ReadModel<PriceList>;
  sparklines: ReadModel<Sparklines>;
  advancedMetrics: ReadModel<AdvancedMetrics>;
  marketSentiment: ReadModel<SentimentReading>;
  derivatives: ReadModel<DerivativesReply>;
  onchain: ReadModel<OnchainReply>;
  layer1: ReadModel<Layer1Data>;
  narratives: ReadModel<TrendingNarratives>;
  about: ReadModel<About>;
};
