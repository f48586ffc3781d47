import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ANALYSES_PAGE, MOST_SEARCHED_ANALYSES } from '#features/operations/contract/collections.ts';
import { grouped } from '#shared/format.ts';
import { useAddressFlag, useAddressText } from '#ui/address-filter.ts';
import { Button } from '#ui/button.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { AnalysisItem } from './analysis-item.tsx';
import { analysesQuery } from './queries.ts';
import { ToolBar } from './tool-bar.tsx';

const CARD = { id: 'analyses', title: 'AI Analysis', className: 'min-h-96' };

/** Every analysis of the market, newest first. */
export function AnalysesTab() {
  const queries = useQueryClient();
  const [q, search] = useAddressText('search');
  const [raw, setRaw] = useAddressFlag('raw');
  const [round, setRound] = useState(0);
  return (
    <>
      <ToolBar
        label="Search analyses"
        q={q}
        onSearch={search}
        raw={raw}
        onRaw={setRaw}
        onRefresh={() => {
          void queries.resetQueries({ queryKey: ['admin-analyses'] });
          setRound(round + 1);
        }}
      />
      <Pages key={`${round} ${q}`} q={q} raw={raw} />
    </>
  );
}

function Pages({ q, raw }: { q: string; raw: boolean }) {
  const [starts, setStarts] = useState<readonly (string | null)[]>([null]);
  return (
    <div className="grid gap-3">
      {starts.map((before, i) => (
        <Page
          key={before ?? ''}
          q={q}
          raw={raw}
          before={before}
          first={i * ANALYSES_PAGE + 1}
          onMore={before === starts.at(-1) ? (next) => setStarts([...starts, next]) : null}
        />
      ))}
    </div>
  );
}

type PageProps = {
  q: string;
  raw: boolean;
  before: string | null;
  /** Number of its first analysis. */
  first: number;
  onMore: ((before: string) => void) | null;
};

function Page({ q, raw, before, first, onMore }: PageProps) {
  const query = useQuery(analysesQuery(useToken(), q, before));
  const last = query.data?.at(-1)?.id;
  const empty = q ? (
    <Empty title="No analyses found" note={`Searched the latest ${grouped(MOST_SEARCHED_ANALYSES)}.`} />
  ) : (
    <Empty title="No analyses yet" note="Market analyses appear here." />
  );
  return (
    <QueryView
      query={query}
      card={CARD}
      failed="Failed to load admin data"
      isEmpty={(analyses) => analyses.length === 0 && before === null}
      empty={empty}
    >
      {(analyses) => (
        <>
          <div className="grid gap-3 grid-cols-[repeat(auto-fit,minmax(min(100%,27rem),1fr))]">
            {analyses.map((analysis, i) => (
              <AnalysisItem key={analysis.id ?? i} analysis={analysis} index={first + i} raw={raw} />
            ))}
          </div>
          {onMore && last && !q && analyses.length === ANALYSES_PAGE && (
            <Button onClick={() => onMore(last)} className="mx-auto max-sm:h-10">
              Load more
            </Button>
          )}
          {q && analyses.length === ANALYSES_PAGE && (
            <p className="text-center text-sm text-ink-2">The latest {ANALYSES_PAGE} matches are shown.</p>
          )}
        </>
      )}
    </QueryView>
  );
}
