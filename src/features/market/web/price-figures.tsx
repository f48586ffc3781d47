import type { ReactNode } from 'react';

import type { FigureMeta } from '#shared/figures.ts';
import { compact, price } from '#shared/format.ts';
import type { Provenance } from '#shared/provenance.ts';
import { Change } from '#web/ui/change.tsx';

import type { CryptoPrice, MarketTotals } from '../contract.ts';
import { turnover } from './quote.ts';

/** What the popover of a number tells. */
export type Certificate = { name: string; meta: FigureMeta; text: ReactNode };

const usd = (value: number): string => `$${compact(value)}`;
const NOTHING_YET = 'Nothing has been collected yet.';
const NOT_SUMMED = 'It is not known of any of these coins.';
const NOT_GIVEN = 'No source has given it for this coin.';

/** The method of a listing is that of the market cap; its other figures are the source's own words. */
function ownWords({ meta, listing }: CryptoPrice): Provenance {
  if (listing.method !== 'computed') return listing;
  return { ...listing, method: listing.observedAt === meta.observedAt ? meta.method : 'measured' };
}

/** Of a row as the page writes it, the newest tick counted in. */
export function figureOfCoin(figure: string, row: CryptoPrice): Certificate | undefined {
  const born = (
    metric: string,
    name: string,
    text: ReactNode,
    meta: Provenance & { terms?: string } = ownWords(row),
  ): Certificate => ({
    name: `${row.name}, ${name}`,
    meta: text === null ? { metric, reason: NOT_GIVEN } : { ...meta, metric },
    text,
  });
  const then = (meta: FigureMeta | undefined, certificate: Certificate): Certificate =>
    meta ? { ...certificate, meta } : certificate;
  const { rebuilt } = row;
  const { change_24h: day, change_7d: week, low_24h: low, high_24h: high, volume_24h: volume, market_cap: cap } = row;
  switch (figure) {
    case 'price':
      return born('coin.price', 'price', `$${price(row.price)}`, row.meta);
    case 'change_24h':
      return born('coin.change', '24h change', day === null ? null : <Change value={day} />, row.meta);
    case 'change_7d':
      return then(
        rebuilt?.change_7d,
        born('coin.change_7d', '7d change', week === null ? null : <Change value={week} />),
      );
    case 'range': {
      const text = low === null || high === null ? null : `$${price(low)} – $${price(high)}`;
      return then(rebuilt?.range_24h, born('coin.range', '24h range', text));
    }
    case 'volume_24h':
      return then(rebuilt?.volume_24h, born('coin.volume', '24h volume', volume === null ? null : usd(volume)));
    case 'market_cap': {
      const terms = row.listing.method === 'computed' ? { terms: 'price × circulating supply' } : {};
      return born('coin.cap', 'market cap', cap === null ? null : usd(cap), { ...row.listing, ...terms });
    }
    default:
      return undefined;
  }
}

export function figureOfMarket(figure: string, totals: MarketTotals): Certificate | undefined {
  const { market_cap: cap, volume_24h: volume, change_24h: change, coins, meta } = totals;
  const share = turnover(totals);
  const sum = `Sum over ${coins} coins`;
  const born = (metric: string, name: string, text: ReactNode, terms: string): Certificate => ({
    name,
    meta: text === null || !meta ? { metric, reason: meta ? NOT_SUMMED : NOTHING_YET } : { ...meta, metric, terms },
    text,
  });
  switch (figure) {
    case 'total_cap':
      return born('market.cap', 'Total market cap', cap === null ? null : usd(cap), sum);
    case 'total_change':
      return born(
        'market.cap',
        'Total market cap, 24h change',
        change === null ? null : <Change value={change} />,
        sum,
      );
    case 'total_volume':
      return born('market.volume', 'Total volume, 24h', volume === null ? null : usd(volume), sum);
    case 'turnover':
      return born(
        'market.turnover',
        'Turnover, 24h',
        share === null ? null : `${share.toFixed(1)}%`,
        `volume ${usd(volume ?? 0)} ÷ market cap ${usd(cap ?? 0)}`,
      );
    default:
      return undefined;
  }
}
