import { z } from 'zod/mini';

import { HORIZONS } from '#features/analysis/contract/predictions.ts';

import { COIN, COINS, FORMATS, IMPACTS, RECORDS, THEMES, TRACK, USUAL, type WidgetKind } from './widgets-names.ts';

const coin = z.string('once only').check(z.regex(COIN.pattern, COIN.words));
const coins = z.string('once only').check(z.regex(COINS.pattern, COINS.words));
const theme = z._default(z.enum(THEMES, 'auto, light or dark'), 'auto');
const format = z._default(z.enum(FORMATS, 'full or short'), 'full');
const compact = z._default(z.enum(['0', '1'], '0 or 1'), '0');
const impact = z._default(z.enum(IMPACTS, 'all, high, medium or low'), 'all');

/** Options of each widget's URL. */
export const widgetOptions = {
  ticker: z.strictObject({ coins: z._default(coins, USUAL.ticker.coins), theme, format, compact }),
  price: z.strictObject({ coin: z._default(coin, USUAL.price.coin), theme, format, compact }),
  'fear-greed': z.strictObject({ theme, compact }),
  'next-event': z.strictObject({ impact, theme, compact }),
} as const;
export type WidgetOptions<K extends WidgetKind = WidgetKind> = z.output<(typeof widgetOptions)[K]>;

/** Options of the track record badge. Without `track` it shows the consensus, or the track with the most evidence. */
export const badgeOptions = z.strictObject({
  horizon: z._default(z.enum(HORIZONS, '24h, 7d, 28d or 180d'), '24h'),
  record: z._default(z.enum(RECORDS, 'live, replay or league'), 'live'),
  track: z.optional(z.string('once only').check(z.regex(TRACK.pattern, TRACK.words))),
  theme,
});
export type BadgeOptions = z.output<typeof badgeOptions>;
