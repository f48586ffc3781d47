import { useQuery } from '@tanstack/react-query';

import { QueryView } from '#ui/query-view.tsx';
import { Empty } from '#ui/states.tsx';

import { backtestQuery } from './queries.ts';
import { RecordCard } from './record-card.tsx';

const PLACE = { id: 'ai-performance', title: 'AI Prediction Performance', className: 'min-h-56' };
const NAMES = ['Accuracy', 'Average Correlation', 'Total Predictions'] as const;

export function PerformanceCard() {
  const query = useQuery(backtestQuery);
  return (
    <QueryView
      query={query}
      card={PLACE}
      failed="Failed to load the record of the predictions"
      isEmpty={(data) => data.total_predictions === 0}
      empty={<Empty title="No backtest data available" note="The first call is graded 24 hours after it is issued." />}
    >
      {(data) => <RecordCard card={PLACE} data={data} names={NAMES} />}
    </QueryView>
  );
}
