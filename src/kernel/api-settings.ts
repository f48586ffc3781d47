import { whole } from './setting-kinds.ts';

const MOST_A_DAY = 1_000_000_000;

/** What the public API allows. */
export const API_SETTINGS = {
  API_CALLS_PER_DAY_PRO: whole(0, MOST_A_DAY, 1000, 'Public API calls per UTC day for a Pro account; 0 is unlimited.'),
  API_CALLS_PER_DAY_PREMIUM: whole(
    0,
    MOST_A_DAY,
    10_000,
    'Public API calls per UTC day for a Premium+ account; 0 is unlimited. Administrators have no limit.',
  ),
  API_BURST_PER_SECOND: whole(
    0,
    100_000,
    10,
    'Public API burst and calls per second for an account, per process; 0 is unlimited.',
  ),
};
