import { z } from 'zod';

import { isLoopback } from './http/loopback.ts';
import { whole } from './setting-kinds.ts';

/** The simulated market, shared by the processes of one demo. */
export const DEMO_SETTINGS = {
  DEMO_MARKET_URL: z
    .url()
    .refine(isLoopback, 'must be an address on this machine')
    .optional()
    .describe(
      'Address of a separate simulated market (npm run sandbox with the seed of the database), for a demo with several processes. Default: each process runs its own.',
    ),
};

/** What one network may hold open. */
export const BOUND_SETTINGS = {
  CONNECTIONS_PER_NETWORK: whole(
    0,
    1_000_000,
    500,
    'Open connections allowed per network (/24, IPv6 /48) to a process without a proxy in front; 0 is unlimited.',
  ),
  STREAMS_PER_NETWORK: whole(
    0,
    1_000_000,
    300,
    'Live streams allowed per network (/24, IPv6 /48) and process, not limited for this machine; 0 is unlimited.',
  ),
};

/** What administrators may change while the product runs, beside what they may of other parts. */
export const RUN_SETTINGS = {
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Minimum log level.'),
  SIGN_UPS: z
    .enum(['open', 'closed'])
    .default('open')
    .describe('Whether sign-ups are open. Existing accounts can always sign in.'),
  ERROR_LOG_DAYS: whole(1, 365, 30, 'Retention of error log entries, in days.'),
};
