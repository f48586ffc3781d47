import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import type { Plan } from '#shared/contract.ts';
import { type PaidLimits, perDay } from '#shared/day-limits.ts';
import { grouped } from '#shared/format.ts';

export type Features = {
  about: string;
  /** Features available today. */
  now: readonly string[];
};

const { free, pro, premium } = PLAN_LIMITS;

const callsText = (count: number | null | undefined): string => {
  if (count === undefined) return 'API calls';
  return count === null ? 'Unlimited API calls' : perDay(count, 'API call');
};

function exportsText(count: number | null | undefined): string {
  if (count === undefined) return '';
  return count === null ? ', unlimited' : `, ${grouped(count)} a day`;
}

/** Features of each plan; daily limits are omitted until known. */
export const planFeatures = (limits: PaidLimits | undefined): Record<Plan, Features> => ({
  free: {
    about: 'The full dashboard, with source and age for every number.',
    now: [
      'Market dashboard with live prices',
      'Metrics: dominance, exchange flow, SSR, derivatives, on-chain',
      'Fear and greed',
      'Trending narratives and Layer 1 blockchains',
      'AI analysis and track record',
      'Events and inflation',
      `History of the last ${free.historyDays} days`,
    ],
  },
  pro: {
    about: 'Everything in Free, plus alerts the moment something happens.',
    now: [
      'Real-time market alerts and alert history',
      `${pro.alertRules} custom alert thresholds, each backtested on 90 days before you save it`,
      'Email, push and Telegram notifications',
      'Full history',
      `Data export: CSV, JSON and Excel${exportsText(limits?.pro.exportsPerDay)}`,
      `${callsText(limits?.pro.apiCallsPerDay)}, for programs and AI assistants`,
    ],
  },
  premium: {
    about: 'Everything in Pro, plus advanced analytics and automation.',
    now: [
      `${premium.alertRules} custom alert thresholds`,
      'Signed webhooks, plus Discord and Slack',
      'Priority notifications',
      'Advanced exports: PDF, XML, scheduled',
      'Unlimited exports and custom date ranges',
      'White-label reports',
      'Advanced analytics: live charts, correlation, risk',
      callsText(limits?.premium.apiCallsPerDay),
    ],
  },
  admin: {
    about: 'All features, plus administration.',
    now: ['All features', 'Admin dashboard', 'Error logs'],
  },
});
