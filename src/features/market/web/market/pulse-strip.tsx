import { type CryptoPrice, type MarketTotals, TRACKED } from '#features/market/contract/market.ts';
import { compact } from '#shared/format.ts';
import { Change } from '#ui/change.tsx';
import { cx } from '#ui/cx.ts';
import { part } from '#ui/part.tsx';
import { FigureOrigin } from './figure-origin.tsx';
import { LiveChange, LivePrice } from './live-cells.tsx';
import type { ReadingsProps } from './pulse-readings.tsx';
import { MAIN, NOTE, PulseSlot, READINGS } from './pulse-slot.tsx';
import { turnover } from './quote.ts';

type Props = {
  rows: readonly CryptoPrice[] | undefined;
  totals: MarketTotals | undefined;
  failed?: boolean;
} & Pick<ReadingsProps, 'metrics'>;

const usd = (value: number | null | undefined): string => (value == null ? '–' : `$${compact(value)}`);

export function PulseStrip({ rows, totals, metrics, failed = false }: Props) {
  const waiting = !rows && !failed;
  return (
    <div className="card mb-3 overflow-hidden">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
      <ul tabIndex={0} aria-label="Market pulse" className="relative flex h-15 overflow-x-auto [scrollbar-width:none]">
        {TRACKED.map(({ id, symbol }) => {
          const row = rows?.find((candidate) => candidate.id === id);
          return (
            <PulseSlot
              key={id}
              name={symbol}
              width="min-w-26 flex-[24]"
              note={row && <RowChange row={row} />}
              waiting={waiting}
            >
              {row ? <RowPrice row={row} /> : '–'}
            </PulseSlot>
          );
        })}
        <PulseSlot
          name="Market cap"
          width="min-w-31 flex-[24]"
          waiting={waiting}
          note={totals && <CapChange change={totals.change_24h} />}
        >
          <FigureOrigin figure="total_cap" name="Total market cap" value={totals?.market_cap} className={MAIN}>
            {usd(totals?.market_cap)}
          </FigureOrigin>
        </PulseSlot>
        <PulseSlot
          name="Volume"
          width="min-w-32 flex-[24]"
          waiting={waiting}
          note={totals && <Turnover share={turnover(totals)} />}
        >
          <FigureOrigin figure="total_volume" name="Total volume, 24h" value={totals?.volume_24h} className={MAIN}>
            {usd(totals?.volume_24h)}
          </FigureOrigin>
        </PulseSlot>
        <Readings metrics={metrics} waiting={!failed && metrics === undefined} />
      </ul>
    </div>
  );
}

function RowPrice({ row }: { row: CryptoPrice }) {
  return (
    <FigureOrigin figure={`price:${row.id}`} name={`${row.name}, price`} value={row.price} className={MAIN}>
      <LivePrice row={row} />
    </FigureOrigin>
  );
}

function RowChange({ row }: { row: CryptoPrice }) {
  return (
    <FigureOrigin
      figure={`change_24h:${row.id}`}
      name={`${row.name}, 24h change`}
      value={row.change_24h}
      className={NOTE}
    >
      <LiveChange row={row} decimals={1} />
    </FigureOrigin>
  );
}

function CapChange({ change }: { change: number | null }) {
  return (
    <FigureOrigin figure="total_change" name="Total market cap, 24h change" value={change} className={NOTE}>
      <Change value={change} decimals={1} />
    </FigureOrigin>
  );
}

function Turnover({ share }: { share: number | null }) {
  return (
    <FigureOrigin figure="turnover" name="Turnover, 24h" value={share} className={cx(NOTE, 'label num')}>
      {share?.toFixed(1)}% of cap
    </FigureOrigin>
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
