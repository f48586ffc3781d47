import { z } from 'zod';

import type { Observation } from './types.ts';

/** Assets whose perpetual futures are read and summed. */
export const FUTURES_ASSETS = ['btc', 'eth', 'sol', 'sui', 'xrp'] as const;
export type FuturesAsset = (typeof FUTURES_ASSETS)[number];

const HOUR_MS = 3_600_000;
/** Percent per 8h that no venue charges for these assets: more indicates a unit error. */
const MOST_FUNDING = 50;
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** A number or numeric text; null for '', null, missing or anything else. */
export function toFiniteNumber(value: unknown): number | null {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && NUMBER.test(value) ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** Epoch milliseconds from a number or a text; null if invalid. */
export function toDate(value: unknown): Date | null {
  const ms = toFiniteNumber(value);
  const date = new Date(ms ?? Number.NaN);
  return ms !== null && ms > 0 && !Number.isNaN(date.getTime()) ? date : null;
}

/** A figure in a response: a missing one is null, and never invalidates the rest. */
export const figure = z.unknown().optional().transform(toFiniteNumber);
export const moment = z.unknown().optional().transform(toDate);

/** The product, or null when a factor is missing. */
export const times = (...factors: (number | null)[]): number | null =>
  factors.reduce<number | null>((all, factor) => (all === null || factor === null ? null : all * factor), 1);

/** A rate as a fraction per `hours` → percent per 8h. */
export function per8h(rate: number | null, hours: number | null): number | null {
  if (rate === null || hours === null || !(hours > 0)) return null;
  return (rate * 100 * 8) / hours;
}

/** Whole hours between two moments; null when they coincide. */
export function hoursBetween(from: Date | null, to: Date | null): number | null {
  const hours = from && to ? Math.round((to.getTime() - from.getTime()) / HOUR_MS) : 0;
  return hours > 0 ? hours : null;
}

type Kind = 'oi' | 'funding' | 'volume';
const isPlausible = (kind: Kind, value: number) => (kind === 'funding' ? Math.abs(value) <= MOST_FUNDING : value >= 0);

/** One figure of a venue: open interest and volume in USD, funding in percent per 8h. Empty when missing. */
export function venueFigure(
  kind: Kind,
  asset: FuturesAsset,
  value: number | null,
  observedAt: Date | null,
  rest: Pick<Observation, 'method' | 'detail'> = {},
): Observation[] {
  if (value === null || observedAt === null || !Number.isFinite(value) || !isPlausible(kind, value)) return [];
  return [{ metric: `venue.${kind}.${asset}`, value, observedAt, ...rest }];
}

export type Settled = { at: Date; rate: number };

/** Settled rates, fractions per interval, as observations; the interval is the distance between neighbours. */
export function fundingPast(asset: FuturesAsset, settled: Settled[], from: Date, terms: string): Observation[] {
  const rows = settled.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  return rows.flatMap(({ at, rate }, i) => {
    const gaps = [hoursBetween(rows[i - 1]?.at ?? null, at), hoursBetween(at, rows[i + 1]?.at ?? null)];
    const known = gaps.filter((gap) => gap !== null);
    const hours = known.length > 0 ? Math.min(...known) : null;
    return at < from ? [] : venueFigure('funding', asset, per8h(rate, hours), at, { detail: { terms } });
  });
}
