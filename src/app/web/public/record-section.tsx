import type { LandingModel } from '#app/render.ts';
import { TERMS, WORD } from '#features/analysis/web/analysis/labels.ts';
import { providerName, share, wording } from '#features/analysis/web/predictions/verdict-text.tsx';
import type { LandingFacts, RecordCell } from '#features/site/contract/landing.ts';
import { grouped } from '#shared/format.ts';
import { STAND_IN_NOTE, standInName } from '#shared/stand-ins.ts';
import { cx } from '#ui/cx.ts';
import { Interval, Scale } from './drawings.tsx';
import { WIDTH } from './page.tsx';
import { APART, clockText, dayText, FigureHead, More, SectionHead, Waiting } from './section.tsx';

const ROW = 'grid grid-cols-[6rem_1fr] items-center gap-4';
const directionWord = ({ market_direction: said }: { market_direction: keyof typeof WORD }) => WORD[said].toLowerCase();
/** Chance level with three outcomes. */
const GUESSED = 1 / 3;

/** The current outlook next to its track record. */
export function RecordSection({ model: { facts } }: { model: LandingModel }) {
  const { outlook, record } = facts;
  return (
    <section aria-labelledby="record" className={cx(APART, 'border-y border-line bg-surface py-16 sm:py-28')}>
      <div className={WIDTH}>
        <SectionHead id="record" title="Every call is graded. The wrong ones too." isWide>
          <p>
            Every call is hash-chained when it is made and graded at its horizon against base rates. The verdict is one
            word: ahead, no evidence, or behind.
          </p>
          <More href="/app/track-record">Read the track record</More>
        </SectionHead>
        <div className="mt-12 grid gap-x-12 gap-y-12 lg:grid-cols-2">
          {outlook ? <Said outlook={outlook} /> : <Waiting>The first analysis is being prepared.</Waiting>}
          {record.cells.length > 0 ? (
            <Worth cells={provenFirst(record.cells)} at={record.scoredAt} />
          ) : (
            <Waiting>No calls graded yet. The first are graded after 24 hours.</Waiting>
          )}
        </div>
      </div>
    </section>
  );
}

const RANK = { ahead: 0, 'no evidence': 1, 'too few independent windows': 2, behind: 3 } as const;
const provenFirst = (cells: readonly RecordCell[]) => cells.toSorted((a, b) => RANK[a.verdict] - RANK[b.verdict]);

function Said({ outlook: { at, consensus, opinions } }: { outlook: NonNullable<LandingFacts['outlook']> }) {
  return (
    <figure>
      <FigureHead title="Current outlook" note={`${dayText(at)}, ${clockText(at)}`} />
      <div className={cx(ROW, 'label mt-4 pb-1')} aria-hidden="true">
        <span />
        <span className="flex justify-between">
          <span>Bearish</span>
          <span>Neutral</span>
          <span>Bullish</span>
        </span>
      </div>
      <ul className="num">
        {TERMS.map(({ key, name, range }) => (
          <li key={key} className={cx(ROW, 'border-t border-line py-2.5')}>
            <span className="leading-4">
              <span className="block text-sm font-medium">{name}</span>
              <span className="label block">{range}</span>
            </span>
            <Scale
              consensus={consensus[key]}
              said={opinions.map((each) => ({ ...each, ...each[key] }))}
              label={`${name}: together ${directionWord(consensus[key])}. ${opinions.map((each) => `${each.name} ${directionWord(each[key])}`).join(', ')}.`}
            />
          </li>
        ))}
      </ul>
      <figcaption className="label mt-2 border-t border-line pt-4">
        {opinions.map(({ letter, name }) => `${letter} ${name}`).join(' · ')}. The solid bar marks the consensus.
      </figcaption>
    </figure>
  );
}

function Worth({ cells, at }: { cells: readonly RecordCell[]; at: string }) {
  return (
    <figure>
      <FigureHead title="24-hour track record" note={`scored ${dayText(at)}`} />
      <div className={cx(ROW, 'label mt-4 pb-1')} aria-hidden="true">
        <span />
        <span className="flex justify-between">
          <span>0%</span>
          <span>correct, with 95% interval</span>
          <span>100%</span>
        </span>
      </div>
      <ul className="num">
        {cells.map((cell) => (
          <Measured key={`${cell.provider} ${cell.model}`} cell={cell} />
        ))}
      </ul>
      <figcaption className="label mt-2 border-t border-line pt-4">
        Dashed line: one third, the expected rate of random guessing. Verdicts come from significance tests against base
        rates; with too few calls the verdict is “No evidence”.
        {cells.some(({ model }) => standInName(model)) && ` ${STAND_IN_NOTE}`}
      </figcaption>
    </figure>
  );
}

function Measured({ cell }: { cell: RecordCell }) {
  const { n, hit_rate: rate, hit_interval: between } = cell;
  if (rate === null || !between) return null;
  return (
    <li className={cx(ROW, 'border-t border-line py-2.5')}>
      <span className="leading-4">
        <span className="block text-sm font-medium">{providerName(cell)}</span>
        <span className="label block">{grouped(n)} calls</span>
      </span>
      <span>
        <Interval at={rate} between={between} mark={GUESSED} />
        <span className="label flex flex-wrap justify-between gap-x-4">
          <span>
            {share(rate)}, {share(between.low)} to {share(between.high)}
          </span>
          <b className="font-semibold text-ink">{wording(cell).word}</b>
        </span>
      </span>
    </li>
  );
}
