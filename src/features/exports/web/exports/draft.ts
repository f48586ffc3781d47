import type { ExportFormat, ExportRange, ExportType } from '#features/exports/contract/exports.ts';

/** Form state of the advanced page; dates in date-input format. */
export type Draft = {
  dataTypes: readonly ExportType[];
  dateRange: ExportRange;
  startDate: string;
  endDate: string;
  format: ExportFormat;
  includeMetadata: boolean;
  compression: boolean;
};

export const FIRST_DRAFT: Draft = {
  dataTypes: ['crypto_prices'],
  dateRange: '7d',
  startDate: '',
  endDate: '',
  format: 'json',
  includeMetadata: true,
  compression: true,
};

export const packs = ({ format }: Pick<Draft, 'format'>): boolean => format === 'csv' || format === 'json';

/** All data includes every other type. */
export const selectedTypes = ({ dataTypes }: Draft): ExportType[] =>
  dataTypes.includes('all_data') ? ['all_data'] : [...dataTypes];

export type DateProblems = { startDate?: string; endDate?: string };

/** Validates a custom range; days are UTC, both included. `today` as 2026-01-31. */
export function dateProblems({ dateRange, startDate, endDate }: Draft, today: string): DateProblems {
  if (dateRange !== 'custom') return {};
  if (startDate === '') return { startDate: 'Choose a start date' };
  if (startDate > today) return { startDate: 'The start date is in the future' };
  if (endDate === '') return { endDate: 'Choose an end date' };
  if (endDate > today) return { endDate: 'The end date is in the future' };
  return endDate < startDate ? { endDate: 'The end date is before the start date' } : {};
}

/** Fields shared by exports and schedules. */
export const sharedBody = (draft: Draft) => ({
  dataTypes: selectedTypes(draft),
  format: draft.format,
  includeMetadata: draft.includeMetadata,
  compression: draft.compression && packs(draft),
});

export const requestBody = (draft: Draft) => ({
  ...sharedBody(draft),
  dateRange: draft.dateRange,
  ...(draft.dateRange === 'custom' ? { startDate: draft.startDate, endDate: draft.endDate } : {}),
});
