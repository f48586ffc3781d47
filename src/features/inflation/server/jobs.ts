import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';

import type { Inflation } from './service.ts';
import { AGENCY_SOURCES, EXPECTATION_SOURCES, INDEX_SOURCES } from './sources.ts';

/** Looking for releases, and asking about those to come. */
export function inflationJobs(inflation: Inflation): Job[] {
  return [
    defineJob({
      name: 'inflation.check',
      about: 'Looks for CPI, PCE and PPI releases that are due',
      schedule: ['*/5 * * * *'],
      exclusive: true,
      retryLimit: 0,
      collects: true,
      payload: noPayload,
      run: (_, signal) => inflation.check(signal),
    }),
    defineJob({
      name: 'inflation.refresh',
      about: 'Price indexes with their revisions, nowcast and expectations',
      schedule: ['26 */6 * * *'],
      exclusive: true,
      retryLimit: 1,
      reads: [...INDEX_SOURCES, ...AGENCY_SOURCES, ...EXPECTATION_SOURCES].map(({ source }) => source),
      payload: noPayload,
      run: (_, signal) => inflation.refresh(signal),
    }),
    defineJob({
      name: 'inflation.forecast',
      about: 'Asks for forecasts of the coming CPI and PCE once, and for a commentary on the newest figures',
      schedule: ['4,34 * * * *'],
      exclusive: true,
      retryLimit: 0,
      expireSeconds: 900,
      payload: noPayload,
      run: (_, signal) => inflation.speak(signal),
    }),
  ];
}
