import type { SourceDescriptor } from '#kernel/source-set.ts';

import { alternativeMe, fearAndGreed } from './providers/alternative-me.ts';
import { binanceDerivatives, binanceFutures } from './providers/binance-futures.ts';
import { activeAddresses, blockchainCharts, networkStats } from './providers/blockchain-charts.ts';
import { blockchainInfo, whaleBlocks } from './providers/blockchain-info.ts';
import { bybit, bybitDerivatives } from './providers/bybit.ts';
import { coingeckoGlobal } from './providers/coingecko-global.ts';
import { coingeckoNarratives } from './providers/coingecko-narratives.ts';
import { coinmetrics, coinmetricsFlows } from './providers/coinmetrics.ts';
import { coinpaprikaGlobal } from './providers/coinpaprika-global.ts';
import { deribit, deribitDerivatives } from './providers/deribit.ts';
import { ethereumNetwork, ethereumRpc } from './providers/ethereum-rpc.ts';
import { fred, macroSeries } from './providers/fred.ts';
import { hyperliquid, hyperliquidDerivatives } from './providers/hyperliquid.ts';
import { krakenDerivatives, krakenFutures } from './providers/kraken-futures.ts';
import { exchangeReserves, llama } from './providers/llama.ts';
import { bitcoinNetwork, mempool } from './providers/mempool.ts';
import { mempoolWhales } from './providers/mempool-whales.ts';
import { okxDerivatives } from './providers/okx-derivatives.ts';
import { solanaNetwork, solanaRpc } from './providers/solana-rpc.ts';
import { stablecoinSupply, stablecoinsLlama } from './providers/stablecoins-llama.ts';
import { suiFallback, suiFallbackNetwork, suiGraphql, suiNetwork } from './providers/sui-graphql.ts';
import { xrpLedger, xrpl } from './providers/xrpl.ts';
import type { MetricSource } from './types.ts';

/** Every outside source that only the metrics ask; those shared with prices are declared by the market. */
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
