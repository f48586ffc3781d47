import type { Coin } from './coins.ts';
import type { Market } from './market.ts';
import { PARAMETERS } from './parameters.ts';
import { signalsOf, wave, yearsSinceReference } from './signals.ts';
import { DAY } from './time.ts';

const NOISE = 0x7363;

/** USD of a stablecoin in circulation: near its listed supply at the reference day, more after good months. */
export function supplyAt(market: Market, coin: Coin, ms: number): number {
  const { yearly, trend, noise } = PARAMETERS.stablecoins;
  const grown = yearly * yearsSinceReference(ms) + trend * signalsOf(market).trend('bitcoin', ms, 90 * DAY);
  return coin.circulatingSupply * Math.exp(grown + noise * wave(market.seed, NOISE + coin.index, ms, 5 * DAY));
}

export const stablecoinsOf = (market: Market): Coin[] => market.coins.filter(({ sector }) => sector === 'stablecoins');
