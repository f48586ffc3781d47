import { whole } from './setting-kinds.ts';

const MOST_A_DAY = 1_000_000_000;

/** What the public API allows. */
export const API_SETTINGS = {
  API_CALLS_PER_DAY_PRO: whole(
    0,
    MOST_A_DAY,
    1000,
    'Calls of the public API that a Pro account may make in a UTC day; 0 is without limit.',
  ),
  API_CALLS_PER_DAY_PREMIUM: whole(
    0,
    MOST_A_DAY,
    10_000,
    'Calls of the public API that a Premium+ account may make in a UTC day; 0 is without limit. Administrators have no limit.',
  ),
  API_BURST_PER_SECOND: whole(
    0,
    100_000,
    10,
    'Calls of the public API that an account may make at once and then each second, by process; 0 is without limit.',
  ),
};
