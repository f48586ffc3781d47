import { defineJob, type Job, noPayload, type Scheduler } from '#server/platform/scheduler.ts';

import { type LaneLimits, type MeasureContext, measure } from './measure.ts';
import { MINUTE_MS } from './states.ts';
import { forgetMeasured } from './store/measured.ts';

/** A day more than the page shows. */
const KEPT_DAYS = 91;
const HOUR_MS = 60 * MINUTE_MS;
const WEEK_RUNS = 200;

type Settings = {
  FAST_LANE_SECONDS: number;
  LISTING_MINUTES: number;
  SLOW_LANE_MINUTES: number;
  FULL_COLLECTION_CRON: string[];
};
type Deps = Omit<MeasureContext, 'limits'> & { config: Settings; scheduler: () => Scheduler };

/** The longest wait between two planned runs of the next days. */
function longestWait(crons: string[], scheduler: Scheduler, from: Date): number {
  let longest = 0;
  let last = scheduler.nextRun(crons, from);
  for (let n = 0; last && n < WEEK_RUNS && last.getTime() - from.getTime() < 7 * 24 * HOUR_MS; n += 1) {
    const next = scheduler.nextRun(crons, last);
    if (!next) break;
    longest = Math.max(longest, next.getTime() - last.getTime());
    last = next;
  }
  return longest || 24 * HOUR_MS;
}

/** Late after about two turns of a lane, down after several. */
function limitsOf({ config, scheduler, now }: Deps): LaneLimits {
  const [fast, listing] = [config.FAST_LANE_SECONDS * 1000, config.LISTING_MINUTES * MINUTE_MS];
  const slow = config.SLOW_LANE_MINUTES * MINUTE_MS;
  const full = longestWait(config.FULL_COLLECTION_CRON, scheduler(), now());
  return {
    prices: {
      lateMs: Math.max(5 * MINUTE_MS, 2 * fast + 3 * MINUTE_MS),
      downMs: Math.max(20 * MINUTE_MS, 3 * fast, 3 * listing),
    },
    collection: { lateMs: full + 20 * MINUTE_MS, downMs: 2 * full + 20 * MINUTE_MS },
    // Calls are counted by the hour.
    slow: { lateMs: HOUR_MS + 2 * slow, downMs: HOUR_MS + 8 * slow },
  };
}

export function statusJobs(deps: Deps): Job[] {
  const { db, now } = deps;
  let limits: LaneLimits | undefined;
  const ctx = { ...deps, limits: () => (limits ??= limitsOf(deps)) };
  return [
    defineJob({
      name: 'status.measure',
      about: 'Measures every minute since the last time for the status page, with its incidents',
      schedule: ['* * * * *'],
      exclusive: true,
      retryLimit: 0,
      payload: noPayload,
      run: () => measure(ctx),
    }),
    defineJob({
      name: 'status.retention',
      about: 'Forgets what was measured for the status page before its window; incidents are kept',
      schedule: ['53 3 * * *'],
      exclusive: true,
      payload: noPayload,
      run: () => forgetMeasured(db, new Date(now().getTime() - KEPT_DAYS * 24 * HOUR_MS)),
    }),
  ];
}
