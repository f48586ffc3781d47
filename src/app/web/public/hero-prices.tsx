import type { PublicModel } from '#app/render.ts';
import { age, price } from '#shared/format.ts';
import { changeText, direction } from '#ui/change.tsx';
import { CoinMark } from '#ui/coin-mark.tsx';
import { Spark } from '#ui/spark.tsx';

import { sourceName } from './page.tsx';

type Top = PublicModel['top'];

const newestObservation = (top: Top) =>
  top.reduce<Top[number] | undefined>(
    (best, row) => (!best || row.meta.observedAt > best.meta.observedAt ? row : best),
    undefined,
  );

export function HeroPrices({ model }: { model: PublicModel }) {
  const newest = newestObservation(model.top);
  if (!newest) return <Arriving sources={model.sources} />;
  const at = Date.parse(newest.meta.observedAt);
  const late = Date.parse(newest.meta.staleAfter) - at;
  const elapsed = Date.parse(model.now) - at;
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-5 pt-5 pb-3 sm:px-7 sm:pt-6">
        <h2 className="text-lg font-semibold">Crypto Prices</h2>
        <p className="label num flex items-center gap-1.5">
          <span className="size-1.5 rounded-full bg-up" aria-hidden="true" />
          <span data-at={at} data-late={late}>
            {elapsed > late ? 'Stale, ' : 'Updated '}
            {age(elapsed)}
          </span>
        </p>
      </div>
      <table className="w-full text-left">
        <thead className="sr-only">
          <tr>
            <th scope="col">Asset</th>
            <th scope="col">Last 7 days</th>
            <th scope="col">Source</th>
            <th scope="col">Price</th>
            <th scope="col">24h</th>
          </tr>
        </thead>
        <tbody>
          {model.top.map((row) => (
            <Row
              key={row.id}
              row={row}
              points={model.sparklines[row.id]?.points}
              source={sourceName(model, row.meta.source)}
            />
          ))}
        </tbody>
      </table>
    </>
  );
}

const NAMED = 6;

/** The sources being read, until the first prices arrive. */
function Arriving({ sources }: { sources: PublicModel['sources'] }) {
  const names = (sources ?? []).map(({ name }) => name);
  const more = names.length - NAMED;
  return (
    <div className="px-6 py-12 text-center">
      <p className="font-semibold">Collecting the first prices.</p>
      {names.length > 0 && (
        <p className="mx-auto mt-2 max-w-[44rem] text-sm text-ink-2">
          Reading {names.slice(0, NAMED).join(', ')}
          {more > 0 && ` and ${more} more sources`}.
        </p>
      )}
      <p className="mt-3 flex flex-wrap justify-center gap-x-5 text-sm font-medium text-accent">
        <a href="/app/sources" className="inline-flex min-h-9 items-center hover:underline">
          Data Sources
        </a>
        <a href="/app/events" className="inline-flex min-h-9 items-center hover:underline">
          Upcoming events
        </a>
        <a href="/app/track-record" className="inline-flex min-h-9 items-center hover:underline">
          Track Record
        </a>
      </p>
    </div>
  );
}

type RowProps = { row: Top[number]; points: readonly number[] | undefined; source: string };

function Row({ row, points, source }: RowProps) {
  const { id, symbol, name, meta } = row;
  return (
    <tr className="*:border-t *:border-line *:py-2.5">
      <th scope="row" className="pl-5 font-normal sm:pl-7">
        <a href={`/app?coin=${id}`} className="flex items-center gap-2.5">
          <CoinMark symbol={symbol} id={id} />
          <span className="leading-4">
            <span className="block font-semibold">{symbol}</span>
            <span className="label block">{name}</span>
          </span>
        </a>
      </th>
      <td className="hidden w-44 px-3 sm:table-cell">{points && <Spark points={points} width={120} />}</td>
      <td className="label hidden w-48 px-3 md:table-cell">
        {source}
        {meta.method === 'demo' && ' (demo)'}
      </td>
      <td className="num px-3 text-right font-semibold sm:w-40">
        $
        <span data-price={id} data-seen={Date.parse(meta.observedAt)}>
          {price(row.price)}
        </span>
      </td>
      <td className="w-24 pr-5 text-right sm:w-32 sm:pr-7">
        <span className="change text-sm" data-dir={direction(row.change_24h)} data-change={id}>
          {changeText(row.change_24h)}
        </span>
      </td>
    </tr>
  );
}
