import type { Expectation, YearGap } from '#features/inflation/contract.ts';
import type { FigureMeta } from '#shared/figures.ts';
import { percent } from '#shared/format.ts';
import { cx } from '#ui/cx.ts';
import { Figure } from '#ui/figure.tsx';
import { Heads } from './heads.tsx';
import { monthOf, points, rate, surpriseTone } from './words.ts';

/** One line of the table: headline or core. */
export type Line = {
  name: string;
  mom: number | null;
  momMeta: FigureMeta | undefined;
  yoy: number | null;
  yoyMeta: FigureMeta | undefined;
  /** The yearly rate is that of the adjusted index. */
  adjusted: boolean;
  /** Where there is no yearly rate of the newest month. */
  gap: YearGap | undefined;
  expected: Expectation | null;
};

type Props = { of: string; lines: readonly Line[] };

/** Key of the page of a rate: `inflation.core_cpi_yoy`. */
const pageOf = (of: string, name: string, rate: 'mom' | 'yoy') =>
  `inflation.${name === 'Core' ? 'core_' : ''}${of.toLowerCase()}_${rate}`;

/** Month, year, what was expected of the month, and how far off that was. */
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
                page={pageOf(of, line.name, 'mom')}
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

/** Of the newest month, else the newest one that can be computed, with its month. */
export function YearRate({ of, line: { name, yoy, yoyMeta, gap } }: { of: string; line: YearLine }) {
  const label = `${of} ${name}, year over year`;
  if (yoy !== null || gap?.newestYoY == null || gap.newestPeriod === null)
    return (
      <Figure meta={yoyMeta} name={label} page={pageOf(of, name, 'yoy')}>
        {yoy !== null && rate(yoy)}
      </Figure>
    );
  return (
    <>
      <Figure meta={gap.meta['newestYoY']} name={`${label}, ${monthOf(gap.newestPeriod)}`}>
        {rate(gap.newestYoY)}
      </Figure>
      <span className="ml-1 text-2xs font-normal text-ink-3">{monthOf(gap.newestPeriod)}</span>
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
