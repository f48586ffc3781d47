import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';

import type { AiAnalysis, ProviderOpinion } from '#features/analysis/contract/analysis.ts';
import { isAboutChance } from '#features/analysis/contract/brief.ts';
import { STAND_IN_NOTE, standInName } from '#shared/stand-ins.ts';
import { cx } from '#ui/cx.ts';
import { Tag } from '#ui/tag.tsx';
import { confidenceTone, DIR, type RecordCell, WORD } from './labels.ts';
import { Mark } from './mark.tsx';
import { RecordTable } from './record-table.tsx';

type LongTextProps = { text: string; limit: number; of: string; className?: string };

/** A text cut at `limit` characters, with the rest on demand. */
export function LongText({ text, limit, of, className }: LongTextProps) {
  const [all, setAll] = useState(false);
  if (text.length <= limit) return <p className={cx('break-words', className)}>{text}</p>;
  return (
    <p className={cx('break-words', className)}>
      {all ? text : `${text.slice(0, limit).trimEnd()}\u2026`}{' '}
      <button
        type="button"
        aria-expanded={all}
        onClick={() => setAll(!all)}
        className="relative font-medium text-accent after:absolute after:-inset-x-2 after:-inset-y-1.5 hover:underline"
      >
        {all ? 'less' : 'more'}
        <span className="sr-only"> of {of}</span>
      </button>
    </p>
  );
}

const REASONING = 300;

const Slide = ({ className, children }: { className?: string; children: ReactNode }) => (
  <li
    className={cx(
      'flex w-[82%] shrink-0 grow flex-col p-3 sm:w-[calc((100%-1px)/2)] min-[88rem]:w-[calc((100%-2px)/3)]',
      className,
    )}
  >
    {children}
  </li>
);

type OpinionCardProps = { opinion: ProviderOpinion; cells: readonly RecordCell[] | undefined };

/** One analyst's view of the market, and its record. */
export function OpinionCard({ opinion, cells }: OpinionCardProps) {
  const { id, name, letter, built_in, model, model_version, imputed } = opinion;
  const { overall_direction: direction, overall_confidence: confidence, overall_reasoning: reasoning } = opinion;
  return (
    <Slide className={built_in ? 'bg-raised' : 'bg-surface'}>
      <div className="flex min-h-8 items-center gap-2">
        <Mark letter={letter} builtIn={built_in} />
        <h3 className="line-clamp-2 min-w-0 text-sm leading-4 font-semibold text-balance" title={name}>
          {name}
        </h3>
        <span className="change ml-auto text-sm" data-dir={DIR[direction]}>
          {WORD[direction]}
        </span>
      </div>
      <p className="num mt-0.5 flex h-5 items-center gap-2 text-2xs text-ink-3">
        <span className="min-w-0 truncate" title={model_version ? `${model}, ${model_version}` : model}>
          {model}
        </span>
        {imputed && (
          <span title="Some probabilities were derived from a direction and confidence">
            <Tag>Imputed</Tag>
          </span>
        )}
        <span className="ml-auto shrink-0">
          Confidence <b className={cx('font-semibold', confidenceTone(confidence))}>{Math.round(confidence)}%</b>
          {isAboutChance(confidence) && ', about chance'}
        </span>
      </p>
      <LongText
        text={reasoning}
        limit={REASONING}
        of={`the reasoning of ${name}`}
        className="mt-1.5 mb-2 min-h-36 text-xs text-ink-2"
      />
      {cells && (
        <RecordTable
          of={name}
          provider={id}
          cells={cells}
          className="mt-auto border-t border-line [&_tr]:h-[1.125rem] [&>thead>tr]:h-6"
        />
      )}
    </Slide>
  );
}

/** An analyst without a response, and the reason. */
export function MissingCard({ name, asked, reason, settingName }: MissingProps) {
  return (
    <Slide className="bg-surface">
      <div className="flex min-h-8 items-center gap-2 text-ink-3">
        <span className="size-[18px] shrink-0 rounded-full border border-dashed border-ink-3" aria-hidden="true" />
        <h3 className="min-w-0 truncate text-sm font-semibold">{name}</h3>
        <span className="ml-auto text-sm font-medium whitespace-nowrap">{asked ? 'No response' : 'Not queried'}</span>
      </div>
      <p className="mt-2 line-clamp-6 text-xs break-words text-ink-3" title={reason}>
        {reason}.
      </p>
      {settingName && (
        <p className="mt-2 text-xs text-ink-3">
          Missing key: <code className="font-semibold text-ink-2">{settingName}</code>
        </p>
      )}
    </Slide>
  );
}
type MissingProps = { name: string; asked: boolean; reason: string; settingName: string | null };

