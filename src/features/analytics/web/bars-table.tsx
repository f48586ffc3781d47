import { compact, price } from '#shared/format.ts';

import { type Bar, barName } from './bars.ts';
import { ASSETS, type Asset, TIMEFRAMES, type Timeframe } from './view.ts';

const SHOWN = 10;

/** What the chart shows, for those who cannot see it: the newest bars first. */
export function BarsTable({ asset, timeframe, bars }: { asset: Asset; timeframe: Timeframe; bars: readonly Bar[] }) {
  return (
    <div className="sr-only">
      <table>
        <caption>
          {ASSETS[asset]}, the last {Math.min(SHOWN, bars.length)} bars of {TIMEFRAMES[timeframe]}, newest first, in USD
        </caption>
        <thead>
          <tr>
            {['Time (UTC)', 'Open', 'High', 'Low', 'Close', 'Volume'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars
            .slice(-SHOWN)
            .toReversed()
            .map(({ time, open, high, low, close, volume }) => (
              <tr key={time}>
                <th scope="row">{barName(timeframe, time)}</th>
                <td>{price(open)}</td>
                <td>{price(high)}</td>
                <td>{price(low)}</td>
                <td>{price(close)}</td>
                <td>{volume === null ? 'not known' : compact(volume)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
