export type KnownChain = { id: string; narrative: string };

/** Always shown, in this order. */
export const TRACKED_CHAINS: readonly KnownChain[] = [
  { id: 'bitcoin', narrative: 'Store of value' },
  { id: 'ethereum', narrative: 'Smart contracts' },
  { id: 'solana', narrative: 'High throughput' },
  { id: 'sui', narrative: 'Move language' },
  { id: 'ripple', narrative: 'Payments' },
];

/** Chains of their own; those with the largest caps follow the tracked ones. Ids are CoinGecko's. */
export const OTHER_CHAINS: readonly KnownChain[] = [
  { id: 'binancecoin', narrative: 'Exchange chain' },
  { id: 'tron', narrative: 'Stablecoin transfers' },
  { id: 'cardano', narrative: 'Peer-reviewed design' },
  { id: 'avalanche-2', narrative: 'Subnets' },
  { id: 'the-open-network', narrative: 'Messenger payments' },
  { id: 'polkadot', narrative: 'Interoperability' },
  { id: 'stellar', narrative: 'Payments' },
  { id: 'hedera-hashgraph', narrative: 'Enterprise ledger' },
  { id: 'litecoin', narrative: 'Payments' },
  { id: 'bitcoin-cash', narrative: 'Payments' },
  { id: 'near', narrative: 'Sharding' },
  { id: 'aptos', narrative: 'Move language' },
  { id: 'internet-computer', narrative: 'On-chain compute' },
  { id: 'cosmos', narrative: 'Interoperability' },
  { id: 'ethereum-classic', narrative: 'Proof of work' },
  { id: 'algorand', narrative: 'Pure proof of stake' },
  { id: 'kaspa', narrative: 'Proof of work' },
  { id: 'monero', narrative: 'Privacy' },
  { id: 'sei-network', narrative: 'Trading chain' },
  { id: 'hyperliquid', narrative: 'Trading chain' },
  { id: 'injective-protocol', narrative: 'Trading chain' },
  { id: 'tezos', narrative: 'On-chain governance' },
  { id: 'vechain', narrative: 'Supply chains' },
  { id: 'berachain-bera', narrative: 'Proof of liquidity' },
];
