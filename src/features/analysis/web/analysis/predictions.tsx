import { useQuery } from '@tanstack/react-query';
import type { PredictionSet } from '#features/analysis/contract/analysis.ts';
import type { Direction } from '#features/analysis/contract/predictions.ts';
import { dateTime } from '#shared/format.ts';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { QueryView } from '#ui/query-view.tsx';
import { confidenceTone, DIR, TERMS, WORD } from './labels.ts';
import { LongText } from './opinion-card.tsx';
import { NoAnalysis, predictionsQuery } from './preparing.tsx';

const REASONING = 90;
const PLACE = { id: 'predictions', title: 'AI Market Predictions', className: 'min-h-98 sm:min-h-61 xl:min-h-42' };

type Shown = { name: string; range: string; direction: Direction; confidence: number; reasoning: string | null };

function visiblePredictions(set: PredictionSet): Shown[] {
  const terms = TERMS.flatMap(({ key, name, range }): Shown[] => {
    const prediction = key === 'check_point' ? null : set[key];
    if (!prediction) return [];
    return [
      {
        name,
        range,
        direction: prediction.market_direction,
        confidence: prediction.confidence,
        reasoning: prediction.reasoning,
      },
    ];
  });
  const { overall_direction: direction, overall_confidence: confidence } = set;
  if (direction === null || confidence === null) return terms;
  return [...terms, { name: 'Overall', range: 'all horizons combined', direction, confidence, reasoning: null }];
}

/** The analysts' views of the market, per horizon and overall. */
export function Predictions() {
  const query = useQuery(predictionsQuery);
  return (
    <QueryView
      query={query}
      card={PLACE}
      failed="Failed to load the predictions"
      isEmpty={(set) => visiblePredictions(set).length === 0}
      empty={<NoAnalysis note="The first follows the first full collection." />}
    >
      {(set) => (
        <Card
          {...PLACE}
          note={set.timestamp && <p className="label num">Issued {dateTime(Date.parse(set.timestamp))}</p>}
        >
          <dl className="grid gap-x-8 gap-y-3 px-4 pb-4 sm:grid-cols-2 xl:grid-cols-4">
            {visiblePredictions(set).map((shown) => (
              <Said key={shown.name} {...shown} />
            ))}
          </dl>
        </Card>
      )}
    </QueryView>
  );
}

function Said({ name, range, direction, confidence, reasoning }: Shown) {
  return (
    <div className="min-w-0">
      <dt className="label">
        {name}, {range}
      </dt>
      <dd>
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span
            className="change text-xl! data-[dir=flat]:text-ink! data-[dir=flat]:before:hidden font-semibold!"
            data-dir={DIR[direction]}
          >
            {WORD[direction]}
          </span>
          <span className="num text-xs text-ink-2">
            <b className={cx('font-semibold', confidenceTone(confidence))}>{Math.round(confidence)}%</b> confidence
          </span>
        </p>
        {reasoning && <LongText text={reasoning} limit={REASONING} of={name} className="mt-1 text-xs text-ink-2" />}
      </dd>
    </div>
  );
}
