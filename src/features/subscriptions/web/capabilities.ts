import type { Plan } from '#shared/contract.ts';

import { PLAN_LIMITS, PLAN_NAMES, type PlanLimits } from '../contract.ts';

export type Capability = {
  name: string;
  value: string;
  included: boolean;
  /** False while it is being built. */
  built: boolean;
};

type Flag = { [K in keyof PlanLimits]: PlanLimits[K] extends boolean ? K : never }[keyof PlanLimits];

const FLAGS: readonly (readonly [flag: Flag, name: string, built: boolean])[] = [
  ['alerts', 'Market alerts and notifications', true],
  ['customAlerts', 'Custom alerts', true],
  ['dataExport', 'Data export', true],
  ['apiKeys', 'API keys', false],
  ['advancedAnalytics', 'Advanced analytics', true],
  ['advancedExport', 'Advanced export', true],
  ['webhooks', 'Webhooks', true],
];
const RISING: readonly Plan[] = ['free', 'pro', 'premium'];

/** The lowest plan that allows it. */
const from = (allows: (limits: PlanLimits) => boolean): string => {
  const lowest = RISING.find((plan) => allows(PLAN_LIMITS[plan]));
  return lowest ? `From ${PLAN_NAMES[lowest]}` : 'Not offered';
};

function perDay(plan: Plan, limit: 'apiCallsPerDay' | 'exportsPerDay', name: string, unit: string): Capability {
  const count = PLAN_LIMITS[plan][limit];
  const built = limit === 'exportsPerDay';
  if (count === 0) return { name, value: from((limits) => limits[limit] !== 0), included: false, built };
  return {
    name,
    value: count === null ? 'Without limit' : `${count.toLocaleString('en-US')} ${unit} a day`,
    included: true,
    built,
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
      built: true,
    },
    ...FLAGS.map(([flag, name, built]) => {
      const included = PLAN_LIMITS[plan][flag];
      return { name, value: included ? 'Included' : from((limits) => limits[flag]), included, built };
    }),
    {
      name: 'Rules of your own',
      value: alertRules > 0 ? `Up to ${alertRules}` : from((limits) => limits.alertRules > 0),
      included: alertRules > 0,
      built: true,
    },
    perDay(plan, 'exportsPerDay', 'Exports', 'exports'),
    perDay(plan, 'apiCallsPerDay', 'API calls', 'API calls'),
  ];
}
