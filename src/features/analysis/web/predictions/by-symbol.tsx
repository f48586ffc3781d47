import { type BacktestSummary, SYMBOLS } from '#features/analysis/contract/predictions.ts';
import { grouped } from '#shared/format.ts';
import { CoinMark } from '#ui/coin-mark.tsx';
import { cx } from '#ui/cx.ts';
import { signed, tone } from './said.tsx';

const BAR = { 'text-up': 'bg-up', 'text-warn': 'bg-warn', 'text-down': 'bg-down' } as const;
const HEAD = 'label pb-1 text-right font-medium';

export function BySymbol({ data }: { data: BacktestSummary }) {
  return (
    <table className="num w-full self-start text-sm">
      <caption className="label pb-1.5 text-left">By asset, all providers and horizons</caption>
      <thead>
        <tr>
          <th scope="col" className="label pb-1 text-left font-medium">
            Asset
          </th>
          <th scope="col" className={HEAD} colSpan={2}>
            Accuracy
          </th>
          <th scope="col" className={HEAD}>
            Corr.
          </th>
          <th scope="col" className={HEAD}>
            Calls
          </th>
        </tr>
      </thead>
      <tbody className="[&_td]:h-8 [&_td]:border-t [&_td]:border-line [&_td]:text-right [&_th]:border-t [&_th]:border-line">
        {SYMBOLS.map((symbol) => {
          const { accuracy, avgCorrelation, totalPredictions } = data.by_symbol[symbol] ?? {
            accuracy: null,
            avgCorrelation: null,
            totalPredictions: 0,
          };
          const colour = accuracy === null ? 'text-down' : tone(accuracy, 80, 60);
          return (
            <tr key={symbol}>
              <th scope="row" className="text-left font-semibold">
                <span className="flex items-center gap-2">
                  <CoinMark symbol={symbol} size={18} />
                  {symbol}
                </span>
              </th>
              <td className="w-1/3 pl-3" aria-hidden="true">
                <span className="block h-1 overflow-hidden rounded-full bg-raised">
                  <span
                    className={cx('block h-full', BAR[colour])}
                    style={{ width: `${(accuracy ?? 0).toFixed(1)}%` }}
                  />
                </span>
              </td>
              <td className={cx('font-medium', accuracy !== null && colour)}>
                {accuracy === null ? '–' : `${accuracy.toFixed(1)}%`}
              </td>
              <td className={avgCorrelation === null ? 'text-ink-3' : tone(100 * avgCorrelation, 70, 50)}>
                {avgCorrelation === null ? '–' : signed(100 * avgCorrelation)}
              </td>
              <td className="text-ink-2">{grouped(totalPredictions)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
