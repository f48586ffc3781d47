import type { ReactNode } from 'react';
import type { AiAnalysis } from '#features/analysis/contract/analysis.ts';
import { isAboutChance } from '#features/analysis/contract/brief.ts';
import { dateTime } from '#shared/format.ts';
import { Card } from '#ui/card.tsx';
import { CardFrame, type CardPlace } from '#ui/card-frame.tsx';
import { cx } from '#ui/cx.ts';
import { Fresh } from '#ui/fresh.tsx';
import { ErrorState } from '#ui/states.tsx';
import { CONSENSUS, confidenceTone, DIR, type RecordCell, TERMS, WORD } from './labels.ts';
import { LongText, Opinions } from './opinion-card.tsx';
import { Outlook } from './outlook.tsx';
import { NoAnalysis } from './preparing.tsx';
import { RecordTable } from './record-table.tsx';

const REASONING = 400;

export type AnalysisCardProps = CardPlace & {
  /** Undefined while loading, null when there is none. */
  analysis: AiAnalysis | null | undefined;
  /** Undefined when the record of that moment is unknown. */
  cells: readonly RecordCell[] | undefined;
  /** Shown below the empty title. */
  why: string;
  /** For a past moment: nothing will be added. */
  past: boolean;
  failed: { message: string; detail: string } | null;
  onRetry: () => void;
  /** Links to the full record. */
  action?: ReactNode;
};

/** The models' views of the same numbers, their agreement, and their hit rates. */
export function AnalysisCard({ analysis, cells, why, past, failed, onRetry, action, ...card }: AnalysisCardProps) {
  if (!analysis) {
    if (failed && analysis === undefined)
      return (
        <CardFrame {...card}>
          <ErrorState {...failed} onRetry={onRetry} />
        </CardFrame>
      );
    return <CardFrame {...card}>{analysis === null ? <NoneYet why={why} past={past} /> : undefined}</CardFrame>;
  }
  const { observedAt, staleAfter } = analysis.meta;
  return (
    <Card
      {...card}
      note={
        <Fresh
          observedAt={Date.parse(observedAt)}
          staleAfter={Date.parse(staleAfter)}
          source={analystNames(analysis)}
        />
      }
      action={action}
    >
      {analysis.unanswered_at !== null && (
        <p className="mx-4 mb-2 rounded-ctl bg-warn/10 px-3 py-1.5 text-xs font-medium text-warn">
          No model responded at {dateTime(Date.parse(analysis.unanswered_at))}. Showing the last analysis with a model
          response.
        </p>
      )}
      <div className="flex flex-1 flex-col gap-4 px-4 pt-1 pb-4">
        <div className="grid gap-x-8 gap-y-4 xl:grid-cols-[17rem_minmax(0,1fr)]">
          <Consensus analysis={analysis} cells={cells} />
          <Outlook analysis={analysis} cells={cells} />
        </div>
        <div className="mt-auto">
          <Opinions analysis={analysis} cells={cells} />
        </div>
      </div>
    </Card>
  );
}

const COMING = [
  ['The consensus', 'what the models agree on, and how confidently'],
  ['The outlook', TERMS.map(({ range }) => range).join(', ')],
  ['Individual models', 'their reasoning in their own words, with track records'],
] as const;

/** The placeholder is as high as the loaded card, so it describes the content. */
function NoneYet({ why, past }: { why: string; past: boolean }) {
  return (
    <div className="flex max-h-[26rem] flex-1 flex-col justify-center px-4 text-center">
      <div className="flex">
        <NoAnalysis note={why} past={past} />
      </div>
      {!past && (
        <dl className="grid gap-3 border-t border-line pt-4 text-sm sm:grid-cols-3">
          {COMING.map(([name, what]) => (
            <div key={name}>
              <dt className="font-medium">{name}</dt>
              <dd className="mt-1 text-ink-3">{what}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

/** "3 models and built-in statistics", and whether they read a demo market. */
function analystNames({ providers, meta }: AiAnalysis): string {
  const all = Object.values(providers);
  const models = all.filter(({ built_in }) => !built_in).length;
  const named = [
    ...(models > 0 ? [`${models} ${models === 1 ? 'model' : 'models'}`] : []),
    ...(models < all.length ? ['built-in statistics'] : []),
  ].join(' and ');
  return meta.method === 'demo' ? `${named} (demo)` : named;
}

function Consensus({ analysis, cells }: Pick<AnalysisCardProps, 'cells'> & { analysis: AiAnalysis }) {
  const { overall_direction: direction, overall_confidence: confidence, overall_reasoning: reasoning } = analysis;
  return (
    <div className="grid min-w-0 gap-x-8 gap-y-2.5 self-start sm:max-xl:grid-cols-[minmax(0,1fr)_17rem] xl:sticky xl:top-16">
      <div className="min-w-0">
        <h3 className="label">Consensus</h3>
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span
            className="change text-2xl! data-[dir=flat]:text-ink! data-[dir=flat]:before:hidden font-semibold! tracking-[-0.025em]!"
            data-dir={DIR[direction]}
          >
            {WORD[direction]}
          </span>
          <span className="num text-xs text-ink-2">
            <b className={cx('font-semibold', confidenceTone(confidence))}>{Math.round(confidence)}%</b> confidence
            {isAboutChance(confidence) && ', about chance'}
          </span>
        </p>
        <LongText
          text={reasoning}
          limit={REASONING}
          of="the consensus"
          className="mt-1.5 min-h-24 text-xs text-ink-2"
        />
      </div>
      {cells && (
        <RecordTable
          of="the consensus"
          provider={CONSENSUS}
          cells={cells}
          className="self-end border-line max-sm:border-t xl:border-t [&_tr]:h-[1.125rem] [&>thead>tr]:h-6"
        />
      )}
    </div>
  );
}
