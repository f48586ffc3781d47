import type { Market } from '#sandbox/market/market.ts';

import { SolanaChain } from './chain.ts';

const chains = new WeakMap<Market, SolanaChain>();

/** The one chain of a sandbox: node and wallet speak of the same. */
export function chainOf(market: Market): SolanaChain {
  const chain = chains.get(market) ?? new SolanaChain();
  chains.set(market, chain);
  return chain;
}
