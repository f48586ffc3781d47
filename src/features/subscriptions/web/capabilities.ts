import type { Plan } from '#shared/contract.ts';

import { PLAN_LIMITS, PLAN_NAMES, type PlanLimits } from '../contract.ts';

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
  return lowest ? `From ${PLAN_NAMES[lowest]}` : 'Not offered';
};

function perDay(plan: Plan, limit: 'apiCallsPerDay' | 'exportsPerDay', name: string, unit: string): Capability {
  const count = PLAN_LIMITS[plan][limit];
  if (count === 0) return { name, value: from((limits) => limits[limit] !== 0), included: false };
  return {
    name,
    value: count === null ? 'Without limit' : `${count.toLocaleString('en-US')} ${unit} a day`,
    included: true,
  };
}

/** What a plan allows, as its one table says it. */
export function capabilitiesOf(plan: Plan): Capability[] {
  const { historyDays, alertRules } = PLAN_LIMITS[plan];
  return [
    {
      name: 'History',
      value: historyDays === null ? 'Everything that is stored' : `The last ${historyDays} days`,
      included: true,
    },
    ...FLAGS.map(([flag, name]) => {
      const included = PLAN_LIMITS[plan][flag];
      return { name, value: included ? 'Included' : from((limits) => limits[flag]), included };
    }),
    {
      name: 'Rules of your own',
      value: alertRules > 0 ? `Up to ${alertRules}` : from((limits) => limits.alertRules > 0),
      included: alertRules > 0,
    },
    perDay(plan, 'exportsPerDay', 'Exports', 'exports'),
    perDay(plan, 'apiCallsPerDay', 'API calls', 'API calls'),
  ];
}
