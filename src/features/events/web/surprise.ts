import type { Event } from '#features/events/contract.ts';

const NUMBER = /^([+\u2212-]?)\s*([$€£¥]?)([\d,]+(?:\.(\d+))?)\s*(.*)$/;

type Read = { value: number; decimals: number; currency: string; unit: string };

/** A figure as an agency writes it: '+0.3%', '147K', '$2.17'. */
function read(text: string | null): Read | null {
  const [, sign, currency = '', digits, fraction = '', unit = ''] = NUMBER.exec(text?.trim() ?? '') ?? [];
  if (digits === undefined) return null;
  const size = Number(digits.replaceAll(',', ''));
  if (!Number.isFinite(size)) return null;
  return { value: sign && sign !== '+' ? -size : size, decimals: fraction.length, currency, unit: unit.trim() };
}

export type Surprise = { text: string; sign: -1 | 0 | 1 };

/** How far the print was from the forecast, in the unit of both; null where either is missing or they differ in unit. */
export function surpriseOf(figures: Event['figures']): Surprise | null {
  const actual = read(figures?.actual ?? null);
  const forecast = read(figures?.forecast ?? null);
  if (!actual || !forecast || actual.unit !== forecast.unit || actual.currency !== forecast.currency) return null;
  const decimals = Math.max(actual.decimals, forecast.decimals);
  const off = Number((actual.value - forecast.value).toFixed(decimals));
  const unit = actual.unit === '%' ? ' pp' : actual.unit;
  if (off === 0) return { text: 'in line', sign: 0 };
  return {
    text: `${off < 0 ? '\u2212' : '+'}${actual.currency}${Math.abs(off).toFixed(decimals)}${unit}`,
    sign: off < 0 ? -1 : 1,
  };
}
