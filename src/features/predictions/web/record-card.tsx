import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';

import { Card } from '#web/ui/card.tsx';
import type { CardPlace } from '#web/ui/card-frame.tsx';
import { Fresh } from '#web/ui/fresh.tsx';
import { Link } from '#web/ui/link.tsx';

import type { BacktestSummary } from '../contract.ts';
import { RecordFigure } from './record-figure.tsx';
import { count, signed, tone } from './words.ts';
import { Worth } from './worth.tsx';

const STALE_MS = 48 * 3_600_000;

export type Totals = Pick<
  BacktestSummary,
  'timestamp' | 'overall_accuracy' | 'average_correlation' | 'total_predictions' | 'headline'
>;

type Props = {
  card: CardPlace;
  data: Totals;
  /** What the three numbers are called here: accuracy, correlation, calls. */
  names: readonly [accuracy: string, correlation: string, calls: string];
  /** Beside the three numbers. */
  beside?: ReactNode;
  /** Below them. */
  children?: ReactNode;
};

/** The record in three numbers, with what makes them honest below. */
export function RecordCard({ card, data, names, beside, children }: Props) {
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
        <div className="flex flex-wrap items-end gap-x-8 gap-y-3">
          <Numbers data={data} names={names} />
          {beside}
        </div>
        {data.headline && <Worth cell={data.headline} at={data.timestamp} />}
        {children}
      </div>
    </Card>
  );
}

function Numbers({ data, names: [hits, together, calls] }: Pick<Props, 'data' | 'names'>) {
  const { overall_accuracy: accuracy, average_correlation: correlation, total_predictions: total } = data;
  const figure = { at: data.timestamp, className: 'num text-2xl font-semibold tracking-[-0.03em]' };
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3 [&_dt]:label">
      <div>
        <dt>{hits}</dt>
        <dd className={accuracy === null ? undefined : tone(accuracy, 80, 60)}>
          <RecordFigure
            {...figure}
            metric="record.accuracy"
            name={hits}
            text={accuracy === null ? null : `${accuracy.toFixed(1)}%`}
            terms={`${count(total)} graded calls of every provider, the consensus apart`}
          />
        </dd>
      </div>
      <div>
        <dt>{together}</dt>
        <dd className={correlation === null ? undefined : tone(100 * correlation, 70, 50)}>
          <RecordFigure
            {...figure}
            metric="record.correlation"
            name={together}
            text={correlation === null ? null : signed(100 * correlation)}
            reason="A correlation needs ten graded calls of one provider, asset and horizon."
          />
        </dd>
      </div>
      <div>
        <dt>{calls}</dt>
        <dd>
          <RecordFigure {...figure} metric="record.n" name={calls} text={count(total)} />
        </dd>
      </div>
    </dl>
  );
}
