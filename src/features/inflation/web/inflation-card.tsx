import { useQuery } from '@tanstack/react-query';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import type { CardPlace } from '#web/ui/card-frame.tsx';
import { newestOf } from '#web/ui/figure-age.ts';
import { Fresh } from '#web/ui/fresh.tsx';
import { useNow } from '#web/ui/now.ts';
import { QueryView } from '#web/ui/query-view.tsx';

import { INDICATORS, type LatestInflation } from '../contract.ts';
import { Forecasts } from './forecasts.tsx';
import { IndicatorPanel } from './indicator-panel.tsx';
import { type Inflation, inflationAtQuery, inflationQuery } from './queries.ts';
import { Reading } from './reading.tsx';
import { daysTo, NAMES } from './words.ts';

export type InflationCardProps = CardPlace & {
  /** An earlier moment is shown. */
  asOf: string | null;
};

/** Consumer, consumption and producer prices, what was expected of them, and what they mean. */
export function InflationCard({ asOf, ...card }: InflationCardProps) {
  const now = useQuery({ ...inflationQuery, enabled: asOf === null });
  const then = useQuery({ ...inflationAtQuery(asOf ?? ''), enabled: asOf !== null });
  const query = asOf === null ? now : then;
  return (
    <QueryView query={query} card={card} failed="Failed to fetch inflation data">
      {(data) => <Loaded card={card} data={data} />}
    </QueryView>
  );
}

function Loaded({ card, data }: { card: CardPlace; data: Inflation }) {
  const { latest, releases, reading, forecasts } = data;
  const expectations = data.expectations ?? latest?.expectations ?? null;
  const newest =
    latest && newestOf([latest.cpi, latest.pce, latest.ppi].flatMap((of) => Object.values(of?.meta ?? {})));
  return (
    <Card
      {...card}
      note={
        <div className="flex items-center gap-2">
          {newest && <Fresh {...newest} />}
          {latest && <Coming next={latest.next} />}
        </div>
      }
    >
      <div className="grid gap-px border-y border-line bg-line xl:grid-cols-3">
        {INDICATORS.map((id) => (
          <IndicatorPanel
            key={id}
            id={id}
            latest={latest}
            expectations={expectations}
            isNew={releases?.some(({ type }) => type.toLowerCase() === id) ?? false}
          />
        ))}
      </div>
      <div className="grid gap-x-8 gap-y-4 px-4 py-3 lg:grid-cols-2">
        <div className="grid content-start gap-3">
          <Reading reading={reading} />
          <Commentary latest={latest} />
        </div>
        <Forecasts forecasts={forecasts} />
      </div>
      {latest?.note && <p className="mt-auto border-t border-line px-4 py-2 text-xs text-ink-3">{latest.note}</p>}
    </Card>
  );
}

function Coming({ next }: Pick<LatestInflation, 'next'>) {
  const now = useNow();
  const first = next.toSorted((a, b) => a.date.localeCompare(b.date))[0];
  if (!first) return null;
  return (
    <Badge tone="accent">
      {NAMES[first.type].short} {daysTo(first.date, now)}
    </Badge>
  );
}

function Commentary({ latest }: { latest: LatestInflation | null }) {
  const ai = latest?.commentary.ai;
  if (ai)
    return (
      <p className="text-xs text-ink-2">
        {ai.text}{' '}
        <span className="text-ink-3">
          {ai.provider}, {ai.model}
        </span>
      </p>
    );
  const said = latest && INDICATORS.some((id) => latest.commentary[id].length > 0);
  return said ? null : <p className="text-xs text-ink-2">Inflation data analysis not available.</p>;
}
