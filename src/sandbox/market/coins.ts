import { inventedCoins } from './invented-coins.ts';
import { KNOWN_COINS } from './known-coins.ts';

/** Ids are CoinGecko's categories. */
export type Sector =
  | 'layer-1'
  | 'layer-2'
  | 'decentralized-finance-defi'
  | 'meme-token'
  | 'artificial-intelligence'
  | 'stablecoins'
  | 'exchange-based-tokens'
  | 'real-world-assets-rwa'
  | 'gaming'
  | 'infrastructure'
  | 'privacy-coins'
  | 'depin'
  | 'tokenized-gold'
  | 'liquid-staking-tokens'
  | 'wrapped-tokens';

/** [id, symbol, name, sector, base price in USD, circulating, total, max supply, id of the coin it follows] */
export type CoinRow = readonly [
  id: string,
  symbol: string,
  name: string,
  sector: Sector,
  basePrice: number,
  circulating: number,
  total: number,
  max: number | null,
  follows?: string,
];

export type Coin = {
  /** Place by base market cap, from 0; the key of its noise. */
  readonly index: number;
  readonly id: string;
  readonly symbol: string;
  readonly name: string;
  readonly sector: Sector;
  readonly basePrice: number;
  readonly circulatingSupply: number;
  readonly totalSupply: number;
  readonly maxSupply: number | null;
  /** The coin whose price this one wraps. */
  readonly follows: string | null;
};

const COIN_COUNT = 300;

/** The same three hundred for every seed; only their fortunes differ. */
export function listCoins(): Coin[] {
  const taken = new Set(KNOWN_COINS.map((row) => row[1]));
  const rows = [...KNOWN_COINS, ...inventedCoins(COIN_COUNT - KNOWN_COINS.length, taken)];
  return rows
    .toSorted((a, b) => b[4] * b[5] - a[4] * a[5])
    .map(([id, symbol, name, sector, basePrice, circulating, total, max, follows], index) => ({
      index,
      id,
      symbol,
      name,
      sector,
      basePrice,
      circulatingSupply: circulating,
      totalSupply: total,
      maxSupply: max,
      follows: follows ?? null,
    }));
}
