import { BRAND } from '#shared/brand.ts';

import { ONE_COIN, SEVERAL_COINS, type WidgetKind, widgetPath } from '../contract.ts';

export const WIDGET_NAMES: Readonly<Record<WidgetKind, string>> = {
  ticker: 'Price ticker',
  price: 'Single price',
  'fear-greed': 'Fear and greed',
  'next-event': 'Next event',
};

/** Widths in pixels; the last one fills its place. */
export const WIDTHS = { Small: 280, Medium: 420, Wide: 720, Full: null } as const;
export type Width = keyof typeof WIDTHS;

/** What a person has chosen; each widget takes its part of it. */
export type Choice = {
  kind: WidgetKind;
  coins: string;
  coin: string;
  impact: 'all' | 'high' | 'medium' | 'low';
  theme: 'auto' | 'light' | 'dark';
  prices: 'full' | 'short';
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

/** Pixels that a widget needs: the ticker as many rows as its columns leave, the others what two lines of a title take. */
export function heightOf({ kind, coins, compact, width }: Choice): number {
  if (kind !== 'ticker') return compact ? 124 : { price: 150, 'fear-greed': 158, 'next-event': 196 }[kind];
  const [column, gap, row, rest] = compact ? [120, 12, 60, 36] : [150, 16, 62, 90];
  const inside = (WIDTHS[width] ?? NARROWEST) - (compact ? 22 : 26);
  const columns = Math.max(1, Math.floor((inside + gap) / (column + gap)));
  return rest + Math.ceil(coins.split(',').length / columns) * row;
}

type Embed = { path: string; problem: null } | { path: null; problem: string };

/** The address of the chosen widget, or what is wrong with the choice. */
export function embedOf({ kind, coins, coin, impact, theme, prices, compact }: Choice): Embed {
  const look = { theme, compact: compact ? '1' : '0' };
  const asked: Record<WidgetKind, Record<string, string>> = {
    ticker: { coins: coins.replaceAll(/\s/g, ''), format: prices, ...look },
    price: { coin: coin.trim(), format: prices, ...look },
    'fear-greed': look,
    'next-event': { impact, ...look },
  };
  const chosen = asked[kind];
  for (const [text, [pattern, words]] of [
    [chosen['coins'], SEVERAL_COINS],
    [chosen['coin'], ONE_COIN],
  ] as const)
    if (text !== undefined && !pattern.test(text)) return { path: null, problem: `Please enter ${words}` };
  return { path: widgetPath(kind, chosen), problem: null };
}

/** What is pasted into a page. */
export function embedText(origin: string, path: string, choice: Choice): string {
  const width = WIDTHS[choice.width] ?? '100%';
  const address = `${origin}${path}`.replaceAll('&', '&amp;');
  return `<iframe src="${address}" title="${WIDGET_NAMES[choice.kind]} by ${BRAND.name}" width="${width}" height="${heightOf(choice)}" style="border:0" loading="lazy"></iframe>`;
}
