import type { Job } from '#server/platform/scheduler.ts';

import type { Usdc } from './service.ts';

export const usdcJobs = (_usdc: Usdc): Job[] => [];
