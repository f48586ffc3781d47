import type { PaidLimits } from '#shared/day-limits.ts';

export const USUAL_LIMITS: PaidLimits = {
  pro: { exportsPerDay: 20, apiCallsPerDay: 1000 },
  premium: { exportsPerDay: null, apiCallsPerDay: 10_000 },
};

/** Unusual limits, including an unlimited one. */
export const OTHER_LIMITS: PaidLimits = {
  pro: { exportsPerDay: 7, apiCallsPerDay: 50 },
  premium: { exportsPerDay: null, apiCallsPerDay: null },
};
