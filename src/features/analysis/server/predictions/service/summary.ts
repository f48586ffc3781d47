import type { Backtest, BacktestSummary, GradedCall, TrackCell } from '#features/analysis/contract/predictions.ts';

const RESULTS = 5;
const HITS = 40;
const CURVES: ReadonlySet<string> = new Set(['calibration', 'assets']);

/** The same record gives the same object, which is then laid out as text once. */
const summaries = new WeakMap<Backtest, BacktestSummary>();

const withoutCurves = (cell: TrackCell) =>
  Object.fromEntries(Object.entries(cell).filter(([name]) => !CURVES.has(name))) as BacktestSummary['cells'][number];

/** The newest of each analyst in turn, of a coin not named yet where there is one: a batch ends at one moment. */
export function varied(results: readonly GradedCall[], count: number): GradedCall[] {
  const analysts = [...Map.groupBy(results, ({ provider, model }) => `${provider} ${model}`).values()];
  const chosen = new Set<GradedCall>();
  while (chosen.size < Math.min(count, results.length))
    for (const own of analysts) {
      const named = new Set([...chosen].map(({ crypto_symbol }) => crypto_symbol));
      const left = own.filter((call) => !chosen.has(call));
      const next = left.find(({ crypto_symbol }) => !named.has(crypto_symbol)) ?? left[0];
      if (next && chosen.size < count) chosen.add(next);
    }
  return results.filter((call) => chosen.has(call));
}

/** What the dashboard shows of the record. */
export function summaryOf(record: Backtest): BacktestSummary {
  const known = summaries.get(record);
  if (known) return known;
  const { pools: _, ...shown } = record;
  const summary = {
    ...shown,
    recent_results: varied(record.recent_results, RESULTS),
    recent_hits: record.recent_results.slice(0, HITS).map(({ accuracy }) => accuracy === 100),
    headline: record.headline && withoutCurves(record.headline),
    cells: record.cells.filter(({ current }) => current).map(withoutCurves),
  };
  summaries.set(record, summary);
  return summary;
}
