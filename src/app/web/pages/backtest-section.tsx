import { usePreparing } from '#features/analysis/web/analysis/preparing.tsx';
import { BacktestCard, type BacktestCardProps } from '#features/analysis/web/predictions/backtest-card.tsx';

/** The card, which shows the progress of a demo's history where there is no record yet. */
export function BacktestSection(props: BacktestCardProps) {
  const { past, query } = props;
  const isEmpty = query.data === null || query.data?.total_predictions === 0;
  return <BacktestCard {...props} preparing={usePreparing(!past && isEmpty)} />;
}
