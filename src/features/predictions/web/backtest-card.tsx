import { ArrowRight } from 'lucide-react';

import { Card } from '#web/ui/card.tsx';
import type { CardPlace } from '#web/ui/card-frame.tsx';
import { Fresh } from '#web/ui/fresh.tsx';
import { Link } from '#web/ui/link.tsx';
import { type Query, QueryView } from '#web/ui/query-view.tsx';
import { Empty } from '#web/ui/states.tsx';

import type { BacktestSummary } from '../contract.ts';
import { BySymbol } from './by-symbol.tsx';
import { RecentResults } from './recent-results.tsx';
import { RecordFigure } from './record-figure.tsx';
import { RecordStrip } from './record-strip.tsx';
import { count, signed, tone } from './words.ts';
import { Worth } from './worth.tsx';

const STALE_MS = 48 * 3_600_000;

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
  const at = Date.parse(data.timestamp);
  return (
    <Card
      {...card}
      note={<Fresh observedAt={at} staleAfter={at + STALE_MS} />}
      action={
        <Link
          to="/app/track-record"
          className="inline-flex h-8 items-center gap-1.5 px-2.5 text-sm font-medium text-accent hover:underline"
        >
          Full track record
          <ArrowRight className="size-3.5" aria-hidden="true" />
        </Link>
      }
    >
      <div className="grid gap-4 px-4 pt-1 pb-4">
        <Totals data={data} />
        {data.headline && <Worth cell={data.headline} at={data.timestamp} />}
        <div className="grid gap-x-6 gap-y-4 lg:grid-cols-[2fr_3fr]">
          <BySymbol data={data} />
          <RecentResults results={data.recent_results} />
        </div>
      </div>
    </Card>
  );
}

const BIG = 'num text-2xl font-semibold tracking-[-0.03em]';

function Totals({ data }: { data: BacktestSummary }) {
  const { overall_accuracy: accuracy, average_correlation: correlation, total_predictions: total, timestamp } = data;
  const figure = { at: timestamp, className: BIG };
  return (
    <div className="flex flex-wrap items-end gap-x-8 gap-y-3">
      <dl className="flex flex-wrap gap-x-8 gap-y-3 [&_dt]:label">
        <div>
          <dt>Overall accuracy</dt>
          <dd className={accuracy === null ? undefined : tone(accuracy, 80, 60)}>
            <RecordFigure
              {...figure}
              metric="record.accuracy"
              name="Overall accuracy"
              text={accuracy === null ? null : `${accuracy.toFixed(1)}%`}
              terms={`${count(total)} graded calls of every provider, the consensus apart`}
            />
          </dd>
        </div>
        <div>
          <dt>Average correlation</dt>
          <dd className={correlation === null ? undefined : tone(100 * correlation, 70, 50)}>
            <RecordFigure
              {...figure}
              metric="record.correlation"
              name="Average correlation"
              text={correlation === null ? null : signed(100 * correlation)}
              reason="A correlation needs ten graded calls of one provider, asset and horizon."
            />
          </dd>
        </div>
        <div>
          <dt>Graded calls</dt>
          <dd>
            <RecordFigure {...figure} metric="record.n" name="Graded calls" text={count(total)} />
          </dd>
        </div>
      </dl>
      <div className="ml-auto min-w-52 flex-1 lg:max-w-md">
        <RecordStrip hits={data.recent_hits} />
        <p className="label mt-1 flex justify-between gap-2">
          <span>Newest {data.recent_hits.length} graded, oldest first</span>
          <span>Blind guessing: about 33%</span>
        </p>
      </div>
    </div>
  );
}
