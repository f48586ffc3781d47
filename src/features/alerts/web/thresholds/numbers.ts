import { compact, grouped, price } from '#shared/format.ts';
import { type Direction, directionOf, type Watched } from '#shared/watched.ts';

const MINUS = '\u2212';
const LETTERS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9, t: 1e12 };
/** A comma must group thousands: elsewhere it might be meant as a decimal point. */
const NUMBER = /^([-+\u2212]?)((?:\d{1,3}(?:,\d{3})+|\d[\d\s]*)(?:\.\d*)?|\.\d+)\s*([kmbt]?)$/i;

/** Parses typed numbers: '105,000', '1.5M', '−2'. NaN for anything else. */
export function readNumber(text: string): number {
  const [, sign = '', digits = '', letter = ''] = NUMBER.exec(text.trim().replace(/^\$\s*/, '')) ?? [];
  if (digits === '') return Number.NaN;
  const size = Number(digits.replaceAll(/[,\s]/g, '')) * (LETTERS[letter.toLowerCase()] ?? 1);
  return sign === '' || sign === '+' ? size : -size;
}

/** A number formatted for an input: grouped, with all digits. */
export const writeNumber = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 10 });

/** What a rule compares: the metric itself or its change. */
export type Measure = { unit: Watched['unit'] | 'σ'; decimals: number; signed: boolean };

/** A value with its unit, for display. */
export function measured(value: number, { unit, decimals, signed }: Measure): string {
  if (unit === 'direction') return directionOf(value);
  const size = Math.abs(value);
  const sign = value < 0 ? MINUS : signed && value > 0 ? '+' : '';
  if (unit === 'USD')
    return `${sign}$${size >= 1e6 ? compact(size) : decimals > 2 ? price(size) : grouped(size, decimals)}`;
  if (unit === 'BTC') return `${sign}${grouped(size, decimals)} BTC`;
  if (unit === '%') return `${sign}${grouped(size, decimals)}%`;
  return `${sign}${grouped(size, decimals)}${unit === 'σ' ? ' σ' : ''}`;
}

/** As `measured`, without trailing zeros: for sentences. */
export const measureText = (value: number | Direction, measure: Measure): string => {
  if (typeof value === 'string') return value.toLowerCase();
  return measured(value, measure)
    .replace(/(\.\d*?)0+(?=\D*$)/, '$1')
    .replace(/\.(?=\D*$)/, '');
};

/** 1, 2 or 5 times a power of ten, rounded down. */
export function niceStep(about: number): number {
  if (!(about > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(about));
  const lead = about / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}

/** The nearest multiple of a step, without binary rounding noise. */
export const toStep = (value: number, step: number): number =>
  Number((Math.round(value / step) * step).toPrecision(12));
