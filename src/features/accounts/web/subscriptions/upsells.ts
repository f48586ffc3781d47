import type { Plan } from '#shared/contract.ts';
import { type PaidLimits, perDay } from '#shared/day-limits.ts';

export type PaidPlan = Extract<Plan, 'pro' | 'premium'>;

/** The alerts of paid plans, as every offer lists them. */
export const ALERT_KINDS: readonly string[] = [
  'Unusual moves in BTC, ETH, SOL, SUI and XRP',
  'Exchange inflows and outflows',
  'Stablecoin supply growth and decline',
  'Bitcoin dominance shifts',
  'Stablecoin supply ratio (SSR) levels',
  'Extreme funding, liquidations and sentiment',
  'AI consensus turning bullish or bearish',
  'Inflation surprises',
  'High-impact events, three days and one day ahead',
];

export type UpsellText = {
  title: string;
  access: PaidPlan;
  about: string;
  holds: readonly string[];
  /** Messages of this page for signed-out users and for lower plans. */
  refusal?: readonly [signedOut: string, lower: string];
};

/** Pages that require a plan, by the last segment of their URL. */
export const UPSELLS = {
  alerts: {
    title: 'Market Alerts',
    access: 'pro',
    about: 'Round-the-clock market monitoring that alerts you the moment something happens.',
    holds: ALERT_KINDS,
  },
  'custom-alerts': {
    title: 'Custom Alerts',
    access: 'pro',
    about: 'Your own rules on any dashboard metric, with an alert when one is met.',
    holds: [
      'Prices of BTC, ETH, SOL and every other listed coin',
      'SSR, Bitcoin dominance, exchange flow, fear and greed, volume',
      'VIX and the dollar index',
      'AI predictions for the short, medium and long term, and overall',
      'Above, below, equals, or a change within 24 hours',
      'Each rule backtested on 90 days before you save it',
    ],
  },
  'data-export': {
    title: 'Data Export',
    access: 'pro',
    about: 'Export dashboard data, with source and time for every number.',
    holds: ['CSV, JSON and Excel', 'Ranges from one day to the full history'],
    refusal: [
      'Authentication required. Please log in to access data export features.',
      'Premium subscription required. Data export is only available for Pro, Premium users, or administrators.',
    ],
  },
  'advanced-export': {
    title: 'Advanced Export',
    access: 'premium',
    about: 'Multiple data types in one file, on demand or on a schedule.',
    holds: [
      'CSV, JSON, Excel, PDF and XML',
      'Daily, weekly and monthly schedules',
      'Custom date ranges',
      'Unlimited exports',
    ],
  },
  'advanced-analytics': {
    title: 'Advanced Analytics',
    access: 'premium',
    about: 'Charts, correlations and statistics for the tracked coins on one page.',
    holds: [
      'Charts from one minute to one month: candlestick, bar, line and area',
      'How BTC, ETH, SOL, SUI and XRP move together: ten pairs',
      'AI prediction track record',
      'Derivatives and on-chain metrics, each with its source',
    ],
  },
} as const satisfies Record<string, UpsellText>;

export type UpsellPage = keyof typeof UPSELLS;

function exportsText(limits: PaidLimits | undefined): string {
  if (!limits) return 'Unlimited exports with Premium+';
  const { exportsPerDay: count } = limits.pro;
  return count === null ? 'Unlimited exports' : `${perDay(count, 'export')}, no limit with Premium+`;
}

/** Includes daily limits once known. */
export function buildUpsell(page: UpsellPage, limits: PaidLimits | undefined): UpsellText {
  const text: UpsellText = UPSELLS[page];
  return page === 'data-export' ? { ...text, holds: [...text.holds, exportsText(limits)] } : text;
}
