import {
  COIN,
  COINS,
  type FORMATS,
  type IMPACTS,
  type THEMES,
  type WidgetKind,
  widgetPath,
} from '#features/api/contract/widgets-names.ts';
import { BRAND } from '#shared/brand.ts';

export const WIDGET_NAMES: Readonly<Record<WidgetKind, string>> = {
  ticker: 'Price ticker',
  price: 'Single price',
  'fear-greed': 'Fear and greed',
  'next-event': 'Next event',
};

/** Widths in pixels; the last one fills its container. */
export const WIDTHS = { Small: 280, Medium: 420, Wide: 720, Fill: null } as const;
export type Width = keyof typeof WIDTHS;

/** The user's selection; each widget uses its part of it. */
export type Choice = {
  kind: WidgetKind;
  coins: string;
  coin: string;
  impact: (typeof IMPACTS)[number];
  theme: (typeof THEMES)[number];
  prices: (typeof FORMATS)[number];
  compact: boolean;
  width: Width;
};

export const FIRST: Choice = {
  kind: 'ticker',
  coins: 'BTC,ETH,SOL',
  coin: 'BTC',
  impact: 'all',
  theme: 'auto',
  prices: 'full',
  compact: false,
  width: 'Medium',
};

const NARROWEST = 280;
/** Regular and compact. */
const HEIGHTS = { price: [156, 118], 'fear-greed': [156, 118], 'next-event': [236, 196] } as const;

/** Pixels a widget needs: the ticker by its number of rows, the others for a two-line title. */
export function widgetHeight({ kind, coins, compact, width }: Choice): number {
  if (kind !== 'ticker') return HEIGHTS[kind][compact ? 1 : 0];
  const [column, gap, row, rest] = compact ? [160, 12, 60, 34] : [176, 16, 66, 86];
  const inside = (WIDTHS[width] ?? NARROWEST) - (compact ? 22 : 26);
  const columns = Math.max(1, Math.floor((inside + gap) / (column + gap)));
  return rest + Math.ceil(coins.split(',').length / columns) * row;
}

type Embed = { path: string; problem: null } | { path: null; problem: string };

/** The URL of the chosen widget, or what is wrong with the selection. */
export function buildEmbed({ kind, coins, coin, impact, theme, prices, compact }: Choice): Embed {
  const look = { theme, compact: compact ? '1' : '0' };
  const asked: Record<WidgetKind, Record<string, string>> = {
    ticker: { coins: coins.replaceAll(/\s/g, ''), format: prices, ...look },
    price: { coin: coin.trim(), format: prices, ...look },
    'fear-greed': look,
    'next-event': { impact, ...look },
  };
  const options = asked[kind];
  for (const [name, { pattern, words }] of Object.entries({ coin: COIN, coins: COINS }))
    if (!pattern.test(options[name] ?? 'BTC')) return { path: null, problem: `Please enter ${words}` };
  return { path: widgetPath(kind, options), problem: null };
}

/** The embed code. */
export function embedText(origin: string, path: string, choice: Choice): string {
  const width = WIDTHS[choice.width] ?? '100%';
  const address = `${origin}${path}`.replaceAll('&', '&amp;');
  return `<iframe src="${address}" title="${WIDGET_NAMES[choice.kind]} by ${BRAND.name}" width="${width}" height="${widgetHeight(choice)}" style="border:0;border-radius:12px" loading="lazy"></iframe>`;
}
