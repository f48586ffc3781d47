import { dateTime } from '#shared/format.ts';
import { CoinMark } from '#web/ui/coin-mark.tsx';

import type { Probabilities, RecordedCall } from '../contract.ts';
import { Mark, Said } from './said.tsx';
import { count, providerName, signed } from './words.ts';

const minute = (iso: string) => dateTime(Date.parse(iso)).replace(/:\d\d UTC/, '');
const HEAD = 'label px-2 py-1.5 font-medium whitespace-nowrap first:pl-4 last:pr-4';

export function CallTable({ calls }: { calls: readonly RecordedCall[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
    <div className="overflow-x-auto" role="region" aria-label="Calls" tabIndex={0}>
      <table className="num w-full text-left text-sm">
        <thead>
          <tr>
            {[
              'Made, UTC',
              'Asset',
              'Provider and model',
              'Horizon',
              'Said',
              'Down · flat · up',
              'Came',
              'Return',
              'Result',
              'Entry',
            ].map((head) => (
              <th key={head} scope="col" className={HEAD}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&_td]:h-10 [&_td]:border-t [&_td]:border-line [&_td]:px-2 [&_td]:whitespace-nowrap [&_td:first-child]:pl-4 [&_td:last-child]:pr-4">
          {calls.map((call) => (
            <Row key={call.seq} call={call} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ call }: { call: RecordedCall }) {
  return (
    <tr>
      <td className="text-ink-2">{minute(call.issued_at)}</td>
      <td>
        <span className="flex items-center gap-2 font-semibold">
          <CoinMark symbol={call.crypto_symbol} size={18} />
          {call.crypto_symbol}
        </span>
      </td>
      <td className="max-w-56 truncate" title={call.model}>
        {providerName(call.provider)} <span className="text-xs text-ink-3 max-sm:hidden">{call.model}</span>
      </td>
      <td className="text-ink-2">{call.horizon}</td>
      <td>
        <Said direction={call.predicted_direction} />
      </td>
      <td>
        <Split of={call.probabilities} />
      </td>
      <td>
        {call.actual_direction ? <Said direction={call.actual_direction} /> : <span className="text-ink-3">–</span>}
      </td>
      <td className="text-ink-2">{call.realised === null ? '–' : `${signed(100 * Math.expm1(call.realised), 2)}%`}</td>
      <td>
        <Result call={call} />
      </td>
      <td className="text-xs text-ink-3">
        {count(call.seq)}
        {call.outcome_seq !== null && ` → ${count(call.outcome_seq)}`}
      </td>
    </tr>
  );
}

function Result({ call }: { call: RecordedCall }) {
  if (call.state === 'graded') return <Mark hit={call.accuracy === 100} />;
  if (call.state === 'void')
    return (
      <span className="text-warn" title={call.void_reason ?? undefined}>
        Void<span className="sr-only">: {call.void_reason}</span>
      </span>
    );
  return <span className="text-ink-3">Until {minute(call.resolves_at)}</span>;
}

const whole = (p: number) => Math.round(100 * p);

/** The three probabilities as one bar, with their percents. */
function Split({ of: { down, flat, up } }: { of: Probabilities }) {
  return (
    <span className="flex items-center gap-2">
      <span className="flex h-1.5 w-20 gap-px max-sm:hidden overflow-hidden rounded-[2px]" aria-hidden="true">
        <span className="bg-down" style={{ flex: down }} />
        <span className="bg-line-strong" style={{ flex: flat }} />
        <span className="bg-up" style={{ flex: up }} />
      </span>
      <span className="text-xs text-ink-2">
        {whole(down)} · {whole(flat)} · {whole(up)}
      </span>
    </span>
  );
}
