import type {
  readBrief,
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
  `${coin.symbol} ${usd(coin.price)}${coin.change_24h === null ? '' : `, ${percent(coin.change_24h)} in 24h`}${cited(coin.meta, teller)}`;

export function sayMarket({ totals, advancedMetrics }: ReplyOf<typeof readMarketData>, teller: Teller): string {
  const cap =
    totals.market_cap === null
      ? []
      : [`Total market cap: ${compact(totals.market_cap)} USD${cited(totals.meta, teller)}`];
  return lines([...cap, ...figureLines(advancedMetrics, teller)], 60, 'figures');
}

export const sayBrief = ({ lines: all }: ReplyOf<typeof readBrief>, teller: Teller): string =>
  all
    .map(({ title, clauses, missing }) => {
      const texts = clauses.map(({ text, meta }) => text + cited(meta, teller));
      return `${title}: ${missing ?? texts.join('; ')}`;
    })
    .join('\n');

export function sayPrices({ prices, nextCursor }: ReplyOf<typeof readCryptoPrices>, teller: Teller): string {
  if (prices.length === 0) return 'No prices available.';
  const said = lines(
    prices.map((coin) => priceLine(coin, teller)),
    MOST,
    'coins in this answer',
  );
  return nextCursor === null ? said : `${said}\nUse cursor to get more coins.`;
}

export function sayCoin({ coin, quotes }: ReplyOf<typeof readCryptoPrice>, teller: Teller): string {
  const others = quotes.map(({ price, meta }) => `${usd(price)}${cited(meta, teller)}`);
  return [
    `${coin.name}: ${priceLine(coin, teller)}`,
    ...(others.length > 0 ? [`By source: ${others.join('; ')}`] : []),
  ].join('\n');
}

export function sayCandles(
  { symbol, interval, candles, gaps, meta }: ReplyOf<typeof readCandles>,
  teller: Teller,
): string {
  const last = candles.at(-1);
  if (!last) return `No ${symbol} candles are available at this interval for that time range.`;
  const missing = gaps.length > 0 ? ` ${gaps.length} gaps without trades are listed.` : '';
  return `${candles.length} ${symbol} candles, interval ${interval}; latest ${last.at}: open ${usd(last.open)}, high ${usd(last.high)}, low ${usd(last.low)}, close ${usd(last.close)}${cited(meta, teller)}.${missing}`;
}

export function sayHistory({ type, records, reason }: ReplyOf<typeof readHistory>, { nameOf, now }: Teller): string {
  if (records.length === 0) return reason ?? `No ${type} data is available for that time range.`;
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
        `${name}: ${state}, provides ${gives}${lastSuccessAt === null ? ', no successful request yet' : `, last success ${agoOf(lastSuccessAt, now())}`}`,
    ),
    60,
    'sources',
  );