type StripProps = { analysis: AiAnalysis; cells: readonly RecordCell[] | undefined };

/**
 * The models, ordered by verdict at 24h (ahead, undecided, behind), then the missing ones, then the built-in analyst.
 */
export function Opinions({ analysis: { providers, missing }, cells }: StripProps) {
  const opinionRank = ({ id }: ProviderOpinion): number => {
    const verdict = cells?.find(({ provider, horizon }) => provider === id && horizon === '24h')?.verdict;
    return verdict === 'ahead' ? -1 : Number(verdict === 'behind');
  };
  const all = Object.values(providers).toSorted((a, b) => opinionRank(a) - opinionRank(b));
  const cards = (builtIn: boolean) =>
    all
      .filter(({ built_in }) => built_in === builtIn)
      .map((opinion) => <OpinionCard key={opinion.id} opinion={opinion} cells={cells} />);
  return (
    <Strip note={all.some(({ model }) => standInName(model)) ? STAND_IN_NOTE : null}>
      {cards(false)}
      {missing.map(({ id, name, key, reason }) => (
        <MissingCard key={id} name={name} settingName={key} asked={key === null} reason={reason.replace(/\.$/, '')} />
      ))}
      {cards(true)}
    </Strip>
  );
}

/** Fades out the ends that hide more. */
const fade = ({ before, after }: { before: boolean; after: boolean }) =>
  before || after
    ? {
        maskImage: `linear-gradient(to right,${before ? '#0000,#000 0.75rem' : '#000'},${after ? '#000 calc(100% - 0.75rem),#0000' : '#000'})`,
      }
    : undefined;

/** A horizontal scroller; below it the note, and arrows while there is more on either side. */
function Strip({ note, children }: { note: string | null; children: ReactNode }) {
  const list = useRef<HTMLUListElement>(null);
  const [more, setMore] = useState({ before: false, after: false });
  const look = useCallback(() => {
    if (!list.current) return;
    const { scrollLeft, clientWidth, scrollWidth } = list.current;
    setMore({ before: scrollLeft > 1, after: scrollLeft + clientWidth < scrollWidth - 1 });
  }, []);
  // Runs after layout, so that measuring never causes a second one.
  useEffect(() => {
    if (!list.current || !('ResizeObserver' in globalThis)) return undefined;
    const watcher = new ResizeObserver(look);
    watcher.observe(list.current);
    return () => watcher.disconnect();
  }, [look]);
  const scroll = (pages: -1 | 1) =>
    list.current?.scrollBy({ left: pages * list.current.clientWidth, behavior: 'smooth' });
  return (
    <>
      <ul
        ref={list}
        onScroll={look}
        style={fade(more)}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label="Analysts"
        className="relative flex gap-px snaps overflow-x-auto rounded-[10px] border border-line bg-line [scrollbar-width:none] focus-visible:-outline-offset-2"
      >
        {children}
      </ul>
      <div className="mt-1 flex min-h-8 items-center gap-1">
        {note && <p className="text-2xs text-ink-3">{note}</p>}
        {(more.before || more.after) && (
          <div className="ml-auto flex gap-1">
            <Arrow name="Previous analysts" icon={ChevronLeft} disabled={!more.before} onClick={() => scroll(-1)} />
            <Arrow name="More analysts" icon={ChevronRight} disabled={!more.after} onClick={() => scroll(1)} />
          </div>
        )}
      </div>
    </>
  );
}

type ArrowProps = { name: string; icon: typeof ChevronLeft; disabled: boolean; onClick: () => void };

const Arrow = ({ name, icon: Icon, disabled, onClick }: ArrowProps) => (
  <button
    type="button"
    aria-label={name}
    disabled={disabled}
    onClick={onClick}
    className="grid size-7 place-items-center rounded-ctl border border-line-strong text-ink-2 hover:bg-raised disabled:opacity-60"
  >
    <Icon className="size-4" aria-hidden="true" />
  </button>
);
