import type { Market } from '#sandbox/market/market.ts';
import type { Provider } from '#sandbox/provider.ts';

import { cftc, sec } from './agencies.ts';
import { alternativeMe } from './alternative-me.ts';
import { baseChain, baseWallet } from './base-chain.ts';
import { bea } from './bea.ts';
import { binanceFutures } from './binance-futures.ts';
import { blockchainCharts, blockchainInfo } from './blockchain.ts';
import { bls } from './bls.ts';
import { bybit } from './bybit.ts';
import { clevelandFed } from './cleveland-fed.ts';
import { coinbase } from './coinbase.ts';
import { coingecko } from './coingecko.ts';
import { coinmetrics } from './coinmetrics.ts';
import { coinpaprika } from './coinpaprika.ts';
import { deribit } from './deribit.ts';
import { ethereum } from './ethereum.ts';
import { coinmarketcal, finnhub } from './event-lists.ts';
import { faireconomy } from './faireconomy.ts';
import { federalReserve } from './federal-reserve.ts';
import { fred } from './fred.ts';
import { fredApi } from './fred-api.ts';
import { groq } from './groq.ts';
import { huggingface } from './huggingface.ts';
import { hyperliquid } from './hyperliquid.ts';
import { krakenFutures } from './kraken-futures.ts';
import { llama } from './llama.ts';
import { mempool } from './mempool.ts';
import { okx } from './okx.ts';
import { push } from './push.ts';
import { beaSchedule, blsSchedule } from './release-schedules.ts';
import { solana } from './solana.ts';
import { solanaPay } from './solana-pay.ts';
import { solanaWallet } from './solana-wallet.ts';
import { stablecoinsLlama } from './stablecoins-llama.ts';
import { stripe } from './stripe.ts';
import { sui } from './sui.ts';
import { telegram } from './telegram.ts';
import { venice } from './venice.ts';
import { xrpl } from './xrpl.ts';

/** Everybody the sandbox can play: one file each, known to the server by this list alone. */
export const PROVIDERS: readonly ((market: Market) => Provider)[] = [
  coingecko,
  coinpaprika,
  okx,
  coinbase,
  alternativeMe,
  stablecoinsLlama,
  llama,
  bybit,
  binanceFutures,
  deribit,
  krakenFutures,
  hyperliquid,
  mempool,
  blockchainCharts,
  blockchainInfo,
  ethereum,
  solana,
  sui,
  xrpl,
  coinmetrics,
  fred,
  fredApi,
  bls,
  bea,
  clevelandFed,
  federalReserve,
  blsSchedule,
  beaSchedule,
  sec,
  cftc,
  finnhub,
  coinmarketcal,
  faireconomy,
  venice,
  groq,
  huggingface,
  telegram,
  push,
  solanaPay,
  solanaWallet,
  baseChain,
  baseWallet,
  stripe,
];
