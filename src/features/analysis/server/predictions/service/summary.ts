import type { Backtest, BacktestSummary, TrackCell } from '#features/analysis/contract/predictions.ts';

const RESULTS = 5;
const HITS = 40;
const CURVES: ReadonlySet<string> = new Set(['calibration', 'assets']);

/** The same record gives the same object, which is then laid out as text once. */
const summaries = new WeakMap<Backtest, BacktestSummary>();

const withoutCurves = (cell: TrackCell) =>
  Object.fromEntries(Object.entries(cell).filter(([name]) => !CURVES.has(name))) as BacktestSummary['cells'][number];

/** What the dashboard shows of the record. */
export function summaryOf(record: Backtest): BacktestSummary {
  const known = summaries.get(record);
  if (known) return known;
  const { pools: _, ...shown } = record;
  const summary = {
    ...shown,
    recent_results: record.recent_results.slice(0, RESULTS),
    recent_hits: record.recent_results.slice(0, HITS).map(({ accuracy }) => accuracy === 100),
    headline: record.headline && withoutCurves(record.headline),
    cells: record.cells.filter(({ current }) => current).map(withoutCurves),
  };
  summaries.set(record, summary);
  return summary;
}
