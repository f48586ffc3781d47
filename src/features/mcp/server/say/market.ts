import type { CryptoPrice } from '#features/market/contract.ts';
import { percent } from '#shared/format.ts';

import { cited, lines, type Teller, usd } from '../say.ts';

const MOST = 12;

const line = (coin: CryptoPrice, teller: Teller): string =>
  `${coin.symbol} ${usd(coin.price)}${coin.change_24h === null ? '' : `, ${percent(coin.change_24h)} in 24 h`}${cited(coin.meta, teller)}`;

export const sayPrices = ({ prices }: { prices: CryptoPrice[] }, teller: Teller): string =>
  prices.length === 0
    ? 'No prices are known yet'
    : lines(
        prices.map((coin) => line(coin, teller)),
        MOST,
        'coins',
      );
