import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import type { FigureMeta } from '#shared/figures.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import type { CardPlace } from '#web/ui/card-frame.tsx';
import { cx } from '#web/ui/cx.ts';
import { newestOf } from '#web/ui/figure-age.ts';
import { Fresh } from '#web/ui/fresh.tsx';
import { part } from '#web/ui/part.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Empty } from '#web/ui/states.tsx';
import { useCard, whyEmpty } from '#web/ui/use-card.ts';

import type { AdvancedMetrics } from '../contract.ts';
import { CoreTiles } from './core-tiles.tsx';
import { DerivativeTiles } from './derivative-tiles.tsx';
import { OnchainTiles } from './onchain-tiles.tsx';
import { metricsQuery } from './queries.ts';

const Glossary = part({
  name: 'The glossary',
  load: async () => (await import('./glossary-list.tsx')).GlossaryList,
  loading: <div className="skel h-60" />,
});

export type MetricsCardProps = CardPlace & {
  /** An earlier moment instead of now; null where nothing was stored. */
  past?: AdvancedMetrics | null | undefined;
  /** The strip of narratives below the tiles. */
  children?: ReactNode;
};

/** Every meta in the payload, however deep. */
function metasOf(value: unknown): FigureMeta[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]): FigureMeta[] =>
    key === 'meta' ? Object.values(inner as Record<string, FigureMeta>) : metasOf(inner),
  );
}

export function MetricsCard({ past, children, ...card }: MetricsCardProps) {
  const query = useCard(metricsQuery, past);
  return (
    <QueryView
      query={query}
      card={card}
      failed="Failed to load advanced metrics"
      isEmpty={(data) => !metasOf(data).some((meta) => 'source' in meta)}
      empty={<Empty title="No advanced metrics available" note={whyEmpty(past)} />}
    >
      {(data) => data && <Loaded card={card} data={data} strip={children} />}
    </QueryView>
  );
}

type LoadedProps = {
  card: CardPlace;
  data: AdvancedMetrics;
  strip: ReactNode;
};

function Loaded({ card, data, strip }: LoadedProps) {
  const [glossary, setGlossary] = useState(false);
  const newest = newestOf(metasOf(data));
  return (
    <Card
      {...card}
      note={newest && <Fresh {...newest} />}
      action={
        <Button kind="quiet" aria-expanded={glossary} aria-controls="glossary" onClick={() => setGlossary(!glossary)}>
          What these mean
          <ChevronDown className={cx('size-3.5 transition-transform', glossary && 'rotate-180')} aria-hidden="true" />
        </Button>
      }
    >
      <div className="flex flex-col gap-3 px-4 pt-1 pb-4">
        <ul
          aria-label="Core metrics, derivatives and on-chain"
          className="grid grid-cols-2 gap-px overflow-hidden rounded-[10px] border border-line bg-line md:grid-cols-3 xl:grid-cols-4 min-[88rem]:grid-cols-6"
        >
          <CoreTiles data={data} />
          <DerivativeTiles data={data.derivatives} />
          <OnchainTiles data={data} />
        </ul>
        {strip}
        <div id="glossary" hidden={!glossary}>
          {glossary && <Glossary />}
        </div>
      </div>
    </Card>
  );
}
