import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import type { AiAnalysis, ProviderOpinion, TermView } from '#features/analysis/contract/analysis.ts';
import { cx } from '#ui/cx.ts';
import { confidenceTone, DIR, type RecordCell, scaleStep, TERMS, type TermName, WORD } from './labels.ts';
import { Mark } from './mark.tsx';
import { Chances, TermDetails } from './term-details.tsx';

const STEPS = [-3, -2, -1, 0, 1, 2, 3] as const;
const HALF_PX = 9;
const APART_PX = 15;

const TONE = (step: number, chosen: boolean): string => {
  if (step === 0) return chosen ? 'bg-ink-2' : 'bg-line-strong/60';
  if (step > 0) return chosen ? 'bg-up' : 'bg-up/20';
  return chosen ? 'bg-down' : 'bg-down/20';
};

type Props = { consensus: TermView; opinions: readonly ProviderOpinion[]; term: TermName; className?: string };

/** Seven steps from bearish to bullish: the consensus is filled, each model's letter is above its own. */
function OutlookScale({ consensus, opinions, term, className }: Props) {
  const chosen = scaleStep(consensus.market_direction, consensus.confidence);
  const placed = Map.groupBy(opinions, (each) => scaleStep(each[term].market_direction, each[term].confidence));
  const labels = opinions.map(({ name, [term]: own }) => `${name} ${WORD[own.market_direction].toLowerCase()}`);
  return (
    <div
      role="img"
      aria-label={`Consensus ${WORD[consensus.market_direction].toLowerCase()}. ${labels.join(', ')}.`}
      className={cx('@container relative h-8', className)}
    >
      {[...placed].flatMap(([step, group]) =>
        group.map(({ id, letter, built_in }, i) => {
          const before = HALF_PX + i * APART_PX;
          const after = HALF_PX + (group.length - 1 - i) * APART_PX;
          const middle = (((step + 3.5) / 7) * 100).toFixed(2);
          const off = (i - (group.length - 1) / 2) * APART_PX;
          return (
            <span
              key={id}
              className="absolute top-0"
              // Not by `left`: a new analysis moves marks a long way, which would count as a layout shift.
              style={{
                translate: `calc(clamp(${before}px, ${middle}cqw + ${off}px, 100cqw - ${after}px) - ${HALF_PX}px)`,
              }}
            >
              <Mark letter={letter} builtIn={built_in} />
            </span>
          );
        }),
      )}
      <div className="absolute inset-x-0 bottom-0.5 flex items-center gap-[3px]">
        {STEPS.map((step) => (
          <span
            key={step}
            className={cx('flex-1 rounded-[2px]', step === chosen ? 'h-2' : 'h-1.5', TONE(step, step === chosen))}
          />
        ))}
      </div>
    </div>
  );
}

/** One grid for the head and every row. */
const COLUMNS =
  'grid items-center gap-x-3 sm:gap-x-5 grid-cols-[minmax(0,1fr)_5.5rem_1rem] sm:grid-cols-[6rem_minmax(0,1fr)_5rem_1rem] @[47rem]:grid-cols-[6rem_minmax(0,1fr)_12rem_5rem_1rem]';

/** One row per horizon: each analyst's position, with reasons on demand. */
export function Outlook({ analysis, cells }: Pick<RowProps, 'analysis' | 'cells'>) {
  const [open, setOpen] = useState<TermName | null>(null);
  const opinions = inOrder(analysis);
  return (
    <div className="@container min-w-0">
      <div className={cx(COLUMNS, 'label h-6')} aria-hidden="true">
        <span className="max-sm:hidden" />
        <span className="col-span-full flex justify-between sm:col-auto">
          <span>Bearish</span>
          <span>Neutral</span>
          <span>Bullish</span>
        </span>
        <span className="hidden @[47rem]:block">Probabilities</span>
        <span className="text-right whitespace-nowrap max-sm:hidden">Consensus</span>
      </div>
      {TERMS.map((term) => (
        <Row
          key={term.key}
          term={term}
          analysis={analysis}
          opinions={opinions}
          cells={cells}
          open={open === term.key}
          onToggle={() => setOpen(open === term.key ? null : term.key)}
        />
      ))}
    </div>
  );
}

const inOrder = ({ providers }: AiAnalysis): ProviderOpinion[] =>
  Object.values(providers).toSorted((a, b) => Number(a.built_in) - Number(b.built_in));

type RowProps = {
  term: (typeof TERMS)[number];
  analysis: AiAnalysis;
  opinions: readonly ProviderOpinion[];
  cells: readonly RecordCell[] | undefined;
  open: boolean;
  onToggle: () => void;
};

function Row({ term, analysis, opinions, cells, open, onToggle }: RowProps) {
  const details = useId();
  const consensus = analysis[term.key];
  return (
    <div className="border-t border-line">
      <div className={cx(COLUMNS, 'relative py-2 hover:bg-raised/50 sm:h-12 sm:py-0')}>
        <h3 className="leading-4">
          <button
            type="button"
            aria-expanded={open}
            aria-controls={details}
            onClick={onToggle}
            className="text-left after:absolute after:inset-0"
          >
            <span className="block text-sm font-medium whitespace-nowrap">{term.name}</span>
            <span className="label num block whitespace-nowrap">{term.range}</span>
          </button>
        </h3>
        <OutlookScale
          consensus={consensus}
          opinions={opinions}
          term={term.key}
          className="order-last col-span-full mt-2 sm:order-none sm:col-auto sm:mt-0"
        />
        <Chances of={consensus.probabilities} className="hidden @[47rem]:block" />
        <div className="text-right leading-4">
          <span className="change text-sm" data-dir={DIR[consensus.market_direction]}>
            {WORD[consensus.market_direction]}
          </span>
          <span className={cx('num block text-2xs font-semibold', confidenceTone(consensus.confidence))}>
            {Math.round(consensus.confidence)}%<span className="sr-only"> confidence</span>
          </span>
        </div>
        <ChevronDown
          className={cx('size-4 text-ink-3 transition-transform', open && 'rotate-180')}
          aria-hidden="true"
        />
      </div>
      <div id={details}>
        {open && <TermDetails term={term} analysis={analysis} opinions={opinions} cells={cells} />}
      </div>
    </div>
  );
}
