import { z } from 'zod/mini';

export const WIDGETS = ['ticker', 'price', 'fear-greed', 'next-event'] as const;
export type WidgetKind = (typeof WIDGETS)[number];

export const MOST_COINS = 10;

const COIN = '[A-Za-z0-9._-]{1,80}';
type Form = readonly [pattern: RegExp, words: string];

/** What is taken of coins, without a schema: the page that builds widgets checks with it too. */
export const ONE_COIN: Form = [new RegExp(`^${COIN}$`), 'a symbol or an id such as BTC'];
export const SEVERAL_COINS: Form = [
  new RegExp(`^${COIN}(,${COIN}){0,${MOST_COINS - 1}}$`),
  `1 to ${MOST_COINS} symbols or ids with commas between them, such as BTC,ETH`,
];
const USUAL = {
  coins: 'BTC,ETH,SOL,SUI,XRP',
  coin: 'BTC',
  impact: 'all',
  theme: 'auto',
  format: 'full',
  compact: '0',
} as const;

const coin = z.string('once only').check(z.regex(...ONE_COIN));
const coins = z.string('once only').check(z.regex(...SEVERAL_COINS));
const theme = z._default(z.enum(['auto', 'light', 'dark'], 'auto, light or dark'), USUAL.theme);
const format = z._default(z.enum(['full', 'short'], 'full or short'), USUAL.format);
const compact = z._default(z.enum(['0', '1'], '0 or 1'), USUAL.compact);

const ticker = z.strictObject({ coins: z._default(coins, USUAL.coins), theme, format, compact });
const price = z.strictObject({ coin: z._default(coin, USUAL.coin), theme, format, compact });
const fearGreed = z.strictObject({ theme, compact });
const nextEvent = z.strictObject({
  impact: z._default(z.enum(['all', 'high', 'medium', 'low'], 'all, high, medium or low'), USUAL.impact),
  theme,
  compact,
});

/** What the address of each widget takes. Coins are symbols (the best ranked of that symbol) or ids. */
export const widgetOptions = { ticker, price, 'fear-greed': fearGreed, 'next-event': nextEvent } as const;
export type WidgetOptions<K extends WidgetKind = WidgetKind> = z.output<(typeof widgetOptions)[K]>;

/** Seconds after which an open widget asks again. */
export const REFRESH_SECONDS = 60;

/** The address of a widget: what is as usual is not named. */
export function widgetPath(kind: WidgetKind, options: Record<string, string>): string {
  const usual: Record<string, string> = USUAL;
  const named = Object.entries(options).filter(([name, value]) => usual[name] !== value);
  const query = named.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`).join('&');
  return `/widgets/${kind}${query ? `?${query}` : ''}`;
}
