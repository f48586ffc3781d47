import type { ReactNode } from 'react';

import type { AdvancedMetrics } from '#features/metrics/contract.ts';
import { compact } from '#shared/format.ts';
import { ssrReading } from '#shared/readings.ts';
import { Change } from '#web/ui/change.tsx';
import { cx } from '#web/ui/cx.ts';
import { Figure } from '#web/ui/figure.tsx';

import { type CryptoPrice, type MarketTotals, TRACKED } from '../contract.ts';
import { LiveChange, LivePrice } from './live-cells.tsx';

type Props = {
  rows: readonly CryptoPrice[] | undefined;
  totals: MarketTotals | undefined;
  /** undefined while they are on their way, null when there are none: their place is held either way. */
  metrics: AdvancedMetrics | null | undefined;
  failed?: boolean;
};

const usd = (value: number | null | undefined): string => (value == null ? '–' : `$${compact(value)}`);

/** How much of the market's worth changed hands in a day. */
function turnover({ volume_24h: volume, market_cap: cap }: MarketTotals): string | null {
  return volume !== null && cap ? `${((volume / cap) * 100).toFixed(1)}% of cap` : null;
}

export function PulseStrip({ rows, totals, metrics, failed = false }: Props) {
  const waiting = !rows && !failed;
  return (
    <div className="card mb-3 overflow-hidden">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
      <ul tabIndex={0} aria-label="Market pulse" className="flex h-[3.75rem] overflow-x-auto [scrollbar-width:none]">
        {TRACKED.map(({ id, symbol }) => {
          const row = rows?.find((candidate) => candidate.id === id);
          return (
            <Slot
              key={id}
              name={symbol}
              width="min-w-[6.75rem] flex-[20]"
              note={row && <LiveChange row={row} decimals={1} className="text-2xs" />}
              waiting={waiting}
            >
              {row ? <LivePrice row={row} /> : '–'}
            </Slot>
          );
        })}
        <Slot
          name="Market cap"
          width="min-w-[8.5rem] flex-[26]"
          waiting={waiting}
          note={totals && <Change value={totals.change_24h} decimals={1} className="text-2xs" />}
        >
          {usd(totals?.market_cap)}
        </Slot>
        <Slot
          name="Volume"
          width="min-w-[8.25rem] flex-[25]"
          waiting={waiting}
          note={totals && <span className="label num">{turnover(totals)}</span>}
        >
          {usd(totals?.volume_24h)}
        </Slot>
        <Readings metrics={metrics} waiting={!failed && metrics === undefined} />
      </ul>
    </div>
  );
}

function Readings({ metrics, waiting }: { metrics: Props['metrics']; waiting: boolean }) {
  const { bitcoinDominance: dominance, marketSentiment: mood, stablecoinMetrics: coins } = metrics ?? {};
  const ssr = coins?.ssr ?? null;
  return (
    <>
      <Slot
        name="BTC dom."
        width="min-w-[7.75rem] flex-[24]"
        waiting={waiting}
        note={dominance && <Change value={dominance.change_24h} decimals={1} className="text-2xs" />}
      >
        <Figure meta={dominance?.meta['value']} name="Bitcoin dominance">
          {dominance?.value?.toFixed(1)}%
        </Figure>
      </Slot>
      <Slot
        name="F&G"
        width="min-w-[7.5rem] flex-[23]"
        waiting={waiting}
        note={<span className="label">{mood?.interpretation}</span>}
      >
        <Figure meta={mood?.meta['score']} name="Fear & greed">
          {mood?.score?.toFixed(0)}
        </Figure>
      </Slot>
      <Slot
        name="SSR"
        width="min-w-[7.25rem] flex-[22]"
        waiting={waiting}
        note={ssr !== null && <span className="label">{ssrReading(ssr)}</span>}
      >
        <Figure meta={coins?.meta['ssr']} name="Stablecoin supply ratio">
          {ssr?.toFixed(2)}
        </Figure>
      </Slot>
    </>
  );
}

type SlotProps = { name: string; width: string; note: ReactNode; waiting: boolean; children: ReactNode };

/** Widths do not follow the content: a number that moves must not move its neighbours. */
function Slot({ name, width, note, waiting, children }: SlotProps) {
  return (
    <li className={cx('flex basis-0 flex-col justify-center border-l border-line px-3 first:border-l-0', width)}>
      <span className="flex items-baseline justify-between gap-1.5 whitespace-nowrap">
        <span className="label">{name}</span>
        {note}
      </span>
      <span className="num flex h-5 items-center text-lg leading-5 font-semibold tracking-[-0.02em]">
        {waiting ? <span className="skel block h-4 w-16" /> : children}
      </span>
    </li>
  );
}
