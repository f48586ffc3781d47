import type { Coin } from '#sandbox/market/coins.ts';
import { contractCoins } from '#sandbox/market/derivatives.ts';
import type { Market } from '#sandbox/market/market.ts';
import { HOUR } from '#sandbox/market/time.ts';

export const FUNDING_INTERVAL_MS = 8 * HOUR;

/** Coins per OKX contract. */
const CONTRACT_SIZES: Readonly<Record<string, number>> = {
  btc: 0.01,
  eth: 0.1,
  bnb: 0.01,
  bch: 0.1,
  xrp: 100,
  ada: 100,
  xlm: 100,
  trx: 1000,
  doge: 1000,
};

export function contractSize({ symbol, basePrice }: Coin): number {
  const known = CONTRACT_SIZES[symbol];
  if (known !== undefined) return known;
  if (basePrice >= 0.5) return 1;
  return 10 ** Math.ceil(-Math.log10(basePrice) + 0.5);
}

/** Contracts by their name at a venue. */
export const contractsBy = (market: Market, nameOf: (base: string) => string): ReadonlyMap<string, Coin> =>
  new Map(contractCoins(market).map((coin) => [nameOf(coin.symbol.toUpperCase()), coin]));

/** Enough decimals for at least five significant digits. */
export const priceText = (coin: Coin, price: number): string =>
  price.toFixed(Math.max(1, 5 - Math.floor(Math.log10(coin.basePrice)) - 1));
