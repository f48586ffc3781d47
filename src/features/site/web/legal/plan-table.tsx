import { PLAN_LIMITS, PLAN_NAMES, type PlanLimits } from '#features/accounts/contract/subscriptions.ts';
import type { About } from '#features/site/contract/legal.ts';
import type { DayLimits } from '#shared/day-limits.ts';
import { grouped } from '#shared/format.ts';

const PLANS = ['free', 'pro', 'premium'] as const;

const yesNo = (has: boolean) => (has ? 'Yes' : 'No');
const allowed = (count: number | null) => (count === null ? 'Unlimited' : count === 0 ? 'None' : grouped(count));

const LINES: readonly (readonly [what: string, of: ((limits: PlanLimits) => string) | keyof DayLimits])[] = [
  ['History shown', ({ historyDays }) => (historyDays === null ? 'Full history' : `${historyDays} days`)],
  ['Market alerts', ({ alerts }) => yesNo(alerts)],
  ['Custom alert thresholds', ({ customAlerts }) => yesNo(customAlerts)],
  ['Custom alert rules', ({ alertRules }) => allowed(alertRules)],
  ['Data export', ({ dataExport }) => yesNo(dataExport)],
  ['Exports per day', 'exportsPerDay'],
  ['API keys', ({ apiKeys }) => yesNo(apiKeys)],
  ['API calls per day', 'apiCallsPerDay'],
  ['Advanced export', ({ advancedExport }) => yesNo(advancedExport)],
  ['Advanced analytics', ({ advancedAnalytics }) => yesNo(advancedAnalytics)],
  ['Webhooks', ({ webhooks }) => yesNo(webhooks)],
];

/** '29.99', '99', '0': cents only if there are any. */
export const usd = (price: number): string => `$${Number.isInteger(price) ? price : price.toFixed(2)}`;

/** '7 days', '1 day'. */
export const daysText = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

/** Prices; undefined until known. */
export type Plans = About['plans'] | undefined;

const UNKNOWN = 'See the plans page';

function daily(plan: (typeof PLANS)[number], limit: keyof DayLimits, plans: Plans): string {
  if (plan === 'free') return allowed(0);
  return plans ? allowed(plans.limits[plan][limit]) : UNKNOWN;
}

/** Plans as enforced: the server's table, with the prices and settings of this installation. */
export function PlanTable({ plans }: { plans: Plans }) {
  const prices = [usd(0), ...(['pro', 'premium'] as const).map((plan) => (plans ? usd(plans[plan]) : UNKNOWN))];
  return (
    <table>
      <caption className="sr-only">Plans, prices and limits</caption>
      <thead>
        <tr>
          <th scope="col">Plan</th>
          {PLANS.map((plan) => (
            <th key={plan} scope="col">
              {PLAN_NAMES[plan]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="num">
        <tr>
          <th scope="row">Price per month</th>
          {PLANS.map((plan, i) => (
            <td key={plan}>{prices[i]}</td>
          ))}
        </tr>
        {LINES.map(([what, of]) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            {PLANS.map((plan) => (
              <td key={plan}>{typeof of === 'string' ? daily(plan, of, plans) : of(PLAN_LIMITS[plan])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
