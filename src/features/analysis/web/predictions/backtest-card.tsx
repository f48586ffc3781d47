import { type BacktestSummary, type GradedCall, SYMBOLS } from '#features/analysis/contract/predictions.ts';
import { grouped } from '#shared/format.ts';
import type { CardPlace } from '#ui/card-frame.tsx';
import { CoinMark } from '#ui/coin-mark.tsx';
import { cx } from '#ui/cx.ts';
import { type Query, QueryView } from '#ui/query-view.tsx';
import { Empty } from '#ui/states.tsx';

import { RecordCard } from './record-card.tsx';
import { Mark, providerName, Said, signed, tone } from './verdict-text.tsx';

const BAR = { 'text-up': 'bg-up', 'text-warn': 'bg-warn', 'text-down': 'bg-down' } as const;
const SYMBOL_HEAD = 'label pb-1 text-right font-medium';

function BySymbol({ data }: { data: BacktestSummary }) {
  return (
    <table className="num w-full self-start text-sm">
      <caption className="label pb-1.5 text-left">By asset, all providers and horizons</caption>
      <thead>
        <tr>
          <th scope="col" className="label pb-1 text-left font-medium">
            Asset
          </th>
          <th scope="col" className={SYMBOL_HEAD} colSpan={2}>
            Accuracy
          </th>
          <th scope="col" className={SYMBOL_HEAD}>
            Corr.
          </th>
          <th scope="col" className={SYMBOL_HEAD}>
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

const HEAD = 'label pb-1 font-medium';

function RecentResults({ results }: { results: readonly GradedCall[] }) {
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
            Actual
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
                <span className="truncate text-xs text-ink-3 max-sm:hidden">{providerName(call)}</span>
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

/** The newest calls as bars, oldest first: full and up-coloured for a hit, short and down-coloured for a miss. */
function RecordStrip({ hits, className }: { hits: readonly boolean[]; className?: string }) {
  const hit = hits.filter(Boolean).length;
  const label = `Latest ${hits.length} graded calls, oldest first: ${hit} hit, ${hits.length - hit} missed`;
  return (
    <div role="img" aria-label={label} className={cx('flex h-9 items-end gap-[3px]', className)}>
      {[...hits.toReversed().entries()].map(([place, isHit]) => (
        <span key={place} className={cx('flex-1 rounded-[2px]', isHit ? 'h-full bg-up' : 'h-1/3 bg-down')} />
      ))}
    </div>
  );
}

const NAMES = ['Overall accuracy', 'Average correlation', 'Graded calls'] as const;

export type BacktestCardProps = CardPlace & {
  /** Null when the record of that moment is unknown. */
  query: Query<BacktestSummary | null | undefined>;
  /** A past moment is shown. */
  past: boolean;
  /** Progress of the demo's history; null once complete. */
  preparing?: string | null;
};

export function BacktestCard({ query, past, preparing = null, ...card }: BacktestCardProps) {
  const pending = query.data?.cells.reduce((sum, cell) => sum + cell.pending, 0) ?? 0;
  const waiting = pending > 0 && `${grouped(pending)} calls recorded and pending.`;
  return (
    <QueryView
      query={query}
      card={card}
      failed="Failed to load backtest results"
      isEmpty={(data) => !data || data.total_predictions === 0}
      empty={
        <Empty
          key={preparing}
          title={preparing ?? 'No backtest data available'}
          note={
            past
              ? 'No track record is stored for that time.'
              : waiting || 'The first call is graded 24 hours after it is issued.'
          }
        />
      }
    >
      {(data) => data && <Loaded card={card} data={data} />}
    </QueryView>
  );
}

function Loaded({ card, data }: { card: CardPlace; data: BacktestSummary }) {
  return (
    <RecordCard card={card} data={data} names={NAMES} beside={<Strip hits={data.recent_hits} />}>
      <div className="grid gap-x-6 gap-y-4 lg:grid-cols-[2fr_3fr]">
        <BySymbol data={data} />
        <RecentResults results={data.recent_results} />
      </div>
    </RecordCard>
  );
}

const Strip = ({ hits }: { hits: BacktestSummary['recent_hits'] }) => (
  <div className="ml-auto min-w-52 flex-1 lg:max-w-md">
    <RecordStrip hits={hits} />
    <p className="label mt-1 flex justify-between gap-2">
      <span>Newest {hits.length} graded, oldest first</span>
      <span>Random guessing: about 33%</span>
    </p>
  </div>
);
