import { postForFile } from '#web/api/post-file.ts';

import { exportAnalytics } from '../contract.ts';
import type { View } from './view.ts';

export const REPORT_FORMATS = ['pdf', 'csv', 'json'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** What fails is only logged, as specified: the button comes back. */
export async function saveReport({ timeframe, asset, chartType }: View, format: ReportFormat): Promise<void> {
  try {
    const body = { timeframe, asset, chartType, format };
    await postForFile(exportAnalytics.path, body, `meridian-analytics-${asset}-${timeframe}.${format}`);
  } catch (error) {
    // oxlint-disable-next-line no-console -- the specification wants it logged and not shown
    console.warn('Analytics: the report could not be made', error);
  }
}
