import { createContext } from 'react';

type Range = { low: number; high: number };

/** Where a forecaster expects a coin's price at the end of a horizon, 80 and 95 times in 100; USD. */
export type ExpectedRange = {
  crypto_symbol: string;
  horizon: string;
  /** Milliseconds since 1970. */
  issuedAt: number;
  endsAt: number;
  price: number;
  range_80: Range;
  range_95: Range;
  /** Share of earlier 80% ranges of this horizon that held, and how many were graded; null before the first. */
  held: { share: number; of: number } | null;
};

/** The ranges that the page has, of every coin; none where it shows no forecast. */
export const ExpectedRanges = createContext<readonly ExpectedRange[]>([]);

export type FanPoint = { at: number; ends: readonly [low95: number, low80: number, high80: number, high95: number] };

/**
 * The ranges of one coin as lines, from the price at issue through the end of each horizon up to `until`, a point at every
 * multiple of `stepMs`, where the candles of a chart stand. Between two horizons the log distance from the price at issue grows with the square root of time.
 */
export function fanOf(ranges: readonly ExpectedRange[], until: number, stepMs: number): FanPoint[] {
  const [first] = ranges;
  if (!first) return [];
  const { price, issuedAt } = first;
  const knots = [
    { root: 0, logs: [0, 0, 0, 0] },
    ...ranges
      .toSorted((a, b) => a.endsAt - b.endsAt)
      .map(({ endsAt, range_80, range_95 }) => ({
        root: Math.sqrt(endsAt - issuedAt),
        logs: [range_95.low, range_80.low, range_80.high, range_95.high].map((end) => Math.log(end / price)),
      })),
  ];
  const points: FanPoint[] = [];
  for (let at = Math.ceil(issuedAt / stepMs) * stepMs; at <= until; at += stepMs) {
    const root = Math.sqrt(at - issuedAt);
    const next = knots.findIndex((knot) => knot.root >= root);
    const [a, b] = [knots[Math.max(0, next - 1)], knots[next]];
    if (!a || !b) break;
    const share = b.root > a.root ? (root - a.root) / (b.root - a.root) : 0;
    const ends = b.logs.map((log, i) => price * Math.exp((a.logs[i] ?? 0) + share * (log - (a.logs[i] ?? 0))));
    points.push({ at, ends: ends as [number, number, number, number] });
  }
  return points;
}
