import type { AdvancedMetrics } from '#features/market/contract/metrics.ts';
import { ssrReading } from '#shared/readings.ts';
import { Change } from '#ui/change.tsx';
import { cx } from '#ui/cx.ts';
import { Figure } from '#ui/figure.tsx';

import { MAIN, NOTE, PulseSlot, READINGS } from './pulse-slot.tsx';

export type ReadingsProps = {
  /** undefined while loading, null when there are none. */
  metrics: AdvancedMetrics | null | undefined;
  waiting: boolean;
};

export function PulseReadings({ metrics, waiting }: ReadingsProps) {
  const { bitcoinDominance: dominance, marketSentiment: mood, stablecoinMetrics: coins } = metrics ?? {};
  const ssr = coins?.ssr ?? null;
  const [first, second, third] = READINGS;
  return (
    <>
      <PulseSlot
        {...first}
        waiting={waiting}
        note={
          dominance && (
            <Figure
              meta={dominance.meta['change_24h']}
              name="Bitcoin dominance, 24h change in points"
              className={cx(NOTE, 'num')}
            >
              <Change value={dominance.change_24h} decimals={1} />
            </Figure>
          )
        }
      >
        <Figure meta={dominance?.meta['value']} name="Bitcoin dominance" className={MAIN}>
          {dominance?.value?.toFixed(1)}%
        </Figure>
      </PulseSlot>
      <PulseSlot {...second} waiting={waiting} note={<span className="label truncate">{mood?.interpretation}</span>}>
        <Figure meta={mood?.meta['score']} name="Fear & greed" className={MAIN}>
          {mood?.score?.toFixed(0)}
        </Figure>
      </PulseSlot>
      <PulseSlot
        {...third}
        waiting={waiting}
        note={ssr !== null && <span className="label truncate">{ssrReading(ssr)}</span>}
      >
        <Figure meta={coins?.meta['ssr']} name="Stablecoin supply ratio" className={MAIN}>
          {ssr?.toFixed(2)}
        </Figure>
      </PulseSlot>
    </>
  );
}
