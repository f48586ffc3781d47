import { grouped } from './format.ts';

/** Limits per UTC day; null means unlimited. */
export type DayLimits = { exportsPerDay: number | null; apiCallsPerDay: number | null };

/** Limits of the paid plans, as currently configured on this installation. */
export type PaidLimits = { pro: DayLimits; premium: DayLimits };

/** `unit` is singular: '1,000 API calls a day', '1 export a day', 'exports without limit'. */
export function perDay(count: number | null, unit: string): string {
  if (count === null) return `unlimited ${unit}s`;
  return `${grouped(count)} ${unit}${count === 1 ? '' : 's'} a day`;
}
