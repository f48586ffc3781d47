import { grouped } from './format.ts';

/** What may be done in a UTC day; null is without limit. */
export type DayLimits = { exportsPerDay: number | null; apiCallsPerDay: number | null };

/** Of the plans that have any, as this installation is set at the moment. */
export type PaidLimits = { pro: DayLimits; premium: DayLimits };

/** `unit` is of one: '1,000 API calls a day', '1 export a day', 'exports without limit'. */
export function perDay(count: number | null, unit: string): string {
  if (count === null) return `unlimited ${unit}s`;
  return `${grouped(count)} ${unit}${count === 1 ? '' : 's'} a day`;
}
