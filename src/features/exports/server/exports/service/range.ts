import type { ExportRange } from '#features/exports/contract/exports.ts';
import { AppError } from '#kernel/errors.ts';

const DAY_MS = 86_400_000;
const DAYS: Record<Exclude<ExportRange, 'all' | 'custom'>, number> = {
  '1d': 1,
  '7d': 7,
  '30d': 30,
  '90d': 90,
  '1y': 365,
};

/** Both included; `from` null is everything stored. */
export type Range = { from: Date | null; to: Date };
type Asked = { dateRange: ExportRange; startDate?: string | undefined; endDate?: string | undefined };

const midnight = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);

/** The times a range currently covers. Throws `bad_request` with one sentence for an invalid range. */
export function resolveRange({ dateRange, startDate, endDate }: Asked, now: Date): Range {
  if (dateRange !== 'custom') {
    if (startDate !== undefined || endDate !== undefined)
      throw new AppError('bad_request', 'Start and end dates require a custom range');
    const from = dateRange === 'all' ? null : new Date(now.getTime() - DAYS[dateRange] * DAY_MS);
    return { from, to: now };
  }
  if (startDate === undefined || endDate === undefined)
    throw new AppError('bad_request', 'A custom range needs a start and an end date');
  if (startDate > endDate) throw new AppError('bad_request', 'The end date is before the start date');
  const today = now.toISOString().slice(0, 10);
  if (endDate > today) throw new AppError('bad_request', 'The end date is in the future');
  const end = midnight(endDate) + DAY_MS - 1;
  return { from: new Date(midnight(startDate)), to: new Date(Math.min(end, now.getTime())) };
}
