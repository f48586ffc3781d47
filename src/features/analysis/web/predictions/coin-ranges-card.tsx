import { useQuery } from '@tanstack/react-query';
import type { CoinRangesRecord } from '#features/market/contract/coin-ranges.ts';
import { Card } from '#ui/card.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Empty } from '#ui/states.tsx';
import { coinRangesRecordQuery } from './queries.ts';
import { count, HORIZON_WORDS, share } from './words.ts';

const CARD = { id: 'coin-ranges', title: 'Daily Price Ranges of All Coins', className: 'min-h-[15rem]' };

/** How often the daily ranges of every coin held: live, and replayed on past prices. */
export function CoinRangesCard() {
  return (
    <QueryView
      query={useQuery(coinRangesRecordQuery)}
      card={CARD}
      failed="Failed to load the record of the ranges"
      isEmpty={({ coins }) => coins === 0}
      empty={
        <Empty
          title="No daily ranges yet"
          note="They begin once the price history of the coins has loaded, and follow every day at 00:05 UTC."
        />
      }
    >
      {(record) => <Loaded {...record} />}
    </QueryView>
  );
}

const HEADS = ['80% held', '95% held', 'Ranges'] as const;

function Loaded({ coins, horizons }: CoinRangesRecord) {
  const isReplayed = horizons.some(({ replay }) => replay);
  const parts = isReplayed ? (['Live', 'Replay'] as const) : (['Live'] as const);
  return (
    <Card id={CARD.id} title={CARD.title}>
      <p className="max-w-[72ch] px-4 pb-3 text-sm text-ink-2">
        Every day at 00:05 UTC the built-in analyst issues ranges for {count(coins)} coins besides BTC, ETH, SOL, SUI
        and XRP. They are graded at daily closes; those issued after 01:00 UTC do not count.
        {isReplayed && ' The replay gives what the same method would have issued over the past year.'}
      </p>
      <div className="overflow-x-auto px-4 pb-5">
        <table className="num w-full max-w-[48rem] text-sm">
          <caption className="sr-only">Share of the prices that ended inside their range</caption>
          <thead>
            <tr>
              <td />
              {parts.map((part) => (
                <th key={part} scope="colgroup" colSpan={HEADS.length} className="label pb-1 text-right font-medium">
                  {part}
                </th>
              ))}
            </tr>
            <tr>
              <th scope="col" className="label pb-1 text-left font-medium">
                Horizon
              </th>
              {parts.flatMap((part) =>
                HEADS.map((head) => (
                  <th
                    key={`${part} ${head}`}
                    scope="col"
                    className="label pb-1 text-right font-medium whitespace-nowrap"
                  >
                    {head}
                  </th>
                )),
              )}
            </tr>
          </thead>
          <tbody className="[&_td]:h-8 [&_td]:border-t [&_td]:border-line [&_td]:pl-3 [&_td]:text-right [&_th]:border-t [&_th]:border-line">
            {horizons.map(({ horizon, record, replay }) => (
              <tr key={horizon}>
                <th scope="row" className="text-left font-semibold whitespace-nowrap">
                  {HORIZON_WORDS[horizon]}
                </th>
                <Cells of={record} />
                {isReplayed && <Cells of={replay} />}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function Cells({ of }: { of: CoinRangesRecord['horizons'][number]['record'] }) {
  if (!of)
    return (
      <td colSpan={HEADS.length} className="text-ink-3">
        None graded yet
      </td>
    );
  return (
    <>
      <td>{share(of.coverage_80)}</td>
      <td>{share(of.coverage_95)}</td>
      <td className="text-ink-2">{count(of.n)}</td>
    </>
  );
}
