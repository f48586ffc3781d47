import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  ANALYSES_PAGE,
  type AnalysisTerm,
  type ListedAnalysis,
  MOST_SEARCHED_ANALYSES,
} from '#features/operations/contract/collections.ts';
import { dateTime, grouped } from '#shared/format.ts';
import { useAddressFlag, useAddressText } from '#ui/address-filter.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { cutReasoning } from './labels.ts';
import { analysesQuery } from './queries.ts';
import { RecordList, ToolBar } from './record-list.tsx';

const TERMS = [
  ['short_term', 'Short term', '1-7 days'],
  ['medium_term', 'Medium term', '1-4 weeks'],
  ['long_term', 'Long term', '1-6 months'],
] as const;
const TONES: Record<string, Tone> = { BULLISH: 'up', BEARISH: 'down' };

/** 'Bullish' */
const inWords = (direction: string) => direction.charAt(0) + direction.slice(1).toLowerCase();
const sure = (confidence: number | null) => (confidence === null ? '' : `${Math.round(confidence)}%`);

type Props = { analysis: ListedAnalysis; index: number; raw: boolean };

/** One analysis: the view for each horizon, by analyst. */
function AnalysisItem({ analysis, index, raw }: Props) {
  const { id, timestamp, ai_generated, opinions, failures } = analysis;
  const name = id ?? `Analysis ${index}`;
  return (
    <Card
      id={`analysis-${id ?? index}`}
      title={name}
      note={
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="label num">{timestamp ? dateTime(Date.parse(timestamp)) : 'No timestamp'}</span>
          <Origin isAi={ai_generated} isAnswered={opinions.length > 0 || analysis.market_direction !== null} />
        </span>
      }
    >
      {raw ? <RecordList of={name} records={[analysis]} raw /> : <Said analysis={analysis} />}
      {(opinions.length > 0 || failures.length > 0) && (
        <ul
          aria-label={`Analysts queried for ${name}`}
          className="mt-auto border-t border-line px-4 py-2.5 text-xs text-ink-2"
        >
          {opinions.map(({ name, model, overall_direction, overall_confidence }) => (
            <li key={name} className="num break-words">
              <span className="font-medium text-ink">{name}</span>
              {` ${inWords(overall_direction)} ${sure(overall_confidence)}`}
              <span className="text-ink-3"> {model}</span>
            </li>
          ))}
          {failures.map(({ name, reason }) => (
            <li key={name} className="break-words text-down">
              {name} did not respond: {reason}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Origin({ isAi, isAnswered }: { isAi: boolean; isAnswered: boolean }) {
  if (isAi) return <Badge tone="accent">AI Generated</Badge>;
  return isAnswered ? <Badge>Built-in analyst, no AI</Badge> : <Badge tone="down">No response</Badge>;
}

function Said({ analysis }: Pick<Props, 'analysis'>) {
  const { overall_direction: overall, overall_confidence: confidence } = analysis;
  const terms = TERMS.flatMap(([key, name, span]) => {
    const term = analysis[key];
    return term ? [{ key, name: `${name} (${span})`, term }] : [];
  });
  if (terms.length === 0) return <Legacy analysis={analysis} />;
  return (
    <div className="grid gap-3 px-4 pb-3">
      {overall && (
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <span className="text-ink-2">Overall</span>
          <Direction of={overall} />
          <span className="num font-medium">{sure(confidence)}</span>
        </p>
      )}
      <dl className="grid gap-3 sm:grid-cols-3">
        {terms.map(({ key, name, term }) => (
          <Term key={key} name={name} term={term} />
        ))}
      </dl>
    </div>
  );
}

type TermProps = { name: string; term: Omit<AnalysisTerm, 'confidence'> & { confidence: number | null } };

function Term({ name, term: { market_direction, confidence, reasoning } }: TermProps) {
  return (
    <div className="min-w-0">
      <dt className="label">{name}</dt>
      <dd className="flex flex-wrap items-center gap-2 text-sm">
        <Direction of={market_direction} />
        <span className="num font-medium">{sure(confidence)}</span>
      </dd>
      <dd className="pt-1 text-xs break-words text-ink-2" title={reasoning}>
        {cutReasoning(reasoning)}
      </dd>
    </div>
  );
}

/** For analyses without terms. */
function Legacy({ analysis: { market_direction, confidence, reasoning } }: Pick<Props, 'analysis'>) {
  if (market_direction === null) return null;
  return (
    <dl className="px-4 pb-3">
      <Term name="Market" term={{ market_direction, confidence, reasoning: reasoning ?? '' }} />
    </dl>
  );
}

const Direction = ({ of }: { of: string }) => <Badge tone={TONES[of] ?? 'plain'}>{inWords(of)}</Badge>;

const CARD = { id: 'analyses', title: 'AI Analysis', className: 'min-h-96' };

/** Every market analysis, newest first. */
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
