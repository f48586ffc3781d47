import { compact } from '#shared/format.ts';
import { Change } from '#web/ui/change.tsx';
import { part } from '#web/ui/part.tsx';

import { type CryptoPrice, type MarketTotals, TRACKED } from '../contract.ts';
import { LiveChange, LivePrice } from './live-cells.tsx';
import type { ReadingsProps } from './pulse-readings.tsx';
import { PulseSlot, READINGS } from './pulse-slot.tsx';

type Props = {
  rows: readonly CryptoPrice[] | undefined;
  totals: MarketTotals | undefined;
  failed?: boolean;
} & Pick<ReadingsProps, 'metrics'>;

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
            <PulseSlot
              key={id}
              name={symbol}
              width="min-w-[6.5rem] flex-[20]"
              note={row && <LiveChange row={row} decimals={1} className="text-2xs" />}
              waiting={waiting}
            >
              {row ? <LivePrice row={row} /> : '–'}
            </PulseSlot>
          );
        })}
        <PulseSlot
          name="Market cap"
          width="min-w-[8.25rem] flex-[26]"
          waiting={waiting}
          note={totals && <Change value={totals.change_24h} decimals={1} className="text-2xs" />}
        >
          {usd(totals?.market_cap)}
        </PulseSlot>
        <PulseSlot
          name="Volume"
          width="min-w-[8rem] flex-[25]"
          waiting={waiting}
          note={totals && <span className="label num">{turnover(totals)}</span>}
        >
          {usd(totals?.volume_24h)}
        </PulseSlot>
        <Readings metrics={metrics} waiting={!failed && metrics === undefined} />
      </ul>
    </div>
  );
}

const Readings = part<ReadingsProps>({
  name: 'The readings',
  load: async () => (await import('./pulse-readings.tsx')).PulseReadings,
  loading: READINGS.map(({ name, width }) => (
    <PulseSlot key={name} name={name} width={width} waiting note={null}>
      –
    </PulseSlot>
  )),
  failed: () => null,
});
