import type { Alert, RaisedAlert } from '#features/alerts/contract/alerts.ts';
import { NOON } from '#ui/testing/figures.ts';

const iso = (ms: number) => new Date(ms).toISOString();

/** Raised three minutes before noon unless stated otherwise. */
export function raisedOf(id: number, change: Partial<RaisedAlert> = {}, at = NOON - 180_000): RaisedAlert {
  return {
    id,
    type: 'SSR_LEVEL',
    severity: 'low',
    message: `Alert ${id}`,
    metric: 'ssr',
    value: 5.9,
    timestamp: iso(at),
    eventDate: null,
    eventId: null,
    thresholdId: null,
    receipt: { sourceAt: iso(at - 1_500), receivedAt: iso(at - 300), evaluatedAt: iso(at), queuedAt: iso(at + 7) },
    meta: { source: 'coingecko', observedAt: iso(at - 1_500), fetchedAt: iso(at - 300), method: 'measured' },
    ...change,
  };
}

export const alertOf = (id: number, change: Partial<Alert> = {}, at?: number): Alert => ({
  ...raisedOf(id, change, at),
  acknowledged: false,
  ...change,
});

/** `count` alerts, newest first, with ids up to `newest`. */
export const many = (count: number, newest = count): Alert[] =>
  Array.from({ length: count }, (_, i) => alertOf(newest - i));

const DAY_MS = 86_400_000;

/** One of each kind with its own display. */
export const someAlerts: Alert[] = [
  alertOf(29, { type: 'PRICE_BEARISH_MOVE', severity: 'high', message: 'BTC fell 8.4% in 24 hours' }, NOON - 20_000),
  alertOf(28, {
    type: 'UPCOMING_EVENT',
    severity: 'medium',
    message: 'US CPI, October is in 3 days',
    value: null,
    eventDate: iso(NOON + 3 * DAY_MS),
    eventId: 2,
  }),
  alertOf(
    27,
    {
      type: 'UPCOMING_EVENT',
      severity: 'medium',
      message: 'PPI is in 1 day',
      value: null,
      eventDate: iso(NOON - DAY_MS),
      eventId: 9,
    },
    NOON - 2 * DAY_MS,
  ),
  alertOf(
    26,
    { type: 'CUSTOM_THRESHOLD', severity: 'medium', message: 'BTC went above 70,000 USD', thresholdId: 5 },
    NOON - 2 * 3_600_000,
  ),
  alertOf(25, { acknowledged: true, message: 'SSR fell below 6' }),
];
