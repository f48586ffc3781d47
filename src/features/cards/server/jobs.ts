import type { Job } from '#server/platform/scheduler.ts';

import type { Cards } from './service.ts';

export const cardsJobs = (_cards: Cards): Job[] => [];
