import type { AlertType } from '#features/alerts/contract/alerts.ts';
import { TRACKED } from '#features/market/contract/market.ts';
import { COIN_PREFIX } from '#shared/figures.ts';
import { compact, percent, price } from '#shared/format.ts';
import { GLOSSARY } from '#shared/glossary.ts';
import { directionOf, findWatched, type Watched } from '#shared/watched.ts';

import type { Notice } from './channel.ts';
import type { NoticeRow } from './store/log.ts';

const MAX_TITLE_LENGTH = 80;

const TITLES: Partial<Record<AlertType, string>> = {
  PRICE_BULLISH_MOVE: 'Price up',
  PRICE_BEARISH_MOVE: 'Price down',
  EXCHANGE_INFLOW: 'Exchange inflow',
  EXCHANGE_OUTFLOW: 'Exchange outflow',
  STABLECOIN_GROWTH: 'Stablecoin growth',
  STABLECOIN_DECLINE: 'Stablecoin decline',
  BTC_DOMINANCE_SHIFT: 'Bitcoin dominance',
  SSR_LEVEL: 'Stablecoin supply ratio',
  FUNDING_EXTREME_BULLISH: 'Extreme funding (bullish)',
  FUNDING_EXTREME_BEARISH: 'Extreme funding (bearish)',
  LIQUIDATION_SPIKE: 'Liquidations',
  FEAR_GREED_EXTREME: 'Fear and greed',
  AI_CONSENSUS_BULLISH: 'AI consensus turned bullish',
  AI_CONSENSUS_BEARISH: 'AI consensus turned bearish',
  INFLATION_SURPRISE: 'Inflation surprise',
  RULES_PAUSED: 'Your alert rules are paused',
};

const trackedSymbol = (coinId: string): string | null => TRACKED.find(({ id }) => id === coinId)?.symbol ?? null;

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\\.?';
const DATE = new RegExp(`\\d{4}-\\d{2}-\\d{2}|(?:\\d{1,2} )?\\b${MONTH} \\d{1,4}(?:,? \\d{4})?`, 'g');

/** At most 80 characters; cut between words and never inside a date. `end` is never cut. */
export function shortTitle(text: string, end = ''): string {
  const whole = text.trim();
  const characters = Array.from(whole);
  const room = MAX_TITLE_LENGTH - end.length;
  if (characters.length <= room) return whole + end;
  const start = characters.slice(0, room - 1).join('');
  const inside = [...whole.matchAll(DATE)].find(
    ({ index, 0: date }) => index < start.length && index + date.length > start.length,
  );
  const place = inside ? inside.index : start.length;
  const space = /\s/.test(whole.charAt(place)) ? place : start.slice(0, place).search(/\s+\S*$/);
  // A single word that is too long is cut at the limit.
  return `${start.slice(0, space > 0 ? space : place).trimEnd()}…${end}`;
}

/** The coin of a price rule or price move; null when it is not about a single asset. */
function noticeAsset({ kind, payload, detail }: NoticeRow): string | null {
  const metric = payload.metric ?? '';
  if (kind.startsWith('PRICE_')) return trackedSymbol(detail?.gate?.split(':')[1] ?? '');
  if (metric.startsWith(COIN_PREFIX)) return trackedSymbol(metric.slice(COIN_PREFIX.length));
  return metric.endsWith('_price') ? trackedSymbol(findWatched(metric)?.coinId ?? '') : null;
}

function noticeTitle(row: NoticeRow): string {
  const { kind, payload } = row;
  const message = payload.message ?? '';
  // A rule's sentence begins with its name.
  if (kind === 'CUSTOM_THRESHOLD') return shortTitle(message);
  const words = TITLES[kind as AlertType] ?? 'Market alert';
  const asset = noticeAsset(row);
  return asset ? `${asset}: ${words}` : words;
}

/** The notice of an outbox row, for every channel. */
export function toNotice(row: NoticeRow): Notice {
  const { kind, category, severity, payload, raised_at, alert_id, source, source_at } = row;
  if (payload.notice) return { kind, category, severity, ...payload.notice };
  return {
    kind,
    category,
    severity,
    title: noticeTitle(row),
    body: payload.message ?? '',
    path: category === 'rules' ? '/app/custom-alerts' : '/app/alerts',
    tag: `alert-${alert_id}`,
    asset: noticeAsset(row),
    // For a rule that watches a change, the value is that change: `btc_price~change`.
    metric: row.detail?.seen?.[0]?.series ?? payload.metric ?? null,
    value: payload.value ?? null,
    at: source_at ?? raised_at,
    source,
    eventDate: payload.eventDate ?? null,
  };
}

export type Figure = {
  /** Its display name. */
  name: string;
  text: string;
};

const grouped = (value: number, decimals: number) =>
  new Intl.NumberFormat('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
    .format(value)
    .replace('-', '\u2212');
const dollars = (text: string) => (text.startsWith('-') ? `\u2212$${text.slice(1)}` : `$${text}`);
const sizeText = (value: number) => dollars(Math.abs(value) >= 1e6 ? compact(value) : price(value));

const CHANGES: Readonly<Record<string, { what: string; unit: string }>> = {
  change: { what: '24h change', unit: '%' },
  sigma: { what: '24h change in typical daily moves', unit: ' σ' },
  range: { what: 'beyond its 24h range', unit: '%' },
};

function watchedText({ unit, decimals }: Watched, value: number): string {
  if (unit === 'USD') return sizeText(value);
  if (unit === 'direction') {
    const word = directionOf(value);
    return word.charAt(0) + word.slice(1).toLowerCase();
  }
  if (unit === 'BTC') return `${grouped(value, decimals)} BTC`;
  return unit === '%' ? `${grouped(value, decimals)}%` : grouped(value, decimals);
}

const SIGNED: ReadonlySet<string> = new Set(['coin.change', 'inflation.mom']);

/** Formats a value of any alert metric with its unit. `metric~change` is its change over 24 hours. */
export function figureText(metric: string, value: number): Figure {
  const [base = '', kind] = metric.split('~');
  const watched = findWatched(base);
  const term = Object.hasOwn(GLOSSARY, base) ? GLOSSARY[base] : undefined;
  const name = watched?.name ?? term?.name ?? base;
  const change = kind === undefined ? undefined : CHANGES[kind];
  if (change) return { name: `${name}, ${change.what}`, text: grouped(value, 2) + change.unit };
  if (watched) return { name, text: watchedText(watched, value) };
  if (SIGNED.has(base)) return { name, text: percent(value) };
  const unit = term?.unit ?? '';
  if (unit === 'USD') return { name, text: sizeText(value) };
  if (unit.startsWith('percent per') || unit === 'percentage points')
    return { name, text: `${grouped(value, 3)} ${unit}` };
  if (unit.startsWith('percent')) return { name, text: `${grouped(value, 2)}%` };
  if (unit === 'BTC' || unit === 'ETH') return { name, text: `${grouped(value, 0)} ${unit}` };
  return { name, text: Math.abs(value) >= 1e6 ? compact(value) : grouped(value, Number.isInteger(value) ? 0 : 2) };
}
