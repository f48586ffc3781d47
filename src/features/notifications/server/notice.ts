import type { AlertType } from '#features/alerts/contract.ts';
import { TRACKED } from '#features/market/contract.ts';
import { COIN_PREFIX, watchedOf } from '#shared/watched.ts';

import type { Notice } from './channel.ts';
import type { NoticeRow } from './store/notices.ts';

const LONGEST_TITLE = 80;

const TITLES: Partial<Record<AlertType, string>> = {
  PRICE_BULLISH_MOVE: 'Price up',
  PRICE_BEARISH_MOVE: 'Price down',
  EXCHANGE_INFLOW: 'Exchange inflow',
  EXCHANGE_OUTFLOW: 'Exchange outflow',
  STABLECOIN_GROWTH: 'Stablecoin growth',
  STABLECOIN_DECLINE: 'Stablecoin decline',
  BTC_DOMINANCE_SHIFT: 'Bitcoin dominance',
  SSR_LEVEL: 'Stablecoin supply ratio',
  FUNDING_EXTREME_BULLISH: 'Funding, bullish extreme',
  FUNDING_EXTREME_BEARISH: 'Funding, bearish extreme',
  LIQUIDATION_SPIKE: 'Liquidations',
  FEAR_GREED_EXTREME: 'Fear and greed',
  AI_CONSENSUS_BULLISH: 'AI consensus is bullish',
  AI_CONSENSUS_BEARISH: 'AI consensus is bearish',
  INFLATION_SURPRISE: 'Inflation surprise',
  RULES_PAUSED: 'Your rules are paused',
};

const symbolOf = (coinId: string): string | null => TRACKED.find(({ id }) => id === coinId)?.symbol ?? null;

/** At most 80 characters, whole ones; `end` is never cut. */
export function shortTitle(text: string, end = ''): string {
  const characters = Array.from(text.trim());
  const room = LONGEST_TITLE - end.length;
  return `${characters.length <= room ? text.trim() : `${characters.slice(0, room - 1).join('')}…`}${end}`;
}

/** The coin of a price rule or of a price move; null where it is about no single asset. */
function assetOf({ kind, payload, detail }: NoticeRow): string | null {
  const metric = payload.metric ?? '';
  if (kind.startsWith('PRICE_')) return symbolOf(detail?.gate?.split(':')[1] ?? '');
  if (metric.startsWith(COIN_PREFIX)) return symbolOf(metric.slice(COIN_PREFIX.length));
  return metric.endsWith('_price') ? symbolOf(watchedOf(metric)?.coinId ?? '') : null;
}

function titleOf(row: NoticeRow): string {
  const { kind, payload } = row;
  const message = payload.message ?? '';
  // A rule's sentence begins with its name.
  if (kind === 'CUSTOM_THRESHOLD') return shortTitle(message);
  const words = TITLES[kind as AlertType] ?? 'Market alert';
  const asset = assetOf(row);
  return asset ? `${asset}: ${words}` : words;
}

/** What is told of an outbox row, by every channel. */
export function noticeOf(row: NoticeRow): Notice {
  const { kind, category, severity, payload, raised_at, alert_id, source, source_at } = row;
  if (payload.notice) return { kind, category, severity, ...payload.notice };
  return {
    kind,
    category,
    severity,
    title: titleOf(row),
    body: payload.message ?? '',
    path: category === 'rules' ? '/app/custom-alerts' : '/app/alerts',
    tag: `alert-${alert_id}`,
    asset: assetOf(row),
    metric: payload.metric ?? null,
    value: payload.value ?? null,
    at: source_at ?? raised_at,
    source,
    eventDate: payload.eventDate ?? null,
  };
}
