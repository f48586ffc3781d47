import { recordLine, TRACK_NAMES } from '#features/analysis/contract/brief.ts';
import type { Backtest } from '#features/analysis/contract/predictions.ts';
import { CONSENSUS } from '#features/analysis/server/predictions/service.ts';
import type { BadgeOptions, WidgetOptions } from '#features/api/contract/widgets.ts';
import type { Event } from '#features/events/contract.ts';
import type { CryptoPrice } from '#features/market/contract/market.ts';
import type { AdvancedMetrics } from '#features/market/contract/metrics.ts';
import { AppError } from '#kernel/errors.ts';
import { BRAND } from '#shared/brand.ts';
import { dateTime, price, compact as short } from '#shared/format.ts';
import { standInName } from '#shared/stand-ins.ts';

import { BADGE_STYLE, changeText, type Drawing, escapeHtml, originLine, renderPage, sourceLine } from './page.ts';

const HEIGHT = 46;
const PADDING = 12;
const [LINE, SMALL] = [13, 11];
/** Advances of Arial in em. `textLength` makes the text as wide as this in any other font. */
const ADVANCES = [
  [/[ijl.,:|'()· ]/, 0.28],
  [/[mwMW@%]/, 0.87],
  [/[A-Z]/, 0.69],
] as const;

function textWidth(text: string, size: number): number {
  let em = 0;
  for (const sign of text) em += ADVANCES.find(([signs]) => signs.test(sign))?.[1] ?? 0.52;
  return Math.ceil(em * size);
}

/** The track shown by a badge; null before the first call. @throws AppError 400 for an unknown one */
export function trackIn(record: Backtest | null, named: string | undefined): string | null {
  const tracks = (record?.cells ?? []).map(({ provider }) => provider);
  if (named !== undefined && tracks.length > 0 && !tracks.includes(named))
    throw new AppError('bad_request', `Unknown track ${named}`);
  const usual = tracks.includes(CONSENSUS) ? CONSENSUS : (record?.headline?.provider ?? tracks[0]);
  return named ?? usual ?? null;
}

type Shown = Omit<BadgeOptions, 'track'> & { track: string | null };

/** Image of the verdict on one track at one horizon, with its scores. */
export function drawBadge(
  record: Pick<Backtest, 'cells' | 'timestamp'> | null,
  { horizon, track, theme, record: kind }: Shown,
  d: Drawing,
): string {
  const cell = record?.cells.find((each) => each.current && each.provider === track && each.horizon === horizon);
  const { word, rest } = recordLine(cell);
  const start = `${horizon} forecasts${kind === 'live' ? '' : ` (${kind})`}: `;
  const name = track === null ? [] : [standInName(cell?.model ?? '') ?? TRACK_NAMES[track] ?? d.nameOf(track)];
  const at = dateTime(record ? Date.parse(record.timestamp) : d.now.getTime()).replace(/:\d\d UTC$/, ' UTC');
  const about = [BRAND.name, ...name, `as of ${at}`].join(' · ');
  const demo = d.mode === 'demo' ? ' · Demo data' : '';
  const [first, second] = [textWidth(start + word + rest, LINE), textWidth(about + demo, SMALL)];
  const width = Math.max(first, second) + 2 * PADDING;
  const text = (y: number, length: number, inside: string) =>
    `x="${PADDING}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs">${inside}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" data-theme="${theme}">`,
    `<title>${escapeHtml(`${start}${word}${rest} · ${about}${demo}`)}</title><style>${BADGE_STYLE}</style>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${HEIGHT - 1}" rx="8"/>`,
    `<text ${text(20, first, `${start}<tspan class="word ${cell?.verdict ?? 'none'}">${word}</tspan>${rest}`)}`,
    `<text class="small" ${text(37, second, `${escapeHtml(about)}<tspan class="warn">${demo}</tspan>`)}`,
    '</svg>',
  ].join('');
}

/** Refresh interval of an open widget. */
const REFRESH_SECONDS = 60;
const THOUSAND = 1000;
const SCALE_WIDTH = 200;

const look = ({ theme, compact }: { theme: 'auto' | 'light' | 'dark'; compact: '0' | '1' }) => ({
  theme,
  compact: compact === '1',
  refresh: REFRESH_SECONDS,
});

/** '$63,120.00', or '$63.12K'. */
export const usd = (value: number, format: 'full' | 'short'): string =>
  `$${format === 'short' && value >= THOUSAND ? short(value) : price(value)}`;

export function drawTicker(coins: CryptoPrice[], options: WidgetOptions<'ticker'>, d: Drawing): string {
  const isCompact = options.compact === '1';
  const items = coins.map(
    (coin) =>
      `<li><div class="row"><strong>${escapeHtml(coin.symbol)}</strong><span class="fig">${usd(coin.price, options.format)}</span>${changeText(coin.change_24h, isCompact)}</div>${sourceLine(coin.meta, d)}</li>`,
  );
  const title = `Prices of ${coins.map(({ symbol }) => symbol).join(', ')}`;
  const body = `${isCompact ? '' : '<h1>Crypto prices in USD</h1>'}<ul>${items.join('')}</ul>`;
  return renderPage({ ...look(options), title, body, more: '/app' }, d);
}

export function drawPrice(coin: CryptoPrice, options: WidgetOptions<'price'>, d: Drawing): string {
  const name = `${escapeHtml(coin.name)} (${escapeHtml(coin.symbol)})`;
  const body = `<h1>${name} in USD</h1><div class="row"><span class="big">${usd(coin.price, options.format)}</span>${changeText(coin.change_24h)}</div>${sourceLine(coin.meta, d)}`;
  return renderPage({ ...look(options), title: `${coin.symbol} price`, body, more: '/app' }, d);
}

export function drawFearGreed(
  { score, interpretation, meta }: AdvancedMetrics['marketSentiment'],
  options: WidgetOptions<'fear-greed'>,
  d: Drawing,
): string {
  const title = 'Fear and greed index';
  if (score === null) {
    const body = `<h1>${title}</h1><p>Not available</p>${originLine(meta['score'], d)}`;
    return renderPage({ ...look(options), title, body, more: '/app' }, d);
  }
  const place = (Math.min(100, Math.max(0, score)) / 100) * (SCALE_WIDTH - 8) + 4;
  const scale = `<svg viewBox="0 0 ${SCALE_WIDTH} 8" preserveAspectRatio="none" aria-hidden="true"><rect class="track" y="2" width="${SCALE_WIDTH}" height="4" rx="2"/><rect class="dot" x="${(place - 2).toFixed(1)}" width="4" height="8" rx="1"/></svg>`;
  const scoreRow = `<div class="row"><span class="big">${score.toFixed(0)}</span><span>of 100${interpretation ? ` · ${escapeHtml(interpretation)}` : ''}</span></div>`;
  const body = `<h1>${title}</h1>${scoreRow}${scale}${originLine(meta['score'], d)}`;
  return renderPage({ ...look(options), title, body, more: '/app' }, d);
}

const WORDS: Readonly<Record<Event['impact'], string>> = { high: 'High', medium: 'Medium', low: 'Low' };

function when({ date, allDay, dateEstimated }: Event): string {
  const text = dateTime(Date.parse(date));
  const shown = allDay ? text.slice(0, text.indexOf(',')) : text.replace(/:\d\d UTC$/, ' UTC');
  return `<time datetime="${allDay ? date.slice(0, 10) : date}">${shown}</time>${dateEstimated ? ' (date estimated)' : ''}`;
}

function remaining({ daysUntil, timeRemaining }: Event): string {
  if (timeRemaining) return `in ${timeRemaining}`;
  if (daysUntil <= 0) return 'today';
  return daysUntil === 1 ? 'tomorrow' : `in ${daysUntil} days`;
}

export function drawNextEvent(event: Event | undefined, options: WidgetOptions<'next-event'>, d: Drawing): string {
  const title = options.impact === 'all' ? 'Next event' : `Next ${options.impact}-impact event`;
  const page = { ...look(options), title, more: '/app/events' };
  if (!event) return renderPage({ ...page, body: `<h1>${title}</h1><p>None scheduled</p>` }, d);
  const checked = {
    source: event.source ?? 'unknown source',
    observedAt: event.checkedAt,
    method: 'measured' as const,
  };
  const line = sourceLine({ ...checked, staleAfter: '9999-12-31T00:00:00Z' }, d).replace('<small>', '<small>Checked: ');
  const body = `<h1>${title}</h1><p class="fig">${escapeHtml(event.title ?? 'Untitled Event')}</p><p>${when(event)} · ${remaining(event)}</p><p>${WORDS[event.impact]} impact</p>${line}`;
  return renderPage({ ...page, body }, d);
}

/** An error message in place of a widget. */
export const drawRefusal = (words: string, d: Drawing, refresh?: number): string =>
  renderPage(
    {
      theme: 'auto',
      compact: false,
      title: 'This widget is unavailable',
      body: `<h1>This widget is unavailable</h1><p>${escapeHtml(words)}</p>`,
      more: '/app/api',
      ...(refresh === undefined ? {} : { refresh }),
    },
    d,
  );
