import { PLAN_LIMITS, PLAN_NAMES, PLAN_PRICES_USD, type PlanLimits } from '#features/subscriptions/contract.ts';

const PLANS = ['free', 'pro', 'premium'] as const;

const whole = new Intl.NumberFormat('en-US');
const yesNo = (has: boolean) => (has ? 'Yes' : 'No');
const allowed = (count: number | null) => (count === null ? 'Unlimited' : count === 0 ? 'None' : whole.format(count));

const LINES: readonly (readonly [what: string, of: (limits: PlanLimits) => string])[] = [
  ['History shown', ({ historyDays }) => (historyDays === null ? 'All that is stored' : `${historyDays} days`)],
  ['Market alerts', ({ alerts }) => yesNo(alerts)],
  ['Custom alert thresholds', ({ customAlerts }) => yesNo(customAlerts)],
  ['Rules of your own', ({ alertRules }) => allowed(alertRules)],
  ['Data export', ({ dataExport }) => yesNo(dataExport)],
  ['Exports a day', ({ exportsPerDay }) => allowed(exportsPerDay)],
  ['API keys', ({ apiKeys }) => yesNo(apiKeys)],
  ['API calls a day', ({ apiCallsPerDay }) => allowed(apiCallsPerDay)],
  ['Advanced export', ({ advancedExport }) => yesNo(advancedExport)],
  ['Advanced analytics', ({ advancedAnalytics }) => yesNo(advancedAnalytics)],
  ['Webhooks', ({ webhooks }) => yesNo(webhooks)],
];

/** '29.99', '99', '0': cents only where there are any. */
export const usd = (price: number): string => `$${Number.isInteger(price) ? price : price.toFixed(2)}`;

/** Plans as they are checked: the same table that the server reads. */
export function PlanTable() {
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
          <th scope="row">Price a month</th>
          {PLANS.map((plan) => (
            <td key={plan}>{usd(PLAN_PRICES_USD[plan])}</td>
          ))}
        </tr>
        {LINES.map(([what, of]) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            {PLANS.map((plan) => (
              <td key={plan}>{of(PLAN_LIMITS[plan])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
