import type { Config } from '#kernel/config.ts';
import type { Plan } from '#shared/contract.ts';
import type { DayLimits } from '#shared/day-limits.ts';

type Calls = Pick<Config, 'API_CALLS_PER_DAY_PRO' | 'API_CALLS_PER_DAY_PREMIUM'>;
type Exports = Pick<Config, 'EXPORTS_PER_DAY'>;

/** Calls of the public API in a UTC day; null is without limit. */
export function callsPerDayOf(config: Calls, plan: Plan): number | null {
  if (plan === 'admin') return null;
  if (plan === 'free') return 0;
  return (plan === 'pro' ? config.API_CALLS_PER_DAY_PRO : config.API_CALLS_PER_DAY_PREMIUM) || null;
}

/** Exports in a UTC day; null is without limit. */
export function exportsPerDayOf(config: Exports, plan: Plan): number | null {
  if (plan === 'free') return 0;
  return plan === 'pro' ? config.EXPORTS_PER_DAY : null;
}

/** As they are checked at this moment: settings change while the product runs. */
export const dayLimitsOf = (config: Calls & Exports, plan: Plan): DayLimits => ({
  exportsPerDay: exportsPerDayOf(config, plan),
  apiCallsPerDay: callsPerDayOf(config, plan),
});
