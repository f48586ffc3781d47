import { Badge } from '#web/ui/badge.tsx';

import type { BacktestSummary } from '../contract.ts';
import { RecordFigure } from './record-figure.tsx';
import { count, HORIZON_WORDS, providerName, saidOf, score, share, skillText } from './words.ts';

type Headline = NonNullable<BacktestSummary['headline']>;

/** What makes the accuracy honest: the track with the most evidence, in one word and six numbers. */
export function Worth({ cell, at }: { cell: Headline; at: string }) {
  const { word, tone, sentence } = saidOf(cell);
  const { hit_rate: rate, hit_interval: between, brier, brier_climatology: climatology, skill } = cell;
  const of = `${providerName(cell.provider)}, ${HORIZON_WORDS[cell.horizon]}`;
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
          <dt>Skill against climatology</dt>
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
          <dt>Brier of climatology</dt>
          <dd>
            <RecordFigure
              {...figure}
              metric="record.brier"
              name={`Brier score of climatology, ${of}`}
              text={climatology === null ? null : score(climatology)}
            />
          </dd>
        </div>
        <div>
          <dt>Hit rate, 95 % interval</dt>
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
            <RecordFigure {...figure} metric="record.n" name={`Graded calls, ${of}`} text={count(cell.n)} />
          </dd>
        </div>
        <div>
          <dt>Independent windows</dt>
          <dd>
            <RecordFigure
              {...figure}
              metric="record.n_eff"
              name={`Independent windows, ${of}`}
              text={count(cell.n_eff)}
              terms={`${count(cell.dates)} issue dates`}
            />
          </dd>
        </div>
      </dl>
    </div>
  );
}
