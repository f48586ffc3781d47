import { useQuery } from '@tanstack/react-query';
import type { SourceQuote } from '#features/market/contract/market.ts';
import { age, compact, price } from '#shared/format.ts';
import { Change } from '#ui/change.tsx';
import { cx } from '#ui/cx.ts';
import { useNow } from '#ui/now.ts';
import { QueryView } from '#ui/query-view.tsx';
import { Empty } from '#ui/states.tsx';
import { coinQuery } from './queries.ts';

type Props = { id: string; nameOf: (source: string) => string };

/** The latest quotes of every source side by side, to reveal disagreement. */
export function QuoteTable({ id, nameOf }: Props) {
  const coin = useQuery(coinQuery(id));
  return (
    <div className="mt-3 flex min-h-24 flex-col overflow-hidden rounded-card border border-line bg-surface">
      <QueryView
        query={coin}
        loading={<div className="skel m-4 h-16 flex-1" />}
        failed="Failed to load the sources of this coin"
        isEmpty={({ quotes }) => quotes.length === 0}
        empty={<Empty title="No source has quoted this coin yet" />}
      >
        {({ quotes }) => (
          <table className="w-full text-left text-sm">
            <caption className="sr-only">Latest value from every source</caption>
            <thead>
              <tr className="label h-8 *:px-2 *:font-medium">
                <th scope="col" className="!pl-4">
                  Source
                </th>
                <th scope="col" className="text-right">
                  Price
                </th>
                <th scope="col" className="text-right">
                  24h
                </th>
                <th scope="col" className="hidden text-right sm:table-cell">
                  Volume
                </th>
                <th scope="col" className="hidden text-right sm:table-cell">
                  Market cap
                </th>
                <th scope="col" className="!pr-4 text-right">
                  Age
                </th>
              </tr>
            </thead>
            <tbody>
              {quotes.map((quote) => (
                <QuoteRow key={quote.source} quote={quote} name={nameOf(quote.source)} />
              ))}
            </tbody>
          </table>
        )}
      </QueryView>
    </div>
  );
}

const usd = (value: number | null): string => (value === null ? '–' : `$${compact(value)}`);

function QuoteRow({ quote, name }: { quote: SourceQuote; name: string }) {
  const now = useNow();
  const stale = now > Date.parse(quote.meta.staleAfter);
  return (
    <tr className="h-9 *:border-t *:border-line *:px-2">
      <th scope="row" className="!pl-4 font-medium">
        {name}
      </th>
      <td className="num text-right">{price(quote.price)}</td>
      <td className="text-right">
        <Change value={quote.change_24h} />
      </td>
      <td className="num hidden text-right text-ink-2 sm:table-cell">{usd(quote.volume_24h)}</td>
      <td className="num hidden text-right text-ink-2 sm:table-cell">{usd(quote.market_cap)}</td>
      <td className={cx('num !pr-4 text-right whitespace-nowrap', stale ? 'font-medium text-warn' : 'text-ink-3')}>
        {stale && 'Stale, '}
        {age(now - Date.parse(quote.meta.observedAt))}
      </td>
    </tr>
  );
}
