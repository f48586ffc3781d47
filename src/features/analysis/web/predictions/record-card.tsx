import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { bestBaseline } from '#features/analysis/contract/brief.ts';
import type { BacktestSummary } from '#features/analysis/contract/predictions.ts';
import { grouped } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import type { CardPlace } from '#ui/card-frame.tsx';
import { Fresh } from '#ui/fresh.tsx';
import { Link } from '#ui/link.tsx';
import { RecordFigure } from './record-figure.tsx';
import { HORIZON_WORDS, providerName, score, share, signed, skillText, tone, wording } from './verdict-text.tsx';

type Headline = NonNullable<BacktestSummary['headline']>;

/** Context for the accuracy: the track with the most evidence, as a verdict and six numbers. */
function Worth({ cell, at }: { cell: Headline; at: string }) {
  const { word, tone, sentence } = wording(cell);
  const { hit_rate: rate, hit_interval: between, brier, skill } = cell;
  const best = bestBaseline(cell);
  const of = `${providerName(cell)}, ${HORIZON_WORDS[cell.horizon]}`;
  const figure = { at, className: 'font-semibold' };
  return (
    <div className="rounded-[10px] border border-line">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3.5 py-2 text-sm">
        <Badge tone={tone}>{word}</Badge>
        <span className="font-medium">{of}</span>
        <span className="text-ink-2">{sentence}</span>
      </p>
      <dl className="num grid grid-cols-2 gap-px overflow-hidden rounded-b-[10px] border-t border-line bg-line text-sm *:bg-surface *:px-3.5 *:py-2 sm:grid-cols-3 xl:grid-cols-6 [&_dt]:label">
        <div>
          <dt>Skill against the best baseline</dt>
          <dd>
            <RecordFigure
              {...figure}
              metric="record.skill"
              name={`Skill, ${of}`}
              text={skill === null ? null : skillText(skill)}
            />
          </dd>
        </div>
        <div>
          <dt>Brier score</dt>
          <dd>
            <RecordFigure
              {...figure}
              metric="record.brier"
              name={`Brier score, ${of}`}
              text={brier === null ? null : score(brier)}
            />
          </dd>
        </div>
        <div>
          <dt>Brier of {best ? best.name : 'the best baseline'}</dt>
          <dd>
            <RecordFigure
              {...figure}
              metric="record.brier"
              name={`Brier score of ${best ? best.name : 'the best baseline'}, ${of}`}
              text={best && score(best.brier)}
            />
          </dd>
        </div>
        <div>
          <dt>Hit rate, 95% interval</dt>
          <dd>
            <RecordFigure
              {...figure}
              metric="record.hit_rate"
              name={`Hit rate, ${of}`}
              text={
                rate === null ? null : (
                  <>
                    {share(rate)}
                    {between && (
                      <span className="font-normal text-ink-3">
                        {' '}
                        {(100 * between.low).toFixed(0)} to {share(between.high).replace(/\.\d%/, '%')}
                      </span>
                    )}
                  </>
                )
              }
            />
          </dd>
        </div>
        <div>
          <dt>Graded calls (n)</dt>
          <dd>
            <RecordFigure {...figure} metric="record.n" name={`Graded calls, ${of}`} text={grouped(cell.n)} />
          </dd>
        </div>
        <div>
          <dt>Independent windows</dt>
          <dd>
            <RecordFigure
              {...figure}
              metric="record.n_eff"
              name={`Independent windows, ${of}`}
              text={grouped(cell.n_eff)}
              terms={`${grouped(cell.dates)} issue dates`}
            />
          </dd>
        </div>
      </dl>
    </div>
  );
}

const STALE_MS = 48 * 3_600_000;

export type Totals = Pick<
  BacktestSummary,
  'timestamp' | 'overall_accuracy' | 'average_correlation' | 'total_predictions' | 'headline'
>;

type Props = {
  card: CardPlace;
  data: Totals;
  /** Labels of the three numbers: accuracy, correlation, calls. */
  names: readonly [accuracy: string, correlation: string, calls: string];
  /** Beside the three numbers. */
  beside?: ReactNode;
  /** Below them. */
  children?: ReactNode;
};

/** The record in three numbers, with their context below. */
export function RecordCard({ card, data, names, beside, children }: Props) {
  const at = Date.parse(data.timestamp);
  return (
    <Card
      {...card}
      note={<Fresh observedAt={at} staleAfter={at + STALE_MS} />}
      action={
        <Link
          to="/app/track-record"
          className="inline-flex h-8 items-center gap-1.5 text-sm font-medium text-accent hover:underline"
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
            terms={`${grouped(total)} graded calls of all providers, excluding the consensus`}
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
            reason="Needs ten graded calls for one provider, asset and horizon."
          />
        </dd>
      </div>
      <div>
        <dt>{calls}</dt>
        <dd>
          <RecordFigure {...figure} metric="record.n" name={calls} text={grouped(total)} />
        </dd>
      </div>
    </dl>
  );
}
