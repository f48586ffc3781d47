import { useQuery } from '@tanstack/react-query';

import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { Figure } from '#ui/figure.tsx';
import { newestObservation } from '#ui/figure-age.ts';
import { Fresh } from '#ui/fresh.tsx';
import { Scale } from '#ui/micro.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Spark } from '#ui/spark.tsx';
import { Empty } from '#ui/states.tsx';

import { Fact } from './market-analysis-card.tsx';
import { Ago, SourceName } from './origin.tsx';
import { sentimentQuery } from './queries.ts';
import { SENTIMENT_STOPS, sentimentTone } from './view.ts';

const PLACE = { id: 'sentiment', title: 'Market Sentiment', className: 'min-h-56' };
const SHOWN_DAYS = 30;

export function SentimentCard() {
  const query = useQuery(sentimentQuery);
  return (
    <QueryView
      query={query}
      card={PLACE}
      failed="Failed to load market sentiment"
      isEmpty={({ value }) => value === null}
      empty={
        <Empty
          title="No sentiment data available"
          note={query.data && 'reason' in query.data.meta.value ? query.data.meta.value.reason : ''}
        />
      }
    >
      {({ value, classification, source, timestamp, metadata, meta }) => {
        const newest = newestObservation([meta.value]);
        const past = metadata.history.slice(0, SHOWN_DAYS).map((day) => day.value);
        return (
          <Card {...PLACE} note={newest && <Fresh {...newest} />}>
            <div className="px-4 pb-3">
              <div className={cx('flex items-center gap-2', sentimentTone(value ?? 0))}>
                <Figure
                  meta={meta.value}
                  name="Fear & greed index"
                  className="num text-3xl font-semibold tracking-[-0.03em]"
                >
                  {value}
                </Figure>
                <span className="text-lg font-semibold">{classification}</span>
              </div>
              <div className="pt-2 pb-3">
                <Scale
                  value={value ?? 0}
                  high={100}
                  stops={SENTIMENT_STOPS}
                  label={`Fear and greed ${value} of 100, ${classification}`}
                />
              </div>
              <Spark points={past.toReversed()} width={160} height={22} className="h-[22px] w-full" neutral />
              <p className="label mt-1 mb-2">Last {past.length} days</p>
              <dl className="num text-sm">
                <Fact name="Source">
                  <SourceName source={source} />
                </Fact>
                <Fact name="Last updated">
                  <Ago at={timestamp} />
                </Fact>
              </dl>
            </div>
          </Card>
        );
      }}
    </QueryView>
  );
}
