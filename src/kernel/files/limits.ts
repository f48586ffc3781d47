import type { ResourceLimits } from 'node:worker_threads';

/** For a thread that writes files: what it leaves behind is cleaned up early, so that a long file takes no more memory than a short one. */
export const WRITER_LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 128 };
