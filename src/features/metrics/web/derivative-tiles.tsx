import { compact } from '#shared/format.ts';
import { Scale, Split } from '#web/ui/micro.tsx';

import type { Derivatives } from '../contract.ts';
import { NoteFigure, Tile } from './tile.tsx';

const rate = (value: number): string => `${value < 0 ? '\u2212' : ''}${Math.abs(value).toFixed(4)}%`;

const FUNDING_STOPS = [-0.03, -0.01, 0.015, 0.03] as const;
const FUNDING_END = 0.05;

export function DerivativeTiles({ data }: { data: Derivatives }) {
  const { openInterest: oi, fundingRate: funding, liquidations: liq } = data;
  const { btc_oi: btcOi, eth_oi: ethOi } = oi.metadata;
  const { btc_funding: btcRate, eth_funding: ethRate } = funding.metadata;
  const { long_liquidations: longs, short_liquidations: shorts } = liq.metadata;
  return (
    <>
      <Tile
        name="Open interest"
        meta={oi.meta['value']}
        text={oi.value !== null && `$${compact(oi.value, 1)}`}
        note={
          <span className="flex flex-wrap justify-between gap-2">
            <NoteFigure label="BTC" name="Open interest, BTC" meta={oi.metadata.meta['btc_oi']}>
              {btcOi !== null && compact(btcOi, 1)}
            </NoteFigure>
            <NoteFigure label="ETH" name="Open interest, ETH" meta={oi.metadata.meta['eth_oi']}>
              {ethOi !== null && compact(ethOi, 1)}
            </NoteFigure>
          </span>
        }
      >
        <Split
          pieces={[
            { name: 'BTC', size: btcOi ?? 0, tone: 'bg-accent' },
            { name: 'ETH', size: ethOi ?? 0, tone: 'bg-accent/50' },
            { name: 'rest', size: Math.max(0, (oi.value ?? 0) - (btcOi ?? 0) - (ethOi ?? 0)), tone: 'bg-line' },
          ]}
        />
      </Tile>
      <Tile
        name="Funding rate, 8h"
        meta={funding.meta['value']}
        text={funding.value !== null && rate(funding.value)}
        note={
          <span className="flex flex-wrap justify-between gap-2">
            <NoteFigure label="BTC" name="Funding rate, BTC" meta={funding.metadata.meta['btc_funding']}>
              {btcRate !== null && rate(btcRate)}
            </NoteFigure>
            <NoteFigure label="ETH" name="Funding rate, ETH" meta={funding.metadata.meta['eth_funding']}>
              {ethRate !== null && rate(ethRate)}
            </NoteFigure>
          </span>
        }
      >
        {funding.value !== null && (
          <Scale
            value={funding.value}
            low={-FUNDING_END}
            high={FUNDING_END}
            stops={FUNDING_STOPS}
            label={`Funding ${rate(funding.value)} on a scale from ${rate(-FUNDING_END)} to ${rate(FUNDING_END)}`}
          />
        )}
      </Tile>
      <Tile
        name="Liquidations, 24h"
        meta={liq.meta['value']}
        text={liq.value !== null && `$${compact(liq.value, 1)}`}
        note={
          <span className="flex flex-wrap justify-between gap-2">
            <NoteFigure label="Longs" name="Liquidated longs, 24h" meta={liq.metadata.meta['long_liquidations']}>
              {longs !== null && compact(longs, 1)}
            </NoteFigure>
            <NoteFigure label="Shorts" name="Liquidated shorts, 24h" meta={liq.metadata.meta['short_liquidations']}>
              {shorts !== null && compact(shorts, 1)}
            </NoteFigure>
          </span>
        }
      >
        <Split
          pieces={[
            { name: 'longs', size: longs ?? 0, tone: 'bg-down' },
            { name: 'shorts', size: shorts ?? 0, tone: 'bg-up' },
          ]}
        />
      </Tile>
    </>
  );
}
