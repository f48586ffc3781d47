import type { ExpectedRange } from './use-expected-ranges.ts';

export type FanPoint = { at: number; ends: readonly [low95: number, low80: number, high80: number, high95: number] };

/**
 * The ranges of one coin as lines, from the price at issue through the end of each horizon up to `until`, with a point
 * for each candle of `stepMs`. Between two horizons the log distance from the price at issue grows with the square root
 * of time.
 */
export function buildFan(ranges: readonly ExpectedRange[], until: number, stepMs: number): FanPoint[] {
  const [first] = ranges;
  if (!first) return [];
  const { price, startsAt } = first;
  const knots = [
    { root: 0, logs: [0, 0, 0, 0] },
    ...ranges
      .toSorted((a, b) => a.endsAt - b.endsAt)
      .map(({ endsAt, range_80, range_95 }) => ({
        root: Math.sqrt(endsAt - startsAt),
        logs: [range_95.low, range_80.low, range_80.high, range_95.high].map((end) => Math.log(end / price)),
      })),
  ];
  const points: FanPoint[] = [];
  for (let at = Math.floor(startsAt / stepMs) * stepMs; at <= until; at += stepMs) {
    const root = Math.sqrt(Math.max(0, at - startsAt));
    const next = knots.findIndex((knot) => knot.root >= root);
    const [a, b] = [knots[Math.max(0, next - 1)], knots[next]];
    if (!a || !b) break;
    const share = b.root > a.root ? (root - a.root) / (b.root - a.root) : 0;
    const ends = b.logs.map((log, i) => price * Math.exp((a.logs[i] ?? 0) + share * (log - (a.logs[i] ?? 0))));
    points.push({ at, ends: ends as [number, number, number, number] });
  }
  return points;
}
