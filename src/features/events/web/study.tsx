import { useQuery } from '@tanstack/react-query';
import type { EventStudy } from '#features/events/contract.ts';
import { percent } from '#shared/format.ts';
import { useAddressChoice } from '#ui/address-filter.ts';
import { Card } from '#ui/card.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { Empty } from '#ui/states.tsx';
import { dayWords } from './event-dates.ts';
import { type StudyKind, studyQuery } from './queries.ts';

type Cell = EventStudy['cells'][number];

const SIGNS: readonly (readonly [Cell['sign'], string])[] = [
  ['above', 'Above expected'],
  ['in line', 'In line'],
  ['below', 'Below expected'],
  ['all', 'All releases'],
];
const ASSETS = ['BTC', 'ETH'] as const;

/** The widest end of any interval: shared by both sides of the bars. */
const maxReach = (cells: readonly Cell[]): number =>
  Math.max(1, ...cells.flatMap(({ low, high }) => [Math.abs(low ?? 0), Math.abs(high ?? 0)]));

function StudyTable({ cells, name }: { cells: readonly Cell[]; name: string }) {
  const reach = maxReach(cells);
  return (
    <table className="num w-full text-left text-sm">
      <caption className="sr-only">{name}: average return after the release, by surprise</caption>
      <thead className="sr-only">
        <tr>
          {['Surprise', 'Asset', 'Average with interval', 'Releases'].map((head) => (
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
                <td className="label pl-1 text-right whitespace-nowrap">n = {cell?.n ?? 0}</td>
              </tr>
            );
          })}
        </tbody>
      ))}
    </table>
  );
}

function Mean({ cell: { mean, low, high }, reach }: { cell: Cell; reach: number }) {
  if (mean === null || low === null || high === null) return <span className="text-xs text-ink-3">Too few</span>;
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

const KINDS: Record<'CPI' | 'PCE' | 'PPI', StudyKind> = { CPI: 'cpi', PCE: 'pce', PPI: 'ppi' };
const NAMES = ['CPI', 'PCE', 'PPI'] as const;
const WINDOWS = ['24h', '3d', '7d'] as const;
type Window = (typeof WINDOWS)[number];
const WINDOW_WORDS: Record<Window, string> = { '24h': '24 hours', '3d': '3 days', '7d': '7 days' };

/** Moves of BTC and ETH after past releases, by their surprise. */
export function Study() {
  const [name, choose] = useAddressChoice('release', NAMES);
  const [window, setWindow] = useAddressChoice('window', WINDOWS);
  const query = useQuery(studyQuery(KINDS[name]));
  return (
    <Card
      id="study"
      title="Market Reaction to Past Releases"
      className="min-h-[27rem]"
      action={<Segmented label="Release" value={name} options={NAMES} onChange={choose} />}
    >
      <QueryView
        query={query}
        failed="Failed to load the event study"
        loading={
          <div className="flex-1 px-4 pb-4">
            <output className="sr-only">Loading the event study</output>
            <div className="skel h-80" aria-hidden="true" />
          </div>
        }
        isEmpty={({ events }) => events.length === 0}
        empty={<Empty title="No past releases stored yet" note="The study starts with the first release." />}
      >
        {(study) => <Loaded study={study} window={window} onWindow={setWindow} />}
      </QueryView>
    </Card>
  );
}

type LoadedProps = { study: EventStudy; window: Window; onWindow: (window: Window) => void };

function Loaded({ study, window, onWindow }: LoadedProps) {
  const { against, from, to, source } = study;
  return (
    <div className="flex flex-1 flex-col gap-3 px-4 pb-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-ink-2">Average return in the {WINDOW_WORDS[window]} after release</p>
        <Segmented label="Window" value={window} options={WINDOWS} onChange={onWindow} />
      </div>
      <StudyTable cells={study.cells.filter((cell) => cell.window === window)} name={study.name} />
      <p className="text-xs text-ink-3">
        Bars are 99% intervals because many cells are compared at once. A bar that crosses the middle line is no
        evidence of a move.
      </p>
      <p className="num mt-auto text-xs text-ink-3">
        {against} {from && to && `${study.events.length} releases from ${dayWords(from)} to ${dayWords(to)}. `}
        Source: {source}.
      </p>
    </div>
  );
}
