import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import type { CoinRangesRecord } from '#features/market/contract/coin-ranges.ts';
import { dateTime, grouped } from '#shared/format.ts';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { QueryView } from '#ui/query-view.tsx';
import { Empty } from '#ui/states.tsx';
import { coinRangesRecordQuery } from './queries.ts';
import { HORIZON_WORDS, share } from './verdict-text.tsx';

const CARD = { id: 'coin-ranges', title: 'Daily Price Ranges of All Coins', className: 'min-h-56' };

/** Hit rate of the daily ranges of every coin: live, and replayed on past prices. */
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
          note="They start once price history has loaded and are issued daily at 00:05 UTC."
        />
      }
    >
      {(record) => <Loaded {...record} />}
    </QueryView>
  );
}

const HEADS = ['Horizon', 'Record', '80% held', '95% held', 'Ranges'] as const;

function Loaded({ timestamp, coins, horizons }: CoinRangesRecord) {
  const isReplayed = horizons.some(({ replay }) => replay);
  return (
    <Card id={CARD.id} title={CARD.title} note={<p className="label num">As of {dateTime(Date.parse(timestamp))}</p>}>
      <p className="max-w-[72ch] px-4 pb-3 text-sm text-ink-2">
        Every day at 00:05 UTC the built-in analyst issues ranges for {grouped(coins)} coins besides BTC, ETH, SOL, SUI
        and XRP. They are graded at daily closes; those issued after 01:00 UTC do not count.
        {isReplayed && ' The replay applies the same method to the past year.'}
      </p>
      <div className="px-4 pb-5">
        <table className="num w-full max-w-[40rem] text-sm">
          <caption className="sr-only">Share of prices that ended within range</caption>
          <thead>
            <tr>
              {HEADS.map((head, i) => (
                <th key={head} scope="col" className={cx('label pb-1 font-medium', i < 2 ? 'text-left' : 'text-right')}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="[&_td]:h-8 [&_td]:border-t [&_td]:border-line [&_th]:border-t [&_th]:border-line">
            {horizons.map(({ horizon, record, replay }) => (
              <Fragment key={horizon}>
                <Row name={HORIZON_WORDS[horizon]} kind="Live" held={record} />
                {isReplayed && <Row name={HORIZON_WORDS[horizon]} kind="Replay" held={replay} />}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

type RowProps = { name: string; kind: string; held: CoinRangesRecord['horizons'][number]['record'] };

function Row({ name, kind, held }: RowProps) {
  return (
    <tr>
      <th scope="row" className="text-left font-semibold whitespace-nowrap">
        {name}
      </th>
      <td className="text-left">{kind}</td>
      {held ? (
        <>
          <td className="text-right">{share(held.coverage_80)}</td>
          <td className="text-right">{share(held.coverage_95)}</td>
          <td className="text-right text-ink-2">{grouped(held.n)}</td>
        </>
      ) : (
        <td colSpan={3} className="text-right text-ink-3">
          None graded yet
        </td>
      )}
    </tr>
  );
}
