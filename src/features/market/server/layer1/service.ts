import type { Chain, Layer1Data } from '#features/market/contract/layer1.ts';
import type { CryptoPrice } from '#features/market/contract/market.ts';
import { type Figure, group, type Snapshot } from '#features/market/server/metrics/service.ts';
import type { FigureOrigin } from '#shared/figures.ts';
import type { DataMode, Provenance } from '#shared/provenance.ts';

type KnownChain = { id: string; narrative: string };

/** Always shown, in this order. */
const TRACKED_CHAINS: readonly KnownChain[] = [
  { id: 'bitcoin', narrative: 'Store of value' },
  { id: 'ethereum', narrative: 'Smart contracts' },
  { id: 'solana', narrative: 'High throughput' },
  { id: 'sui', narrative: 'Move language' },
  { id: 'ripple', narrative: 'Payments' },
];

/** Further chains; those with the largest caps follow the tracked ones. Ids are CoinGecko's. */
const OTHER_CHAINS: readonly KnownChain[] = [
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

const OTHERS = 10;

type Deps = { prices: readonly CryptoPrice[]; snapshot: Snapshot; mode: DataMode };

/** The tracked chains and the next ten by market cap, from the price list and the chains' own metrics. */
export function composeLayer1({ prices, snapshot, mode }: Deps): Layer1Data {
  const byId = new Map(prices.map((coin) => [coin.id, coin]));
  const present = (known: readonly KnownChain[]) =>
    known.flatMap(({ id, narrative }) => {
      const coin = byId.get(id);
      return coin ? [{ coin, narrative }] : [];
    });
  const chosen = [
    ...present(TRACKED_CHAINS),
    ...present(OTHER_CHAINS)
      .toSorted((a, b) => (b.coin.market_cap ?? 0) - (a.coin.market_cap ?? 0))
      .slice(0, OTHERS),
  ];
  const coins = chosen.map(({ coin }) => coin);
  const totalCap = sum(coins.map(({ market_cap }) => market_cap));
  return {
    timestamp: snapshot.at.toISOString(),
    chains: chosen.map(({ coin, narrative }) => composeChain(coin, narrative, totalCap, snapshot, mode)),
    ...totals(coins, totalCap, mode),
  };
}

const sum = (values: (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? known.reduce((total, value) => total + value, 0) : null;
};

const computed = (origin: Provenance, mode: DataMode): Provenance => ({
  ...origin,
  source: 'Meridian',
  method: mode === 'demo' ? 'demo' : 'computed',
});

function given(value: number | null, metric: string, origin: Provenance, terms?: string): Figure {
  if (value === null) return { value, meta: { metric, reason: 'Not in the price list' } };
  return { value, meta: { ...origin, metric, ...(terms ? { terms } : {}) } };
}

function composeChain(
  coin: CryptoPrice,
  narrative: string,
  totalCap: number | null,
  snapshot: Snapshot,
  mode: DataMode,
): Chain {
  const { id, symbol, name, price, change_24h, market_cap, volume_24h, meta, listing } = coin;
  const share = market_cap === null || !totalCap ? null : (100 * market_cap) / totalCap;
  return {
    id,
    symbol,
    name,
    narrative,
    ...group({
      price: given(price, 'l1.price', meta),
      change_24h: given(change_24h, 'l1.change', meta),
      market_cap: given(market_cap, 'l1.cap', listing),
      dominance: given(
        share,
        'l1.dominance',
        computed(listing, mode),
        'Its market cap ÷ the combined market cap of these chains',
      ),
      volume_24h: given(volume_24h, 'l1.volume', listing),
      tps: snapshot.figure(`l1.${id}.tps`, 'l1.tps'),
      active_addresses: snapshot.figure(
        id === 'bitcoin' ? 'addresses.btc.active' : `l1.${id}.addresses`,
        'l1.addresses',
      ),
    }),
  };
}

function totals(coins: CryptoPrice[], totalCap: number | null, mode: DataMode) {
  const oldest = coins.map(({ listing }) => listing).toSorted((a, b) => a.observedAt.localeCompare(b.observedAt))[0];
  const terms = `Over ${coins.length} chains`;
  const volume = sum(coins.map(({ volume_24h }) => volume_24h));
  const changes = coins.flatMap(({ change_24h }) => (change_24h === null ? [] : [change_24h]));
  const mean = changes.length > 0 ? changes.reduce((all, change) => all + change, 0) / changes.length : null;
  const of = (value: number | null, metric: string, how: string): Figure => {
    if (!oldest || value === null)
      return { value: null, meta: { metric, reason: 'The price list has not loaded yet' } };
    const meta: FigureOrigin = { ...computed(oldest, mode), metric, terms: `${how}: ${terms.toLowerCase()}` };
    return { value, meta };
  };
  return group({
    total_market_cap: of(totalCap, 'l1.total_cap', 'Sum of market caps'),
    total_volume_24h: of(volume, 'l1.total_volume', 'Sum of 24h volumes'),
    avg_change_24h: of(mean, 'l1.avg_change', 'Unweighted average of the changes'),
  });
}
