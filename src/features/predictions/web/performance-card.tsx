import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';

import { Card } from '#web/ui/card.tsx';
import { Fresh } from '#web/ui/fresh.tsx';
import { Link } from '#web/ui/link.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Empty } from '#web/ui/states.tsx';

import type { Backtest } from '../contract.ts';
import { backtestQuery } from './queries.ts';
import { RecordFigure } from './record-figure.tsx';
import { count, signed, tone } from './words.ts';
import { Worth } from './worth.tsx';

const STALE_MS = 48 * 3_600_000;
const PLACE = { id: 'ai-performance', title: 'AI Prediction Performance', className: 'min-h-56' };

/** The record in three numbers, with what makes them honest below. */
export function PerformanceCard() {
  const query = useQuery(backtestQuery);
  return (
    <QueryView
      query={query}
      card={PLACE}
      failed="Failed to load the record of the predictions"
      isEmpty={(data) => data.total_predictions === 0}
      empty={<Empty title="No backtest data available" note="The first call is graded a day after it is made." />}
    >
      {(data) => <Loaded data={data} />}
    </QueryView>
  );
}

function Loaded({ data }: { data: Backtest }) {
  const { timestamp, overall_accuracy: accuracy, average_correlation: correlation, total_predictions: total } = data;
  const at = Date.parse(timestamp);
  const figure = { at: timestamp, className: 'num text-2xl font-semibold tracking-[-0.03em]' };
  return (
    <Card
      {...PLACE}
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
        <dl className="flex flex-wrap gap-x-8 gap-y-3 [&_dt]:label">
          <div>
            <dt>Accuracy</dt>
            <dd className={accuracy === null ? undefined : tone(accuracy, 80, 60)}>
              <RecordFigure
                {...figure}
                metric="record.accuracy"
                name="Accuracy"
                text={accuracy === null ? null : `${accuracy.toFixed(1)}%`}
                terms={`${count(total)} graded calls of every provider, the consensus apart`}
              />
            </dd>
          </div>
          <div>
            <dt>Average Correlation</dt>
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
            <dt>Total Predictions</dt>
            <dd>
              <RecordFigure {...figure} metric="record.n" name="Total predictions" text={count(total)} />
            </dd>
          </div>
        </dl>
        {data.headline && <Worth cell={data.headline} at={timestamp} />}
      </div>
    </Card>
  );
}
