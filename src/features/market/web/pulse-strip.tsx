import type { ReactNode } from 'react';

import { compact } from '#shared/format.ts';
import { Change } from '#web/ui/change.tsx';

import { type CryptoPrice, type MarketTotals, TRACKED } from '../contract.ts';
import { LiveChange, LivePrice } from './live-cells.tsx';

type Props = { rows: readonly CryptoPrice[] | undefined; totals: MarketTotals | undefined; failed?: boolean };

const usd = (value: number | null | undefined): string => (value == null ? '–' : `$${compact(value)}`);

/** How much of the market's worth changed hands in a day. */
function turnover({ volume_24h: volume, market_cap: cap }: MarketTotals): string | null {
  return volume !== null && cap ? `${((volume / cap) * 100).toFixed(1)}% of cap` : null;
}

export function PulseStrip({ rows, totals, failed = false }: Props) {
  const waiting = !rows && !failed;
  return (
    <div className="card mb-3 overflow-hidden">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
      <ul tabIndex={0} aria-label="Market pulse" className="flex h-[3.75rem] overflow-x-auto [scrollbar-width:none]">
        {TRACKED.map(({ id, symbol }) => {
          const row = rows?.find((candidate) => candidate.id === id);
          return (
            <Figure
              key={id}
              name={symbol}
              note={row && <LiveChange row={row} decimals={1} className="text-2xs" />}
              waiting={waiting}
            >
              {row ? <LivePrice row={row} /> : '–'}
            </Figure>
          );
        })}
        <Figure
          name="Market cap"
          waiting={waiting}
          note={totals && <Change value={totals.change_24h} decimals={1} className="text-2xs" />}
        >
          {usd(totals?.market_cap)}
        </Figure>
        <Figure
          name="24h volume"
          waiting={waiting}
          note={totals && <span className="label num">{turnover(totals)}</span>}
        >
          {usd(totals?.volume_24h)}
        </Figure>
      </ul>
    </div>
  );
}

function Figure({
  name,
  note,
  waiting,
  children,
}: {
  name: string;
  note: ReactNode;
  waiting: boolean;
  children: ReactNode;
}) {
  return (
    <li className="flex min-w-[8.25rem] flex-1 flex-col justify-center border-l border-line px-3.5 first:border-l-0">
      <span className="flex items-baseline justify-between gap-2 whitespace-nowrap">
        <span className="label">{name}</span>
        {note}
      </span>
      <span className="num text-lg leading-5 font-semibold tracking-[-0.02em]">
        {waiting ? <span className="skel my-0.5 block h-4 w-20" /> : children}
      </span>
    </li>
  );
}
