import type { Coin, Sector } from './coins.ts';
import type { Market } from './market.ts';
import { perMarket, signalsOf, wave } from './signals.ts';
import { DAY, HOUR, MINUTE, PARAMETERS } from './time.ts';

/** Share of all open interest, and the funding premium. The rest is on venues not simulated. */
const VENUES = {
  binance: { marketShare: 0.31, premiumFactor: 1 },
  bybit: { marketShare: 0.19, premiumFactor: 1.1 },
  okx: { marketShare: 0.13, premiumFactor: 0.95 },
  hyperliquid: { marketShare: 0.1, premiumFactor: 1.3 },
  deribit: { marketShare: 0.045, premiumFactor: 0.6 },
  krakenFutures: { marketShare: 0.015, premiumFactor: 0.8 },
} as const;
export type DerivativesVenue = keyof typeof VENUES;

const NAMES = Object.keys(VENUES);
const [FUNDING, OPEN_INTEREST, PREMIUM] = [0x6675, 0x6f69, 0x7072];
const CONTRACT_COUNT = 40;
const EXCLUDED_SECTORS: ReadonlySet<Sector> = new Set([
  'stablecoins',
  'wrapped-tokens',
  'liquid-staking-tokens',
  'tokenized-gold',
]);
const EXCLUDED_COINS: ReadonlySet<string> = new Set([
  'leo-token',
  'okb',
  'bitget-token',
  'kucoin-shares',
  'crypto-com-chain',
]);

/** Coins that have a perpetual contract. */
export const contractCoins = perMarket((market): readonly Coin[] =>
  market.coins
    .filter(({ id, sector }) => !EXCLUDED_SECTORS.has(sector) && !EXCLUDED_COINS.has(id))
    .slice(0, CONTRACT_COUNT),
);

const saltOf = (base: number, venue: DerivativesVenue, { index }: Coin) =>
  base * 4096 + index * 8 + NAMES.indexOf(venue);

/** Fraction per 8 hours at a given time: high after a rise. */
export function fundingAt(market: Market, venue: DerivativesVenue, coin: Coin, ms: number): number {
  const { base, trend, noise, max } = PARAMETERS.funding;
  const pull = base + trend * signalsOf(market).trend(coin.id, ms, 7 * DAY);
  const rate =
    VENUES[venue].premiumFactor * pull + noise * wave(market.seed, saltOf(FUNDING, venue, coin), ms, 16 * HOUR);
  return Math.max(-max, Math.min(max, rate));
}

/** USD: grows with the market cap and with the trend. */
export function openInterestAt(market: Market, venue: DerivativesVenue, coin: Coin, ms: number): number {
  const { ofCap, trend, noise } = PARAMETERS.openInterest;
  const usual = coin.id === 'bitcoin' ? ofCap.bitcoin : coin.id === 'ethereum' ? ofCap.ethereum : ofCap.other;
  const heat =
    trend * Math.tanh(signalsOf(market).trend(coin.id, ms, 30 * DAY)) +
    noise * wave(market.seed, saltOf(OPEN_INTEREST, venue, coin), ms, 3 * DAY);
  return market.marketCapAt(coin, ms) * usual * VENUES[venue].marketShare * Math.exp(heat);
}

/** Mark price of a perpetual: above the index when funding is high. */
export function markAt(market: Market, venue: DerivativesVenue, coin: Coin, ms: number): number {
  const noise = 0.00008 * wave(market.seed, saltOf(PREMIUM, venue, coin), ms, 10 * MINUTE);
  return market.priceAt(coin, ms) * (1 + fundingAt(market, venue, coin, ms) + noise);
}
