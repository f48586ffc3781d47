import { useState } from 'react';
import type { Narrative } from '#features/market/contract/narratives.ts';
import { Card } from '#ui/card.tsx';
import type { CardPlace } from '#ui/card-frame.tsx';
import { cx } from '#ui/cx.ts';
import { newestOf } from '#ui/figure-age.ts';
import { Fresh } from '#ui/fresh.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Empty } from '#ui/states.tsx';
import { useCard, whyEmpty } from '#ui/use-card.ts';
import { COLUMNS, NarrativeRow } from './narrative-row.tsx';
import { narrativesQuery } from './queries.ts';

export type NarrativesCardProps = CardPlace & {
  /** An earlier moment instead of now; null where nothing was stored. */
  past?: Narrative[] | null | undefined;
};

export function NarrativesCard({ past, ...card }: NarrativesCardProps) {
  const query = useCard(narrativesQuery, past);
  return (
    <QueryView
      query={query}
      card={card}
      failed="Failed to load trending narratives"
      isEmpty={(list) => !list || list.length === 0}
      empty={<Empty title="No narrative data available" note={whyEmpty(past)} />}
    >
      {(list) => list && <Loaded card={card} list={list} />}
    </QueryView>
  );
}

const HEADS = [
  ['Narrative', 'text-left'],
  ['Relevance', ''],
  ['Volume', 'hidden min-[88rem]:block'],
  ['Avg. 24h change', ''],
] as const;

function Loaded({ card, list }: { card: CardPlace; list: readonly Narrative[] }) {
  // The strongest stands open; null once the reader has closed it.
  const [chosen, setChosen] = useState<string | null | undefined>();
  const open = chosen === undefined ? list[0]?.id : chosen;
  const newest = newestOf(list.map(({ meta }) => meta['avg_change_24h']));
  return (
    <Card {...card} note={newest && <Fresh {...newest} />}>
      <div className={cx(COLUMNS, 'label h-8 text-right')} aria-hidden="true">
        {HEADS.map(([title, className]) => (
          <span key={title} className={cx('whitespace-nowrap', className)}>
            {title}
          </span>
        ))}
      </div>
      <ul>
        {list.map((narrative) => (
          <NarrativeRow
            key={narrative.id}
            narrative={narrative}
            open={open === narrative.id}
            onToggle={() => setChosen(open === narrative.id ? null : narrative.id)}
          />
        ))}
      </ul>
    </Card>
  );
}
