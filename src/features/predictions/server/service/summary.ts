import type { Backtest, BacktestSummary, TrackCell } from '#features/predictions/contract.ts';

const SHOWN = 20;

function withoutCurves({ calibration: _, assets: __, ...cell }: TrackCell): BacktestSummary['cells'][number] {
  return cell;
}

/** What the dashboard shows of the record. */
export const summaryOf = (record: Backtest): BacktestSummary => ({
  ...record,
  recent_results: record.recent_results.slice(0, SHOWN),
  headline: record.headline && withoutCurves(record.headline),
  cells: record.cells.filter(({ current }) => current).map(withoutCurves),
});
