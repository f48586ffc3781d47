import { z } from 'zod/mini';

export const WIDGETS = ['ticker', 'price', 'fear-greed', 'next-event'] as const;
export type WidgetKind = (typeof WIDGETS)[number];

export const MOST_COINS = 10;

const COIN = '[A-Za-z0-9._-]{1,80}';
const coin = z.string('once only').check(z.regex(new RegExp(`^${COIN}$`), 'a symbol or an id such as BTC'));
const coins = z
  .string('once only')
  .check(
    z.regex(
      new RegExp(`^${COIN}(,${COIN}){0,${MOST_COINS - 1}}$`),
      `1 to ${MOST_COINS} symbols or ids with commas between them, such as BTC,ETH`,
    ),
  );
const theme = z._default(z.enum(['auto', 'light', 'dark'], 'auto, light or dark'), 'auto');
const format = z._default(z.enum(['full', 'short'], 'full or short'), 'full');
const compact = z._default(z.enum(['0', '1'], '0 or 1'), '0');

/** What the address of each widget takes. Coins are symbols (the best ranked of that symbol) or ids. */
export const widgetOptions = {
  ticker: z.strictObject({ coins: z._default(coins, 'BTC,ETH,SOL,SUI,XRP'), theme, format, compact }),
  price: z.strictObject({ coin: z._default(coin, 'BTC'), theme, format, compact }),
  'fear-greed': z.strictObject({ theme, compact }),
  'next-event': z.strictObject({
    impact: z._default(z.enum(['all', 'high', 'medium', 'low'], 'all, high, medium or low'), 'all'),
    theme,
    compact,
  }),
} as const;
export type WidgetOptions<K extends WidgetKind = WidgetKind> = z.output<(typeof widgetOptions)[K]>;

/** Seconds after which an open widget asks again. */
export const REFRESH_SECONDS = 60;

/** The address of a widget: what is as usual is not named. */
export function widgetPath(kind: WidgetKind, options: Record<string, string>): string {
  const usual = widgetOptions[kind].parse({}) as Record<string, string>;
  const named = Object.entries(options).filter(([name, value]) => usual[name] !== value);
  const query = named.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`).join('&');
  return `/widgets/${kind}${query ? `?${query}` : ''}`;
}
