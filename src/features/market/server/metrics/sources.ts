import type { SourceDescriptor } from '#kernel/source-set.ts';

import { alternativeMe, fearAndGreed } from './providers/alternative-me.ts';
import { binanceDerivatives, binanceFutures } from './providers/binance-futures.ts';
import {
  activeAddresses,
  blockchainCharts,
  blockchainInfo,
  networkStats,
  whaleBlocks,
} from './providers/blockchain-info.ts';
import { bybit, bybitDerivatives } from './providers/bybit.ts';
import { coingeckoNarratives } from './providers/coingecko-narratives.ts';
import { coinmetrics, coinmetricsFlows } from './providers/coinmetrics.ts';
import { deribit, deribitDerivatives } from './providers/deribit.ts';
import { fred, macroSeries } from './providers/fred.ts';
import { coingeckoGlobal, coinpaprikaGlobal } from './providers/global-market.ts';
import { hyperliquid, hyperliquidDerivatives } from './providers/hyperliquid.ts';
import { krakenDerivatives, krakenFutures } from './providers/kraken-futures.ts';
import { exchangeReserves, llama } from './providers/llama.ts';
import { bitcoinNetwork, mempool, mempoolWhales } from './providers/mempool.ts';
import { ethereumNetwork, ethereumRpc, solanaNetwork, solanaRpc } from './providers/node-rpc.ts';
import { okxDerivatives } from './providers/okx.ts';
import { stablecoinSupply, stablecoinsLlama } from './providers/stablecoins-llama.ts';
import { suiFallback, suiFallbackNetwork, suiGraphql, suiNetwork } from './providers/sui-graphql.ts';
import { xrpLedger, xrpl } from './providers/xrpl.ts';
import type { MetricSource } from './types.ts';

/** Sources used only by the metrics; those shared with prices are declared by the market. */
export const METRIC_SOURCES: SourceDescriptor[] = [
  alternativeMe,
  bybit,
  binanceFutures,
  deribit,
  krakenFutures,
  hyperliquid,
  stablecoinsLlama,
  llama,
  coinmetrics,
  mempool,
  blockchainCharts,
  blockchainInfo,
  ethereumRpc,
  solanaRpc,
  suiGraphql,
  suiFallback,
  xrpl,
  fred,
];

export const METRIC_ADAPTERS: MetricSource[] = [
  fearAndGreed,
  okxDerivatives,
  deribitDerivatives,
  krakenDerivatives,
  hyperliquidDerivatives,
  bybitDerivatives,
  binanceDerivatives,
  coingeckoGlobal,
  coinpaprikaGlobal,
  coingeckoNarratives,
  stablecoinSupply,
  exchangeReserves,
  coinmetricsFlows,
  bitcoinNetwork,
  activeAddresses,
  networkStats,
  whaleBlocks,
  mempoolWhales,
  ethereumNetwork,
  solanaNetwork,
  suiNetwork,
  suiFallbackNetwork,
  xrpLedger,
  macroSeries,
];
