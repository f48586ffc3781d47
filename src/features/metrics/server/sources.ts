import type { SourceDescriptor } from '#server/platform/source-set.ts';

import { alternativeMe, fearAndGreed } from './providers/alternative-me.ts';
import { activeAddresses, blockchainCharts } from './providers/blockchain-charts.ts';
import { blockchainInfo, whaleBlocks } from './providers/blockchain-info.ts';
import { coingeckoGlobal } from './providers/coingecko-global.ts';
import { coinmetrics, coinmetricsFlows } from './providers/coinmetrics.ts';
import { coinpaprikaGlobal } from './providers/coinpaprika-global.ts';
import { ethereumNetwork, ethereumRpc } from './providers/ethereum-rpc.ts';
import { exchangeReserves, llama } from './providers/llama.ts';
import { bitcoinNetwork, mempool } from './providers/mempool.ts';
import { solanaNetwork, solanaRpc } from './providers/solana-rpc.ts';
import { stablecoinSupply, stablecoinsLlama } from './providers/stablecoins-llama.ts';
import { suiNetwork, suiRpc } from './providers/sui-rpc.ts';
import { xrpLedger, xrpl } from './providers/xrpl.ts';
import type { MetricSource } from './types.ts';

/** Every outside source that only the metrics ask; those shared with prices are declared by the market. */
export const METRIC_SOURCES: SourceDescriptor[] = [
  alternativeMe,
  stablecoinsLlama,
  llama,
  coinmetrics,
  mempool,
  blockchainCharts,
  blockchainInfo,
  ethereumRpc,
  solanaRpc,
  suiRpc,
  xrpl,
];

export const METRIC_ADAPTERS: MetricSource[] = [
  fearAndGreed,
  coingeckoGlobal,
  coinpaprikaGlobal,
  stablecoinSupply,
  exchangeReserves,
  coinmetricsFlows,
  bitcoinNetwork,
  activeAddresses,
  whaleBlocks,
  ethereumNetwork,
  solanaNetwork,
  suiNetwork,
  xrpLedger,
];
