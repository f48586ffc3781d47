/** The widget data needed in the browser, whose build drops the contract's schemas. */
export const WIDGETS = ['ticker', 'price', 'fear-greed', 'next-event'] as const;
export type WidgetKind = (typeof WIDGETS)[number];

export const THEMES = ['auto', 'light', 'dark'] as const;
export const FORMATS = ['full', 'short'] as const;
export const IMPACTS = ['all', 'high', 'medium', 'low'] as const;

const MAX_COINS = 10;
const NAME = '[A-Za-z0-9._-]{1,80}';

/** Coins are symbols (the highest ranked one) or ids. */
export const COIN = { pattern: new RegExp(`^${NAME}$`), words: 'a coin symbol or ID, such as BTC' };
export const TRACK = {
  pattern: new RegExp(`^${NAME}$`),
  words: 'an analyst ID, such as local, or the name of a league forecaster',
};
export const COINS = {
  pattern: new RegExp(`^${NAME}(,${NAME}){0,${MAX_COINS - 1}}$`),
  words: `1 to ${MAX_COINS} comma-separated symbols or IDs, such as BTC,ETH`,
};

const LOOK = { theme: 'auto', compact: '0' } as const;

/** Defaults of omitted options. */
export const USUAL = {
  ticker: { coins: 'BTC,ETH,SOL,SUI,XRP', format: 'full', ...LOOK },
  price: { coin: 'BTC', format: 'full', ...LOOK },
  'fear-greed': LOOK,
  'next-event': { impact: 'all', ...LOOK },
} as const satisfies Record<WidgetKind, Record<string, string>>;

/** The URL of a widget, without default options. */
export function widgetPath(kind: WidgetKind, options: Record<string, string>): string {
  const usual: Record<string, string> = USUAL[kind];
  const named = Object.entries(options).filter(([name, value]) => usual[name] !== value);
  const query = named.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`).join('&');
  return `/widgets/${kind}${query ? `?${query}` : ''}`;
}

export const BADGE_PATH = '/widgets/track-record.svg';
export const RECORDS = ['live', 'replay', 'league'] as const;
