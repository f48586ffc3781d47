import type { CardPlace } from '#web/ui/card-frame.tsx';
import { type Query, QueryView } from '#web/ui/query-view.tsx';
import { Empty } from '#web/ui/states.tsx';

import type { BacktestSummary } from '../contract.ts';
import { BySymbol } from './by-symbol.tsx';
import { RecentResults } from './recent-results.tsx';
import { RecordCard } from './record-card.tsx';
import { RecordStrip } from './record-strip.tsx';
import { count } from './words.ts';

const NAMES = ['Overall accuracy', 'Average correlation', 'Graded calls'] as const;

export type BacktestCardProps = CardPlace & {
  /** Null where nothing is known of the record at that moment. */
  query: Query<BacktestSummary | null | undefined>;
  /** An earlier moment is shown. */
  past: boolean;
};

export function BacktestCard({ query, past, ...card }: BacktestCardProps) {
  const pending = query.data?.cells.reduce((sum, cell) => sum + cell.pending, 0) ?? 0;
  const waiting = pending > 0 && `${count(pending)} calls are frozen and wait for their time.`;
  return (
    <QueryView
      query={query}
      card={card}
      failed="Failed to load backtest results"
      isEmpty={(data) => !data || data.total_predictions === 0}
      empty={
        <Empty
          title="No backtest data available"
          note={
            past ? 'No record of that moment is kept.' : waiting || 'The first call is graded a day after it is made.'
          }
        />
      }
    >
      {(data) => data && <Loaded card={card} data={data} />}
    </QueryView>
  );
}

function Loaded({ card, data }: { card: CardPlace; data: BacktestSummary }) {
  return (
    <RecordCard card={card} data={data} names={NAMES} beside={<Strip hits={data.recent_hits} />}>
      <div className="grid gap-x-6 gap-y-4 lg:grid-cols-[2fr_3fr]">
        <BySymbol data={data} />
        <RecentResults results={data.recent_results} />
      </div>
    </RecordCard>
  );
}

const Strip = ({ hits }: { hits: BacktestSummary['recent_hits'] }) => (
  <div className="ml-auto min-w-52 flex-1 lg:max-w-md">
    <RecordStrip hits={hits} />
    <p className="label mt-1 flex justify-between gap-2">
      <span>Newest {hits.length} graded, oldest first</span>
      <span>Blind guessing: about 33%</span>
    </p>
  </div>
);
