import { grouped, price } from '#shared/format.ts';

import type { HistoryType } from './history.ts';

/** Display names of the types. */
export const TYPE_NAMES: Record<HistoryType, string> = {
  CRYPTO_PRICE: 'Crypto prices',
  EQUITY_INDEX: 'Equity index',
  DXY: 'Dollar index',
  TREASURY_YIELD: 'Treasury yields',
  VOLATILITY_INDEX: 'Volatility index',
  ENERGY_PRICE: 'Energy price',
  TOTAL_MARKET_CAP: 'Total market cap',
  ALTCOIN_SEASON: 'Altcoin season index',
  SEASON_INDICATOR: 'Season indicator',
  DERIVATIVES: 'Derivatives',
  ONCHAIN: 'On-chain',
};

const STATES: Readonly<Record<string, string>> = { '-1': 'Bitcoin season', '0': 'Neutral', '1': 'Altcoin season' };
const LARGE = 1e6;

/** At most that many decimals, without trailing zeros. */
const trimmed = (value: number, decimals: number) =>
  decimals > 0 ? grouped(value, decimals).replace(/\.?0+$/, '') : grouped(value);

/** For values below 10^digits. */
const significant = (value: number, digits: number) =>
  trimmed(value, Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value) || 1))));

const SCALES = [
  [1e18, 'E'],
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
] as const;

/** Dollars formatted as prices, other values with two decimals from 100 up; large ones abbreviated, states in words. */
export function valueText(value: number, unit: string): string {
  if (unit === 'state') return STATES[value] ?? String(value);
  const size = Math.abs(value);
  const [scale, letter] = size >= LARGE ? (SCALES.find(([from]) => size >= from) ?? [1, '']) : [1, ''];
  if (unit === 'USD')
    return `${value < 0 ? '\u2212' : ''}$${letter ? significant(size / scale, 5) + letter : price(size)}`;
  const digits = size >= 100 && !letter ? trimmed(value, 2) : significant(value / scale, letter ? 5 : 6);
  const text = digits.replace('-', '\u2212') + letter;
  return unit === '%' ? `${text}%` : text;
}

/** The unit shown after the number, unless the number already includes it. */
export const unitText = (unit: string): string => (unit === 'USD' || unit === '%' || unit === 'state' ? '' : unit);

const ENDING_ZEROS = /(\.\d\d\d*?)0+$/;

/** A signed change in the unit of its value. */
export function changeInUnit(change: number, unit: string): string {
  if (unit === 'state') return change > 0 ? `+${change}` : String(change).replace('-', '\u2212');
  const size = Math.abs(change);
  const text = valueText(unit === 'USD' && size < 1 ? Number(size.toPrecision(3)) : size, unit).replace(
    ENDING_ZEROS,
    '$1',
  );
  if (Number(change.toPrecision(12)) === 0) return text;
  return (change > 0 ? '+' : '\u2212') + text;
}
