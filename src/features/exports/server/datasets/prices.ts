import { type Bars, barPages, countBars } from '../store/prices.ts';
import type { Scope } from '../store/scope.ts';
import { BIRTH, column, type Dataset } from './dataset.ts';

const DAY_MS = 86_400_000;
const HOURS_UP_TO_DAYS = 90;

const GRAINS: Record<Bars, string> = {
  candles_1m: 'one coin and five minutes',
  candles_1h: 'one coin and hour',
  candles_1d: 'one coin and day',
};

/** Five minutes for a day as long as minutes are kept, hours up to ninety days, days beyond. */
export function barsFor({ from, to }: Pick<Scope, 'from' | 'to'>, now: Date, minuteDays: number): Bars {
  if (from === null) return 'candles_1d';
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
  if (days <= 1 && now.getTime() - Date.parse(from) <= minuteDays * DAY_MS) return 'candles_1m';
  return days <= HOURS_UP_TO_DAYS ? 'candles_1h' : 'candles_1d';
}

const usd = (name: string, title: string) => column(name, title, 'number', 'USD');

export const pricesDataset = (bars: Bars): Dataset => ({
  name: 'crypto_prices',
  title: 'Crypto prices',
  grain: GRAINS[bars],
  observed: 'at',
  columns: [
    column('at', 'Begins', 'time', 'UTC'),
    column('symbol', 'Symbol'),
    column('name', 'Name'),
    column('coin', 'Coin'),
    usd('open', 'Open'),
    usd('high', 'High'),
    usd('low', 'Low'),
    usd('close', 'Close'),
    usd('volume', 'Volume'),
    column('minutes', 'Minutes covered', 'number', 'minutes'),
    ...BIRTH,
  ],
  count: (db, scope, most) => countBars(db, bars, scope, most),
  pages: (db, scope) => barPages(db, bars, scope),
});
