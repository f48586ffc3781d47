import { askForFile, keepFile, nameOf } from '#web/api/file.ts';

import { exportAnalytics } from '../contract.ts';
import type { View } from './view.ts';

export const REPORT_FORMATS = ['pdf', 'csv', 'json'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** What fails is only logged, as specified: the button comes back. */
export async function saveReport({ timeframe, asset, chartType }: View, format: ReportFormat): Promise<void> {
  try {
    const body = { timeframe, asset, chartType, format };
    const answer = await askForFile(exportAnalytics.path, { body });
    keepFile(await answer.blob(), nameOf(answer) ?? `meridian-analytics-${asset}-${timeframe}.${format}`);
  } catch (error) {
    // oxlint-disable-next-line no-console -- the specification wants it logged and not shown
    console.warn('Analytics: the report could not be made', error);
  }
}
