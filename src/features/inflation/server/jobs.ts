import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';

import type { Inflation } from './service.ts';
import { AGENCY_SOURCES, EXPECTATION_SOURCES, INDEX_SOURCES } from './sources.ts';

/** Checks for releases, and forecasts the upcoming ones. */
export function inflationJobs(inflation: Inflation): Job[] {
  return [
    defineJob({
      name: 'inflation.check',
      about: 'Checks for due CPI, PCE and PPI releases',
      schedule: ['*/5 * * * *'],
      exclusive: true,
      retryLimit: 0,
      collectsSources: true,
      payload: noPayload,
      run: (_, signal) => inflation.check(signal),
    }),
    defineJob({
      name: 'inflation.refresh',
      about: 'Collects price indexes with revisions, nowcasts and expectations',
      schedule: ['26 */6 * * *'],
      exclusive: true,
      retryLimit: 1,
      reads: [...INDEX_SOURCES, ...AGENCY_SOURCES, ...EXPECTATION_SOURCES].map(({ source }) => source),
      payload: noPayload,
      run: (_, signal) => inflation.refresh(signal),
    }),
    defineJob({
      name: 'inflation.forecast',
      about: 'Requests forecasts for the next CPI and PCE releases and commentary on the latest figures',
      schedule: ['4,34 * * * *'],
      exclusive: true,
      retryLimit: 0,
      expireSeconds: 900,
      payload: noPayload,
      run: (_, signal) => inflation.askAnalysts(signal),
    }),
  ];
}
