import { percent } from '#shared/format.ts';

import type { EventStudy } from '../contract.ts';

type Cell = EventStudy['cells'][number];

const SIGNS: readonly (readonly [Cell['sign'], string])[] = [
  ['above', 'Above expected'],
  ['in line', 'In line'],
  ['below', 'Below expected'],
  ['all', 'All prints'],
];
const ASSETS = ['BTC', 'ETH'] as const;

/** The widest end of any interval: both sides of the bars share it. */
const reachOf = (cells: readonly Cell[]): number =>
  Math.max(1, ...cells.flatMap(({ low, high }) => [Math.abs(low ?? 0), Math.abs(high ?? 0)]));

export function StudyTable({ cells, name }: { cells: readonly Cell[]; name: string }) {
  const reach = reachOf(cells);
  return (
    <table className="num w-full text-left text-sm">
      <caption className="sr-only">{name}: mean return after the print, by surprise</caption>
      <thead className="sr-only">
        <tr>
          {['Surprise', 'Asset', 'Mean with interval', 'Prints'].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      {SIGNS.map(([sign, words]) => (
        <tbody key={sign}>
          {ASSETS.map((asset, i) => {
            const cell = cells.find((each) => each.asset === asset && each.sign === sign);
            return (
              <tr key={asset} className={i === 0 ? 'border-t border-line' : undefined}>
                {i === 0 && (
                  <th scope="rowgroup" rowSpan={2} className="max-w-20 pr-2 align-middle text-xs font-medium">
                    {words}
                  </th>
                )}
                <td className="w-9 text-xs font-semibold">{asset}</td>
                <td className="py-1">{cell ? <Mean cell={cell} reach={reach} /> : '–'}</td>
                <td className="label pl-1 text-right whitespace-nowrap">n {cell?.n ?? 0}</td>
              </tr>
            );
          })}
        </tbody>
      ))}
    </table>
  );
}

function Mean({ cell: { mean, low, high }, reach }: { cell: Cell; reach: number }) {
  if (mean === null || low === null || high === null) return <span className="text-xs text-ink-3">too few</span>;
  const at = (value: number) => `${(50 + (50 * value) / reach).toFixed(1)}%`;
  const sure = low > 0 || high < 0;
  return (
    <>
      <span className="flex justify-between gap-2 text-xs">
        <span className={sure ? 'font-semibold' : 'font-medium'}>{percent(mean)}</span>
        <span className="text-ink-3">
          {percent(low, 1)} to {percent(high, 1)}
        </span>
      </span>
      <span className="relative mt-0.5 block h-2" aria-hidden="true">
        <span className="absolute inset-x-0 top-0.5 h-1 rounded-full bg-raised" />
        <span
          className={`absolute top-0.5 h-1 rounded-full ${sure ? 'bg-accent' : 'bg-ink-3/50'}`}
          style={{ left: at(low), right: `${(50 - (50 * high) / reach).toFixed(1)}%` }}
        />
        <span className="absolute left-1/2 h-2 w-px bg-ink-3" />
        <span className="absolute h-2 w-[3px] -translate-x-1/2 rounded-full bg-ink" style={{ left: at(mean) }} />
      </span>
    </>
  );
}
