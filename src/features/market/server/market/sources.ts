import type { SourceDescriptor } from '#kernel/source-set.ts';

import { coingeckoSource } from './providers/coingecko.ts';
import { coinpaprikaSource } from './providers/coinpaprika.ts';
import { okxSource } from './providers/okx.ts';

/** Every outside source of this feature. */
export const SOURCES = [
  {
    id: 'coingecko',
    name: 'CoinGecko',
    gives: 'Prices, market caps, volumes, dominance, narratives, history',
    homepage: 'https://www.coingecko.com',
    licence: 'Free tier under the CoinGecko API terms; a paid product should hold a paid key',
    attribution: 'Data provided by CoinGecko',
    key: 'optional',
    keySetting: 'COINGECKO_API_KEY',
    options: coingeckoSource,
  },
  {
    id: 'coinpaprika',
    name: 'CoinPaprika',
    gives: 'Price list and global figures when CoinGecko fails',
    homepage: 'https://coinpaprika.com',
    licence: 'Free plan for personal use; a commercial operator needs a plan',
    attribution: 'CoinPaprika',
    key: 'none',
    options: coinpaprikaSource,
  },
  {
    id: 'okx',
    name: 'OKX',
    gives: 'Live ticks, tickers, candles, open interest, funding, liquidations',
    streams: true,
    homepage: 'https://www.okx.com',
    licence: 'Public market data under the OKX API agreement',
    attribution: null,
    key: 'none',
    options: okxSource,
  },
  {
    id: 'coinbase',
    name: 'Coinbase',
    gives: 'Live ticks',
    streams: true,
    homepage: 'https://exchange.coinbase.com',
    licence: 'Public market data under the Coinbase market data terms',
    attribution: null,
    key: 'none',
    options: ({ COINBASE_BASE_URL }) => ({ baseUrl: COINBASE_BASE_URL, perMinute: 300, burst: 5 }),
  },
] as const satisfies SourceDescriptor[];
