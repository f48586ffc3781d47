import type { Market } from './market.ts';
import { PARAMETERS } from './parameters.ts';
import { signalsOf, wave } from './signals.ts';
import { DAY } from './time.ts';

const NOISE = 0x6667;

/** Fear and greed of a day counted from 1970: high after rises, low after falls and when the market is restless. */
export function fearAndGreed(market: Market, day: number): number {
  const { middle, weekly, monthly, restless, noise, reach } = PARAMETERS.sentiment;
  const signals = signalsOf(market);
  const ms = day * DAY;
  const mood =
    weekly * signals.trend('bitcoin', ms, 7 * DAY) +
    monthly * signals.trend('bitcoin', ms, 30 * DAY) -
    restless * signals.restlessness('bitcoin', ms) +
    noise * wave(market.seed, NOISE, ms, 2 * DAY);
  return Math.round(middle + reach * Math.tanh(mood / reach));
}
