import type { Refusal } from '#server/platform/route.ts';

/** For those who are not signed in, and for those on the free plan. */
export const REFUSAL: Refusal = [
  'Authentication required. Please log in to access data export features.',
  'Premium subscription required. Data export is only available for Pro, Premium users, or administrators.',
];

export const NEEDS_PREMIUM =
  'This export needs Premium+: several kinds of data in one file, PDF, XML, alerts, backtest results and custom date ranges.';

export const FAILED = 'Failed to create export. Please try again.';
