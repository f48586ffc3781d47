import type { ReactNode } from 'react';

import type { SourceHealth } from '#features/market/contract.ts';
import { compact, dateTime, price } from '#shared/format.ts';
import type { PublicModel } from '#shared/render.ts';
import { cx } from '#web/ui/cx.ts';
import { Spark } from '#web/ui/spark.tsx';

import { nameOf, WIDTH } from './page.tsx';

const at = (iso: string): string => dateTime(Date.parse(iso));

const METHODS = { measured: 'Measured', computed: 'Computed', default: 'Default', demo: 'Demo market' } as const;

/** What holds today, shown on numbers of the running instance. */
export function Promises({ model }: { model: PublicModel }) {
  return (
    <section className={cx(WIDTH, 'mt-20 sm:mt-28')}>
      <h2 className="max-w-[22ch] text-[32px] leading-[1.1] font-semibold tracking-[-0.035em] text-balance sm:text-[44px]">
        No number without its birth certificate.
      </h2>
      <div className="mt-10 grid grid-cols-1 gap-4 md:grid-cols-6">
        <Cell
          className="md:col-span-3"
          title="Source and age on everything"
          body="Press any price and read where it was observed, when it was fetched and from when on it counts as stale."
        >
          <Certificate model={model} />
        </Cell>
        <Cell
          className="md:col-span-3"
          title="Failures are named"
          body="When a source goes quiet another one answers, and the page says which. Old numbers stay, marked with their age."
        >
          <Sources sources={model.sources} />
        </Cell>
        <Cell
          className="md:col-span-2"
          title="Prices that move"
          body="Ticks reach the open page over one shared stream, five paints a second at most. No reload, no flicker."
        >
          <Week model={model} />
        </Cell>
        <Cell
          className="md:col-span-2"
          title="Measured is not computed"
          body="A market cap between two collections is price times supply, and is marked as that."
        >
          <Cap model={model} />
        </Cell>
        <Cell
          className="md:col-span-2"
          title="One command, no account"
          body="Runs on your own machine with its database inside. Without a network it says so and simulates."
        >
          <pre className="overflow-x-auto rounded-[10px] border border-line bg-bg p-4 font-mono text-[13px] leading-5 text-ink-2">
            <span className="text-ink-3">$ </span>npm start
          </pre>
        </Cell>
      </div>
    </section>
  );
}

type CellProps = { className: string; title: string; body: string; children: ReactNode };

function Cell({ className, title, body, children }: CellProps) {
  return (
    <article className={cx('card flex min-w-0 flex-col rounded-[14px] p-5 sm:p-6', className)}>
      <div className="mb-6 flex flex-1 flex-col justify-center">{children}</div>
      <h3 className="text-lg font-semibold tracking-[-0.01em]">{title}</h3>
      <p className="mt-1 text-[15px] leading-6 text-ink-2 md:min-h-18">{body}</p>
    </article>
  );
}

const WAITING = <p className="text-ink-3">The first prices are being collected.</p>;

function Certificate({ model }: { model: PublicModel }) {
  const [row] = model.top;
  if (!row) return WAITING;
  const { source, method, observedAt, fetchedAt, staleAfter } = row.meta;
  const lines = [
    ['Source', nameOf(model, source)],
    ['Method', METHODS[method]],
    ['Observed', at(observedAt)],
    ['Fetched', at(fetchedAt)],
    ['Stale after', at(staleAfter)],
  ] as const;
  return (
    <div className="rounded-[10px] border border-line bg-bg px-4 py-3.5">
      <p className="num flex items-baseline justify-between gap-3">
        <span className="text-sm font-semibold">{row.symbol} / USD</span>
        <span className="text-lg font-semibold">{price(row.price)}</span>
      </p>
      <dl className="num mt-2.5 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 border-t border-line pt-2.5 text-sm">
        {lines.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-3">{name}</dt>
            <dd className="text-right font-medium">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const STATES: Record<SourceHealth['state'], { words: string; dot: string }> = {
  ok: { words: 'Answering', dot: 'bg-up' },
  stale: { words: 'Stale', dot: 'bg-warn' },
  rate_limited: { words: 'Rate-limited', dot: 'bg-warn' },
  down: { words: 'Down', dot: 'bg-warn' },
  key_missing: { words: 'No key given', dot: 'bg-line-strong' },
  waiting: { words: 'Standing by', dot: 'bg-line-strong' },
  unknown: { words: 'Not recorded', dot: 'bg-line-strong' },
};
const MOST = 4;

function Sources({ sources }: { sources: SourceHealth[] | undefined }) {
  if (!sources?.length) return WAITING;
  return (
    <ul className="divide-y divide-line rounded-[10px] border border-line bg-bg">
      {sources.slice(0, MOST).map(({ id, name, gives, state }) => (
        <li key={id} className="flex items-center gap-3 px-4 py-2.5 text-sm">
          <span className={cx('size-2 shrink-0 rounded-full', STATES[state].dot)} aria-hidden="true" />
          <span className="font-medium">{name}</span>
          <span className="hidden truncate text-ink-3 sm:block">{gives}</span>
          <span className="ml-auto shrink-0 text-ink-2">{STATES[state].words}</span>
        </li>
      ))}
    </ul>
  );
}

function Week({ model }: { model: PublicModel }) {
  const row = model.top[1] ?? model.top[0];
  const week = row && model.sparklines[row.id];
  if (!row || !week) return WAITING;
  return (
    <div>
      <p className="num flex items-baseline justify-between text-sm">
        <span className="font-semibold">{row.symbol}</span>
        <span className="text-ink-3">seven days</span>
      </p>
      <Spark points={week.points} width={300} height={64} className="mt-3 h-16 w-full" />
    </div>
  );
}

function Cap({ model }: { model: PublicModel }) {
  const row = model.top.find(({ market_cap }) => market_cap !== null);
  if (!row?.market_cap) return WAITING;
  const computed = row.listing.method === 'computed';
  return (
    <div>
      <p className="num text-[34px] leading-10 font-semibold tracking-[-0.04em]">
        <span
          className={cx(computed && 'underline decoration-ink-3 decoration-dotted decoration-2 underline-offset-8')}
        >
          ${compact(row.market_cap)}
        </span>
      </p>
      <p className="label mt-2">
        {row.name} market cap: {METHODS[row.listing.method].toLowerCase()}, {nameOf(model, row.listing.source)}
      </p>
    </div>
  );
}
