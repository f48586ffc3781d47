import type { FigureMeta } from '#shared/figures.ts';
import { percent } from '#shared/format.ts';
import { cx } from '#web/ui/cx.ts';
import { Figure } from '#web/ui/figure.tsx';

import type { Expectation } from '../contract.ts';
import { Heads } from './heads.tsx';
import { points, rate, surpriseTone } from './words.ts';

/** One line of the table: headline or core. */
export type Line = {
  name: string;
  mom: number | null;
  momMeta: FigureMeta | undefined;
  yoy: number | null;
  yoyMeta: FigureMeta | undefined;
  /** The yearly rate is that of the adjusted index. */
  adjusted: boolean;
  expected: Expectation | null;
};

type Props = { of: string; lines: readonly Line[] };

/** Month, year, what was expected of the month, and how far off that was. */
export function Rates({ of, lines }: Props) {
  return (
    <table className="num w-full text-xs">
      <caption className="sr-only">{of}, newest release</caption>
      <Heads names={['Series', 'Month', 'Year', 'Expected', 'Surprise']} />
      <tbody>
        {lines.map((line) => (
          <tr key={line.name} className="h-8 border-t border-line text-right">
            <th scope="row" className="text-left font-medium">
              {line.name}
            </th>
            <td>
              <Figure meta={line.momMeta} name={`${of} ${line.name}, month over month`}>
                {line.mom !== null && percent(line.mom, 1)}
              </Figure>
            </td>
            <td className="font-semibold">
              <Figure meta={line.yoyMeta} name={`${of} ${line.name}, year over year`}>
                {line.yoy !== null && rate(line.yoy)}
              </Figure>
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
  if (consensus === null)
    return (
      <>
        <td>
          <Figure meta={meta['nowcast']} name={`${of} ${name}, nowcast`}>
            {nowcast !== null && percent(nowcast)}
          </Figure>
          <span className="ml-1 text-2xs text-ink-3">nowcast</span>
        </td>
        <td className="text-ink-3">–</td>
      </>
    );
  return (
    <>
      <td>
        <Figure meta={meta['consensus']} name={`${of} ${name}, consensus`}>
          {percent(consensus, 1)}
        </Figure>
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
