import { useState } from 'react';
import type { InflationReading } from '#features/inflation/contract.ts';
import { cx } from '#ui/cx.ts';
import { Figure } from '#ui/figure.tsx';
import { Heads } from './heads.tsx';
import { moodOf, points, rate, titled } from './words.ts';

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

const toneOf = (impact: string) => {
  if (impact.endsWith('positive')) return TEXT.bullish;
  return impact.endsWith('negative') ? TEXT.bearish : TEXT.neutral;
};

/** What the newest prints mean for markets, by a rule that can be looked into. */
export function Reading({ reading }: { reading: InflationReading | null }) {
  const [open, setOpen] = useState(false);
  if (!reading?.sentiment || !reading.marketImpact)
    return (
      <section aria-label="Market reading" className="rounded-ctl border border-line bg-raised p-3 text-sm text-ink-2">
        {reading ? 'No reading yet: no release is available.' : 'Market reading temporarily unavailable'}
      </section>
    );
  const { sentiment, score, marketImpact, terms, meta } = reading;
  const mood = moodOf(sentiment);
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
              {open ? 'hide' : 'how'}
              <span className="sr-only"> the score is calculated</span>
            </button>
          </div>
        )}
      </div>
      <dl className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-xs">
        {MARKETS.map(([key, name]) => (
          <div key={key} className="flex gap-1.5">
            <dt className="text-ink-2">{name}</dt>
            <dd className={cx('font-semibold', toneOf(marketImpact[key]))}>{titled(marketImpact[key])}</dd>
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
