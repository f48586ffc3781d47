import { compact, price } from '#shared/format.ts';
import { Change } from '#ui/change.tsx';

import { type Bar, barName, type Mark } from './bars.ts';
import { ASSETS, type Asset, type Timeframe } from './view.ts';

type Props = {
  asset: Asset;
  timeframe: Timeframe;
  bar: Bar | undefined;
  /** The close of the bar before, where there is one. */
  before: number | undefined;
  other: { asset: Asset; bar: Bar | undefined } | null;
  marks: readonly Mark[];
};

/** The values of the bar under the crosshair, else of the last one. */
export function ChartLegend({ asset, timeframe, bar, before, other, marks }: Props) {
  return (
    <div className="num min-h-14 px-4 pt-2 text-xs text-ink-2">
      {bar && (
        <dl aria-label="Values of the bar" className="flex flex-wrap gap-x-3 gap-y-1">
          <div className="flex gap-1">
            <dt className="sr-only">Time</dt>
            <dd className="font-medium text-ink">
              {asset} · {barName(timeframe, bar.time)}
            </dd>
          </div>
          {(
            [
              ['O', 'Open', bar.open],
              ['H', 'High', bar.high],
              ['L', 'Low', bar.low],
              ['C', 'Close', bar.close],
            ] as const
          ).map(([letter, name, value]) => (
            <div key={letter} className="flex gap-1">
              <dt className="text-ink-3">
                <span title={name}>{letter}</span>
              </dt>
              <dd className="font-medium">{price(value)}</dd>
            </div>
          ))}
          <div className="flex gap-1">
            <dt className="sr-only">Change</dt>
            <dd className="font-medium">
              <Change value={before ? (bar.close / before - 1) * 100 : null} className="text-xs" />
            </dd>
          </div>
          <div className="flex gap-1">
            <dt className="text-ink-3">
              <span title="Volume in USD">Vol</span>
            </dt>
            <dd className="font-medium">{bar.volume === null ? '–' : compact(bar.volume, 1)}</dd>
          </div>
          {other?.bar && (
            <div className="flex gap-1">
              <dt className="text-warn">{ASSETS[other.asset]}</dt>
              <dd className="font-medium">{price(other.bar.close)}</dd>
            </div>
          )}
        </dl>
      )}
      {marks.length > 0 && <p className="mt-1 truncate">{marks.map(({ title }) => title).join(' · ')}</p>}
    </div>
  );
}
