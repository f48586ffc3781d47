import { z } from 'zod/mini';

import { COIN, COINS, FORMATS, IMPACTS, THEMES, USUAL, type WidgetKind } from './widgets-names.ts';

const coin = z.string('once only').check(z.regex(COIN.pattern, COIN.words));
const coins = z.string('once only').check(z.regex(COINS.pattern, COINS.words));
const theme = z._default(z.enum(THEMES, 'auto, light or dark'), 'auto');
const format = z._default(z.enum(FORMATS, 'full or short'), 'full');
const compact = z._default(z.enum(['0', '1'], '0 or 1'), '0');
const impact = z._default(z.enum(IMPACTS, 'all, high, medium or low'), 'all');

/** What the address of each widget takes. */
export const widgetOptions = {
  ticker: z.strictObject({ coins: z._default(coins, USUAL.ticker.coins), theme, format, compact }),
  price: z.strictObject({ coin: z._default(coin, USUAL.price.coin), theme, format, compact }),
  'fear-greed': z.strictObject({ theme, compact }),
  'next-event': z.strictObject({ impact, theme, compact }),
} as const;
export type WidgetOptions<K extends WidgetKind = WidgetKind> = z.output<(typeof widgetOptions)[K]>;
