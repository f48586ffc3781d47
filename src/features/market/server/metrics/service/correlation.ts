import type { CorrelationPair as Pair } from '#features/market/contract/metrics.ts';
import type { DailyClose } from '#features/market/server/market/service.ts';

import type { MetricsContext } from '../context.ts';

const DAY_MS = 86_400_000;
/** With fewer common days, the documented default is shown instead and labelled as such. */
const LEAST_DAYS = 20;
const HOUR_MS = 3_600_000;

/** Typical correlation of large coins; shown greyed, as a default, never as measured. */
const DEFAULT_PAIR = 0.7;

/** Daily log returns by the day they end on. */
export function dailyReturns(closes: readonly DailyClose[]): Map<string, number> {
  const returns = new Map<string, number>();
  for (let i = 1; i < closes.length; i++) {
    const [before, after] = [closes[i - 1], closes[i]];
    if (before && after && before.close > 0 && after.close > 0 && isNextDay(before.day, after.day))
      returns.set(after.day, Math.log(after.close / before.close));
  }
  return returns;
}

const isNextDay = (a: string, b: string) => Date.parse(b) - Date.parse(a) === DAY_MS;

/** Pearson's r over common days, null when one of them is constant. */
export function pearson(
  a: ReadonlyMap<string, number>,
  b: ReadonlyMap<string, number>,
): { r: number | null; days: number } {
  const days = [...a.keys()].filter((day) => b.has(day));
  const n = days.length;
  if (n < 2) return { r: null, days: n };
  const x = Float64Array.from(days, (day) => a.get(day) ?? 0);
  const y = Float64Array.from(days, (day) => b.get(day) ?? 0);
  const { rows } = standardise([x, y]);
  const [first, second] = rows;
  if (!first || !second) return { r: null, days: n };
  let dot = 0;
  for (let i = 0; i < n; i++) dot += (first[i] as number) * (second[i] as number);
  return { r: Number.isFinite(dot) ? Math.max(-1, Math.min(1, dot)) : null, days: n };
}

/**
 * Rows of equal length normalised to mean 0 and length 1, so that a correlation is a dot product; a constant row
 * becomes NaN.
 */
function standardise(rows: readonly Float64Array[]): { rows: Float64Array[] } {
  return {
    rows: rows.map((row) => {
      let mean = 0;
      for (const value of row) mean += value / row.length;
      let square = 0;
      const centred = new Float64Array(row.length);
      for (let i = 0; i < row.length; i++) {
        const distance = (row[i] as number) - mean;
        centred[i] = distance;
        square += distance * distance;
      }
      const norm = Math.sqrt(square);
      for (let i = 0; i < centred.length; i++) centred[i] = norm > 1e-12 ? (centred[i] as number) / norm : Number.NaN;
      return centred;
    }),
  };
}

/** The full matrix of n rows of equal length, row by row; NaN for constant rows. */
export function correlationMatrix(rows: readonly Float64Array[]): Float64Array {
  const n = rows.length;
  const unit = standardise(rows).rows;
  const matrix = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const a = unit[i] as Float64Array;
    matrix[i * n + i] = Number.isNaN(a[0]) ? Number.NaN : 1;
    for (let j = i + 1; j < n; j++) {
      const b = unit[j] as Float64Array;
      let dot = 0;
      for (let k = 0; k < a.length; k++) dot += (a[k] as number) * (b[k] as number);
      matrix[i * n + j] = dot;
      matrix[j * n + i] = dot;
    }
  }
  return matrix;
}

type Coin = { id: string; symbol: string };

/** Pairwise correlations over a number of days: `pairs[i][j]` of `coins[i]` and `coins[j]`; 1 with itself. */
export async function readCorrelations(ctx: MetricsContext, coins: readonly Coin[], days: number): Promise<Pair[][]> {
  const now = ctx.now();
  const closes = await ctx.market.dailyCandles(
    coins.map(({ id }) => id),
    new Date(now.getTime() - (days + 1) * DAY_MS),
    now,
  );
  const series = coins.map(({ id }) => dailyReturns(closes.get(id) ?? []));
  const pairs: Pair[][] = coins.map(() => []);
  for (const [i, x] of series.entries())
    for (const [j, y] of series.slice(0, i + 1).entries()) {
      const { r, days: common } = pearson(x, y);
      const newest = [x, y].flatMap((each) => [...each.keys()].at(-1) ?? []).toSorted()[0];
      const pair = toPair(ctx, { r, common, days, newest });
      const row = pairs[i] as Pair[];
      const mirrored = pairs[j] as Pair[];
      row[j] = i === j ? { ...pair, value: 1 } : pair;
      mirrored[i] = row[j];
    }
  return pairs;
}

type CorrelationResult = { r: number | null; common: number; days: number; newest: string | undefined };

function toPair(ctx: MetricsContext, { r, common, days, newest: newestDay }: CorrelationResult): Pair {
  const now = ctx.now();
  if (r === null || common < LEAST_DAYS) {
    const reason = `Default, not measured: ${common} common days of ${LEAST_DAYS} required`;
    return { value: DEFAULT_PAIR, method: 'default', days: common, meta: { metric: 'correlation', reason } };
  }
  const newest = newestDay ?? now.toISOString().slice(0, 10);
  const meta = {
    metric: 'correlation',
    source: 'Meridian',
    observedAt: new Date(Math.min(now.getTime(), Date.parse(newest) + DAY_MS)).toISOString(),
    fetchedAt: now.toISOString(),
    method: ctx.mode === 'demo' ? ('demo' as const) : ('computed' as const),
    staleAfter: new Date(Date.parse(newest) + 2 * DAY_MS + 6 * HOUR_MS).toISOString(),
    terms: `Pearson correlation of ${common} daily log returns`,
    ...(common < days ? { historyDays: common } : {}),
  };
  return { value: r, method: 'measured', days: common, meta };
}
