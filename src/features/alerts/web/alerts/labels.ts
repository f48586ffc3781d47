import type { Alert, AlertType, Severity } from '#features/alerts/contract/alerts.ts';
import { CallError } from '#ui/api/client.ts';

export const SEVERITY_WORDS: Record<Severity, string> = { high: 'High', medium: 'Medium', low: 'Low' };

export const TYPE_WORDS: Record<AlertType, string> = {
  PRICE_BULLISH_MOVE: 'Price up',
  PRICE_BEARISH_MOVE: 'Price down',
  EXCHANGE_INFLOW: 'Exchange inflow',
  EXCHANGE_OUTFLOW: 'Exchange outflow',
  STABLECOIN_GROWTH: 'Stablecoin growth',
  STABLECOIN_DECLINE: 'Stablecoin decline',
  BTC_DOMINANCE_SHIFT: 'Bitcoin dominance',
  SSR_LEVEL: 'SSR',
  FUNDING_EXTREME_BULLISH: 'Funding, bullish',
  FUNDING_EXTREME_BEARISH: 'Funding, bearish',
  LIQUIDATION_SPIKE: 'Liquidations',
  FEAR_GREED_EXTREME: 'Fear and greed',
  AI_CONSENSUS_BULLISH: 'AI consensus bullish',
  AI_CONSENSUS_BEARISH: 'AI consensus bearish',
  INFLATION_SURPRISE: 'Inflation',
  UPCOMING_EVENT: 'Upcoming event',
  CUSTOM_THRESHOLD: 'Your rule',
  RULES_PAUSED: 'Your rules',
};

/** The page of the alert's subject. */
export function alertLink({
  type,
  thresholdId,
}: Pick<Alert, 'type' | 'thresholdId'>): readonly [string, string] | null {
  if (type === 'UPCOMING_EVENT') return ['/app/events', 'See events'];
  return thresholdId !== null || type === 'RULES_PAUSED' ? ['/app/custom-alerts', 'See your rules'] : null;
}

export const isOver = ({ type, eventDate }: Pick<Alert, 'type' | 'eventDate'>, now: number): boolean =>
  type === 'UPCOMING_EVENT' && eventDate !== null && Date.parse(eventDate) < now;

/** Message when the list could not be loaded. */
export const failureText = (error: Error | null): string =>
  error instanceof CallError && error.status === 401 ? 'Authentication required' : 'Failed to fetch alerts';
