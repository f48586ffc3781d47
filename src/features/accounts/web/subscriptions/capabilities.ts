import { PLAN_LIMITS, PLAN_NAMES, type PlanLimits } from '#features/accounts/contract/subscriptions.ts';
import type { Plan } from '#shared/contract.ts';
import { type DayLimits, type PaidLimits, perDay } from '#shared/day-limits.ts';

export type Capability = {
  name: string;
  value: string;
  included: boolean;
};

type Flag = { [K in keyof PlanLimits]: PlanLimits[K] extends boolean ? K : never }[keyof PlanLimits];

const FLAGS: readonly (readonly [flag: Flag, name: string])[] = [
  ['alerts', 'Market alerts and notifications'],
  ['customAlerts', 'Custom alerts'],
  ['dataExport', 'Data export'],
  ['apiKeys', 'API keys'],
  ['advancedAnalytics', 'Advanced analytics'],
  ['advancedExport', 'Advanced export'],
  ['webhooks', 'Webhooks'],
];
const RISING: readonly Plan[] = ['free', 'pro', 'premium'];

/** The lowest plan that allows it. */
const from = (allows: (limits: PlanLimits) => boolean): string => {
  const lowest = RISING.find((plan) => allows(PLAN_LIMITS[plan]));
  return lowest ? `From ${PLAN_NAMES[lowest]}` : 'Not included';
};

const DAILY = { exportsPerDay: ['Exports', 'export'], apiCallsPerDay: ['API calls', 'API call'] } as const;

function daily(plan: Plan, limit: keyof DayLimits, limits: PaidLimits | undefined): Capability {
  const [name, unit] = DAILY[limit];
  if (plan === 'free') return { name, value: `From ${PLAN_NAMES.pro}`, included: false };
  const count = plan === 'admin' ? null : limits?.[plan][limit];
  if (count === undefined) return { name, value: 'Included', included: true };
  return { name, value: count === null ? 'Unlimited' : perDay(count, unit), included: true };
}

/** What a plan allows, as its one table says it; of a day as this installation is set, once that is known. */
export function capabilitiesOf(plan: Plan, limits: PaidLimits | undefined): Capability[] {
  const { historyDays, alertRules } = PLAN_LIMITS[plan];
  return [
    {
      name: 'History',
      value: historyDays === null ? 'Full history' : `The last ${historyDays} days`,
      included: true,
    },
    ...FLAGS.map(([flag, name]) => {
      const included = PLAN_LIMITS[plan][flag];
      return { name, value: included ? 'Included' : from((limits) => limits[flag]), included };
    }),
    {
      name: 'Custom alert rules',
      value: alertRules > 0 ? `Up to ${alertRules}` : from((limits) => limits.alertRules > 0),
      included: alertRules > 0,
    },
    daily(plan, 'exportsPerDay', limits),
    daily(plan, 'apiCallsPerDay', limits),
  ];
}
