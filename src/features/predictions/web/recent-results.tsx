import { CoinMark } from '#web/ui/coin-mark.tsx';

import type { GradedCall } from '../contract.ts';
import { Mark, Said } from './said.tsx';
import { providerName, signed } from './words.ts';

const HEAD = 'label pb-1 font-medium';

export function RecentResults({ results }: { results: readonly GradedCall[] }) {
  return (
    <table className="num w-full self-start text-sm">
      <caption className="label pb-1.5 text-left">Recent results</caption>
      <thead>
        <tr className="text-left [&>:nth-child(n+5)]:text-right">
          <th scope="col" className={HEAD}>
            Call
          </th>
          <th scope="col" className={`${HEAD} max-sm:hidden`}>
            Horizon
          </th>
          <th scope="col" className={HEAD}>
            Predicted
          </th>
          <th scope="col" className={HEAD}>
            Came
          </th>
          <th scope="col" className={HEAD}>
            Accuracy
          </th>
          <th scope="col" className={`${HEAD} max-sm:hidden`}>
            Corr.
          </th>
        </tr>
      </thead>
      <tbody className="[&_td]:h-8 [&_td]:border-t [&_td]:border-line [&_tr>:nth-child(n+5)]:text-right">
        {results.map((call) => (
          <tr key={call.seq}>
            <td className="pr-2">
              <span className="flex items-center gap-2">
                <CoinMark symbol={call.crypto_symbol} size={18} />
                <span className="font-semibold">{call.crypto_symbol}</span>
                <span className="truncate text-xs text-ink-3 max-sm:hidden">{providerName(call.provider)}</span>
              </span>
            </td>
            <td className="text-ink-2 max-sm:hidden">{call.horizon}</td>
            <td>
              <Said direction={call.predicted_direction} />
            </td>
            <td>
              <Said direction={call.actual_direction} />
            </td>
            <td className="whitespace-nowrap">
              <Mark hit={call.accuracy === 100} /> <span className="text-ink-3 max-sm:hidden">{call.accuracy}%</span>
            </td>
            <td className="text-ink-2 max-sm:hidden">
              {call.correlation_score === null ? '–' : signed(100 * call.correlation_score)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
