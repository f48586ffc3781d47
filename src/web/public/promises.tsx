import type { ReactNode } from 'react';

import { dateTime, price } from '#shared/format.ts';
import type { PublicModel } from '#shared/render.ts';
import { cx } from '#web/ui/cx.ts';

import { WIDTH } from './page.tsx';

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
          <States />
        </Cell>
        <Cell
          className="md:col-span-2"
          title="Prices that move"
          body="Ticks reach the open page over one shared stream. No reload, no flicker."
        >
          <Fact figure="5 / s" words="at most, so that numbers stay readable" />
        </Cell>
        <Cell
          className="md:col-span-2"
          title="Measured is not computed"
          body="A market cap between two collections is price times supply, and is marked as that."
        >
          <p className="num text-[28px] leading-8 font-semibold tracking-[-0.03em]">
            <span className="underline decoration-ink-3 decoration-dotted underline-offset-[6px]">$1.93T</span>
          </p>
          <p className="label mt-2">Dotted: computed, price × supply</p>
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

function Cell({
  className,
  title,
  body,
  children,
}: {
  className: string;
  title: string;
  body: string;
  children: ReactNode;
}) {
  return (
    <article className={cx('card flex min-w-0 flex-col rounded-[14px] p-5 sm:p-6', className)}>
      <div className="mb-6 flex flex-1 flex-col justify-center">{children}</div>
      <h3 className="text-lg font-semibold tracking-[-0.01em]">{title}</h3>
      <p className="mt-1 text-[15px] leading-6 text-ink-2">{body}</p>
    </article>
  );
}

function Certificate({ model }: { model: PublicModel }) {
  const [row] = model.top;
  if (!row) return <p className="text-ink-3">The first price is being collected.</p>;
  const { source, method, observedAt, fetchedAt, staleAfter } = row.meta;
  const at = (iso: string) => dateTime(Date.parse(iso));
  const lines = [
    ['Source', source],
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

const STATES = [
  ['bg-up', 'Answering', 'Updated 2s ago'],
  ['bg-warn', 'Rate-limited', 'another source answers'],
  ['bg-warn', 'Stale', 'shown with its age'],
  ['bg-line-strong', 'Standing by', 'asked when needed'],
] as const;

function States() {
  return (
    <ul className="divide-y divide-line rounded-[10px] border border-line bg-bg">
      {STATES.map(([dot, state, words]) => (
        <li key={state} className="flex items-center gap-3 px-4 py-2.5 text-sm">
          <span className={cx('size-2 rounded-full', dot)} aria-hidden="true" />
          <span className="font-medium">{state}</span>
          <span className="ml-auto text-ink-3">{words}</span>
        </li>
      ))}
    </ul>
  );
}

function Fact({ figure, words }: { figure: string; words: string }) {
  return (
    <div>
      <p className="num text-[34px] leading-10 font-semibold tracking-[-0.04em]">{figure}</p>
      <p className="label">{words}</p>
    </div>
  );
}
