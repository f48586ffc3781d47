import { useState } from 'react';

import type { Expectation, InflationReading, YearGap } from '#features/inflation/contract.ts';
import type { FigureMeta } from '#shared/figures.ts';
import { percent } from '#shared/format.ts';
import { cx } from '#ui/cx.ts';
import { Figure } from '#ui/figure.tsx';

import { monthName, points, rate, sentimentMood, surpriseTone, titled } from './labels.ts';

/** Headings of a table of numbers; the first column has text. */
export function Heads({ names }: { names: readonly string[] }) {
  return (
    <thead>
      <tr className="label text-right">
        {names.map((name, i) => (
          <th key={name} scope="col" className={i === 0 ? 'text-left font-medium' : 'px-1 font-medium'}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** One line of the table: headline or core. */
export type Line = {
  name: string;
  mom: number | null;
  momMeta: FigureMeta | undefined;
  yoy: number | null;
  yoyMeta: FigureMeta | undefined;
  /** The yearly rate is based on the adjusted index. */
  adjusted: boolean;
  /** For when the newest month has no yearly rate. */
  gap: YearGap | undefined;
  expected: Expectation | null;
};

type Props = { of: string; lines: readonly Line[] };

/** Key of a rate's page: `inflation.core_cpi_yoy`. */
const figurePath = (of: string, name: string, rate: 'mom' | 'yoy') =>
  `inflation.${name === 'Core' ? 'core_' : ''}${of.toLowerCase()}_${rate}`;

/** Monthly and yearly rate, the monthly expectation, and the surprise. */
export function Rates({ of, lines }: Props) {
  return (
    <table className="num w-full text-xs">
      <caption className="sr-only">{of}, latest release</caption>
      <Heads names={['Series', 'Month', 'Year', 'Expected', 'Surprise']} />
      <tbody>
        {lines.map((line) => (
          <tr key={line.name} className="h-8 border-t border-line text-right">
            <th scope="row" className="text-left font-medium">
              {line.name}
            </th>
            <td>
              <Figure
                meta={line.momMeta}
                name={`${of} ${line.name}, month over month`}
                page={figurePath(of, line.name, 'mom')}
              >
                {line.mom !== null && percent(line.mom, 1)}
              </Figure>
            </td>
            <td className="font-semibold">
              <YearRate of={of} line={line} />
              {line.adjusted && (
                <span title="From the seasonally adjusted index" className="ml-1 text-2xs text-ink-3">
                  SA
                </span>
              )}
            </td>
            <Expected of={of} line={line} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** For the newest month, else the newest computable one, with its month. */
export function YearRate({ of, line: { name, yoy, yoyMeta, gap } }: { of: string; line: YearLine }) {
  const label = `${of} ${name}, year over year`;
  if (yoy !== null || gap?.newestYoY == null || gap.newestPeriod === null)
    return (
      <Figure meta={yoyMeta} name={label} page={figurePath(of, name, 'yoy')}>
        {yoy !== null && rate(yoy)}
      </Figure>
    );
  return (
    <>
      <Figure meta={gap.meta['newestYoY']} name={`${label}, ${monthName(gap.newestPeriod)}`}>
        {rate(gap.newestYoY)}
      </Figure>
      <span className="ml-1 text-2xs font-normal text-ink-3">{monthName(gap.newestPeriod)}</span>
    </>
  );
}
type YearLine = Pick<Line, 'name' | 'yoy' | 'yoyMeta' | 'gap'>;

function Expected({ of, line: { name, expected } }: { of: string; line: Line }) {
  if (!expected || (expected.consensus === null && expected.nowcast === null))
    return (
      <>
        <td>
          <Figure meta={expected?.meta['consensus']} name={`${of} ${name}, consensus`}>
            –
          </Figure>
        </td>
        <td className="text-ink-3">–</td>
      </>
    );
  const { consensus, nowcast, surprise, meta } = expected;
  return (
    <>
      <td>
        {consensus === null ? (
          <>
            <Figure meta={meta['nowcast']} name={`${of} ${name}, nowcast`}>
              {nowcast !== null && percent(nowcast)}
            </Figure>
            <span className="ml-1 text-2xs text-ink-3">nowcast</span>
          </>
        ) : (
          <Figure meta={meta['consensus']} name={`${of} ${name}, consensus`}>
            {percent(consensus, 1)}
          </Figure>
        )}
      </td>
      <td className={cx('font-semibold', surprise === null ? 'text-ink-3' : surpriseTone(surprise))}>
        {surprise === null ? (
          '–'
        ) : (
          <Figure meta={meta['surprise']} name={`${of} ${name}, surprise`}>
            {points(surprise)}
          </Figure>
        )}
      </td>
    </>
  );
}

const PANEL = {
  bullish: 'border-up/40 bg-up/10',
  bearish: 'border-down/40 bg-down/10',
  neutral: 'border-line bg-raised',
} as const;
const TEXT = { bullish: 'text-up', bearish: 'text-down', neutral: 'text-ink-2' } as const;

const MARKETS = [
  ['crypto', 'Crypto'],
  ['stocks', 'Stocks'],
  ['bonds', 'Bonds'],
] as const;

const impactTone = (impact: string) => {
  if (impact.endsWith('positive')) return TEXT.bullish;
  return impact.endsWith('negative') ? TEXT.bearish : TEXT.neutral;
};

/** Market interpretation of the newest releases, with its rule. */
export function Reading({ reading }: { reading: InflationReading | null }) {
  const [open, setOpen] = useState(false);
  if (!reading?.sentiment || !reading.marketImpact)
    return (
      <section aria-label="Market reading" className="rounded-ctl border border-line bg-raised p-3 text-sm text-ink-2">
        {reading ? 'No reading yet: no release is available.' : 'Market reading temporarily unavailable'}
      </section>
    );
  const { sentiment, score, marketImpact, terms, meta } = reading;
  const mood = sentimentMood(sentiment);
  return (
    <section aria-label="Market reading" className={cx('rounded-ctl border p-3', PANEL[mood])}>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h3 className="label">Market reading</h3>
        <p className={cx('text-base font-semibold', TEXT[mood])}>{titled(sentiment)}</p>
        {score !== null && (
          <div className="num flex items-baseline gap-x-2 text-xs">
            <Figure meta={meta['score']} name="Inflation score" className="font-medium">
              Score {score < 0 ? '\u2212' : '+'}
              {Math.abs(score).toFixed(2)}
            </Figure>
            <button
              type="button"
              aria-expanded={open}
              onClick={() => setOpen(!open)}
              className="relative font-medium text-accent after:absolute after:-inset-x-2 after:-inset-y-1.5 hover:underline"
            >
              {open ? 'Hide calculation' : 'How it’s calculated'}
            </button>
          </div>
        )}
      </div>
      <dl className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-xs">
        {MARKETS.map(([key, name]) => (
          <div key={key} className="flex gap-1.5">
            <dt className="text-ink-2">{name}</dt>
            <dd className={cx('font-semibold', impactTone(marketImpact[key]))}>{titled(marketImpact[key])}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-xs text-ink-2">{marketImpact.description}</p>
      {open && <Terms terms={terms} />}
    </section>
  );
}

function Terms({ terms }: Pick<InflationReading, 'terms'>) {
  return (
    <div className="mt-2 overflow-x-auto border-t border-line pt-2">
      <table className="num w-full text-xs">
        <caption className="pb-1 text-left text-ink-2">
          Each term is −(surprise ÷ 0.1), capped at ±2, times its weight. Without a forecast, the change in the annual
          rate is used instead.
        </caption>
        <Heads names={['Series', 'Actual', 'Expected', 'Surprise', 'Weight', 'Contribution']} />
        <tbody>
          {terms.map((term) => (
            <tr key={term.series} className="border-t border-line text-right">
              <th scope="row" className="py-1 text-left font-medium">
                {term.name}
                {term.instead && <span className="block text-2xs font-normal text-ink-3">{term.instead}</span>}
              </th>
              <td className="px-1">{term.actual === null ? '–' : rate(term.actual)}</td>
              <td className="px-1">{term.expected === null ? '–' : rate(term.expected)}</td>
              <td className="px-1">{term.surprise === null ? '–' : points(term.surprise)}</td>
              <td className="px-1">{term.weight}</td>
              <td className="font-semibold">
                {term.contribution < 0 ? '\u2212' : '+'}
                {Math.abs(term.contribution).toFixed(2)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
