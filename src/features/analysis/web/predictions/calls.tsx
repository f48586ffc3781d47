import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type CallState,
  HORIZONS,
  type Probabilities,
  type RecordedCall,
  SYMBOLS,
  type TrackCell,
} from '#features/analysis/contract/predictions.ts';
import { dateTime, grouped, rangeText } from '#shared/format.ts';
import { useAddressFilter } from '#ui/address-filter.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CoinMark } from '#ui/coin-mark.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { writeTexts } from '#ui/search-params.ts';
import { Select } from '#ui/select.tsx';
import { Empty } from '#ui/states.tsx';
import { type CallsFilter, callsQuery } from './queries.ts';
import { HORIZON_WORDS, Mark, providerName, Said, signed } from './verdict-text.tsx';

const minute = (iso: string) => dateTime(Date.parse(iso)).replace(/:\d\d UTC/, '');
const HEAD = 'label px-2 py-1.5 font-medium whitespace-nowrap first:pl-4 last:pr-4';

function CallTable({ calls, ofOne }: { calls: readonly RecordedCall[]; ofOne: boolean }) {
  return (
    // Texts for screen readers stay within what scrolls: else they widen the page.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
    <div className="relative overflow-x-auto" role="region" aria-label="Calls" tabIndex={0}>
      <table className="num w-full text-left text-sm">
        <thead>
          <tr>
            {[
              'Issued, UTC',
              'Asset',
              ...(ofOne ? [] : ['Provider and model']),
              'Horizon',
              'Call',
              'Down · flat · up',
              'Actual',
              'Return',
              '80% range',
              'Result',
              'Ledger entry',
            ].map((head) => (
              <th key={head} scope="col" className={HEAD}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&_td]:h-10 [&_td]:border-t [&_td]:border-line [&_td]:px-2 [&_td]:whitespace-nowrap [&_td:first-child]:pl-4 [&_td:last-child]:pr-4">
          {calls.map((call) => (
            <Row key={call.seq} call={call} ofOne={ofOne} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ call, ofOne }: { call: RecordedCall; ofOne: boolean }) {
  return (
    <tr>
      <td className="text-ink-2">{minute(call.issued_at)}</td>
      <td>
        <span className="flex items-center gap-2 font-semibold">
          <CoinMark symbol={call.crypto_symbol} size={18} />
          {call.crypto_symbol}
        </span>
      </td>
      {!ofOne && (
        <td className="max-w-60 truncate" title={call.model}>
          {providerName(call)} <span className="text-xs text-ink-3 max-sm:hidden">{call.model}</span>
        </td>
      )}
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
      <td className="text-ink-2">
        <Range call={call} />
      </td>
      <td>
        <Result call={call} />
      </td>
      <td className="text-xs text-ink-3">
        {grouped(call.seq)}
        {call.outcome_seq !== null && ` → ${grouped(call.outcome_seq)}`}
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

function Range({ call: { range_80: range, held_80: held } }: { call: RecordedCall }) {
  if (!range) return <span className="text-ink-3">–</span>;
  return (
    <>
      {rangeText(range)}
      {held !== null && (
        <span className={held ? 'text-up' : 'text-down'}>
          <span aria-hidden="true">{held ? ' ✓' : ' ✕'}</span>
          <span className="sr-only">, price ended {held ? 'inside' : 'outside'}</span>
        </span>
      )}
    </>
  );
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

const STATES: readonly (readonly [CallState, string])[] = [
  ['open', 'Open'],
  ['graded', 'Graded'],
  ['void', 'Void'],
];

const LONGEST_PROVIDER = 40;
const parseOption = <T extends string>(options: readonly T[], text: string | null): T | null =>
  options.find((option) => option === text) ?? null;

const parseFilter = (params: URLSearchParams): CallsFilter => ({
  provider: params.get('provider')?.slice(0, LONGEST_PROVIDER) || null,
  asset: parseOption(SYMBOLS, params.get('asset')),
  horizon: parseOption(HORIZONS, params.get('horizon')),
  state: parseOption(
    STATES.map(([state]) => state),
    params.get('state'),
  ),
});

const writeFilter = (params: URLSearchParams, filter: CallsFilter) => writeTexts(params, filter);

type Props =
  | { providers: readonly Pick<TrackCell, 'provider' | 'model'>[]; only?: never }
  /** Calls of one track. */
  | { providers?: never; only: string };

/** All Calls and Outcomes, newest first. */
export function Calls({ providers, only }: Props) {
  const [filter, choose] = useAddressFilter(parseFilter, writeFilter);
  const query = useInfiniteQuery(callsQuery(only === undefined ? filter : { ...filter, provider: only }));
  return (
    <Card
      id="calls"
      title="All Calls and Outcomes"
      className={only === undefined ? 'min-h-[34rem]' : ''}
      action={
        <div className="flex flex-wrap gap-1.5">
          {providers && (
            <Choice
              label="Provider"
              value={filter.provider}
              options={providers.map((each) => [each.provider, providerName(each)])}
              onChange={(provider) => choose({ provider })}
            />
          )}
          <Choice
            label="Asset"
            value={filter.asset}
            options={SYMBOLS.map((name) => [name, name])}
            onChange={(asset) => choose({ asset })}
          />
          <Choice
            label="Horizon"
            value={filter.horizon}
            options={HORIZONS.map((name) => [name, HORIZON_WORDS[name]])}
            onChange={(name) => choose({ horizon: name })}
          />
          <Choice label="State" value={filter.state} options={STATES} onChange={(state) => choose({ state })} />
        </div>
      }
    >
      <QueryView
        query={query}
        loading={<div className="skel mx-4 h-80" />}
        failed="Failed to load the calls"
        isEmpty={({ pages }) => pages[0]?.calls.length === 0}
        empty={
          <Empty
            title="No matching calls"
            note={`Try a different ${only === undefined ? 'provider, ' : ''}asset, horizon or state.`}
          />
        }
      >
        {({ pages }) => (
          <>
            <CallTable calls={pages.flatMap(({ calls }) => calls)} ofOne={only !== undefined} />
            {query.hasNextPage && (
              <Button
                className="mx-auto my-3"
                disabled={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                {query.isFetchingNextPage ? 'Loading …' : 'Load older calls'}
              </Button>
            )}
          </>
        )}
      </QueryView>
    </Card>
  );
}

type ChoiceProps<T extends string> = {
  label: string;
  value: T | null;
  options: readonly (readonly [value: T, name: string])[];
  onChange: (value: T | null) => void;
};

function Choice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  const find = (text: string) => options.find(([option]) => option === text)?.[0] ?? null;
  return (
    <Select aria-label={label} value={value ?? ''} onText={(text) => onChange(find(text))}>
      <option value="">{label}: all</option>
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </Select>
  );
}
