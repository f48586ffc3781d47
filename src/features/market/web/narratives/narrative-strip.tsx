import type { Narrative } from '#features/market/contract/narratives.ts';
import { Meter } from '#ui/micro.tsx';
import { useCard } from '#ui/use-card.ts';
import { AverageChange, Relevance } from './narrative-figures.tsx';
import { narrativesQuery } from './queries.ts';

const MOST = 5;

/** The five most relevant narratives in one line, for the card of advanced metrics. */
export function NarrativeStrip({ past }: { past?: Narrative[] | null | undefined }) {
  const { data } = useCard(narrativesQuery, past);
  if (!data || data.length === 0)
    return <p className="label flex min-h-15 items-center">No narrative data available</p>;
  const top = data.toSorted((a, b) => (b.relevance_score ?? -1) - (a.relevance_score ?? -1)).slice(0, MOST);
  return (
    <ol
      aria-label="Top narratives"
      className="grid grid-cols-2 gap-px overflow-hidden rounded-[10px] border border-line bg-line sm:grid-cols-3 lg:grid-cols-5"
    >
      {top.map((narrative) => (
        <li
          key={narrative.id}
          className="num min-w-0 bg-surface px-3.5 py-2 max-sm:last:col-span-2 sm:max-lg:last:col-span-2"
        >
          <span className="flex items-center justify-between gap-2 text-sm">
            <span className="truncate font-medium">{narrative.narrative}</span>
            <AverageChange of={narrative} className="shrink-0 text-xs" />
          </span>
          <span className="flex items-center gap-2">
            <Meter value={(narrative.relevance_score ?? 0) * 100} className="flex-1" />
            <Relevance of={narrative} className="text-2xs text-ink-3" />
          </span>
        </li>
      ))}
    </ol>
  );
}
