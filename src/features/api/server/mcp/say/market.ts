import type {
  readCandles,
  readCryptoPrice,
  readCryptoPrices,
  readHistory,
  readMarketData,
  readSources,
} from '#features/api/contract/api.ts';
import type { CryptoPrice } from '#features/market/contract/market.ts';
import { compact, percent } from '#shared/format.ts';

import { agoOf, cited, figureLines, lines, type ReplyOf, type Teller, usd } from '../say.ts';

const MOST = 20;

const priceLine = (coin: CryptoPrice, teller: Teller): string =>
  `${coin.symbol} ${usd(coin.price)}${coin.change_24h === null ? '' : `, ${percent(coin.change_24h)} in 24 h`}${cited(coin.meta, teller)}`;

export function sayMarket({ totals, advancedMetrics }: ReplyOf<typeof readMarketData>, teller: Teller): string {
  const cap =
    totals.market_cap === null
      ? []
      : [`All coins together: ${compact(totals.market_cap)} USD${cited(totals.meta, teller)}`];
  return lines([...cap, ...figureLines(advancedMetrics, teller)], 60, 'figures');
}

export function sayPrices({ prices, nextCursor }: ReplyOf<typeof readCryptoPrices>, teller: Teller): string {
  if (prices.length === 0) return 'No prices are known.';
  const said = lines(
    prices.map((coin) => priceLine(coin, teller)),
    MOST,
    'coins in this answer',
  );
  return nextCursor === null ? said : `${said}\nMore coins with cursor.`;
}

export function sayCoin({ coin, quotes }: ReplyOf<typeof readCryptoPrice>, teller: Teller): string {
  const others = quotes.map(({ price, meta }) => `${usd(price)}${cited(meta, teller)}`);
  return [
    `${coin.name}: ${priceLine(coin, teller)}`,
    ...(others.length > 0 ? [`Each source: ${others.join('; ')}`] : []),
  ].join('\n');
}

export function sayCandles(
  { symbol, interval, candles, gaps, meta }: ReplyOf<typeof readCandles>,
  teller: Teller,
): string {
  const last = candles.at(-1);
  if (!last) return `No candles of ${symbol} at this interval are stored for that time.`;
  const missing = gaps.length > 0 ? ` ${gaps.length} gaps without trades are named.` : '';
  return `${candles.length} candles of ${symbol}, interval ${interval}; the last from ${last.at}: open ${usd(last.open)}, high ${usd(last.high)}, low ${usd(last.low)}, close ${usd(last.close)}${cited(meta, teller)}.${missing}`;
}

export function sayHistory({ type, records, reason }: ReplyOf<typeof readHistory>, { nameOf, now }: Teller): string {
  if (records.length === 0) return reason ?? `Nothing of ${type} is stored for that time.`;
  return lines(
    records.map(
      ({ symbol, value, unit, source, timestamp, method }) =>
        `${symbol} ${value} ${unit} at ${timestamp} (${nameOf(source)}, ${agoOf(timestamp, now())}${method === 'measured' ? '' : `, ${method}`})`,
    ),
    MOST,
    'values in this answer',
  );
}

export const saySources = ({ sources }: ReplyOf<typeof readSources>, { now }: Teller): string =>
  lines(
    sources.map(
      ({ name, state, lastSuccessAt, gives }) =>
        `${name}: ${state}, gives ${gives}${lastSuccessAt === null ? ', has not answered yet' : `, answered ${agoOf(lastSuccessAt, now())}`}`,
    ),
    60,
    'sources',
  );
