import { z } from 'zod';

import { isLoopback } from './http/loopback.ts';
import { whole } from './setting-kinds.ts';

/** The simulated market, shared by the processes of one demo. */
export const DEMO_SETTINGS = {
  DEMO_MARKET_URL: z
    .url()
    .refine(isLoopback, 'must be an address of this machine')
    .optional()
    .describe(
      'Address of a simulated market that runs by itself (npm run sandbox, with the seed of the database), for a demo of several processes. Default: the process runs its own.',
    ),
};

/** What one network may hold open. */
export const BOUND_SETTINGS = {
  CONNECTIONS_PER_NETWORK: whole(
    0,
    1_000_000,
    500,
    'Connections that one network (/24, or /48 of IPv6) may hold open to a process that no proxy is in front of; 0 is without limit.',
  ),
  STREAMS_PER_NETWORK: whole(
    0,
    1_000_000,
    300,
    'Live streams that one network (/24, or /48 of IPv6) may hold open to a process; this machine may hold any number. 0 is without limit.',
  ),
};

/** What administrators may change while the product runs, beside what they may of other parts. */
export const RUN_SETTINGS = {
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least level that is logged.'),
  SIGN_UPS: z
    .enum(['open', 'closed'])
    .default('open')
    .describe('Whether sign-ups are open. Existing accounts can always sign in.'),
  ERROR_LOG_DAYS: whole(1, 365, 30, 'Retention of error log entries, in days.'),
};
