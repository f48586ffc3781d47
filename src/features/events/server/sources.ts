import type { SourceDescriptor } from '#kernel/source-set.ts';

import { cftc, cftcPress, sec, secPress } from './providers/agencies.ts';
import { coinEvents, coinmarketcal } from './providers/coinmarketcal.ts';
import { afterMeetings, expiries, halving, releaseCalendar, shippedMeetings } from './providers/computed-events.ts';
import { weekCalendar } from './providers/faireconomy.ts';
import { federalReserve, fedPress, fomcMeetings } from './providers/federal-reserve.ts';
import { finnhub, finnhubEarnings } from './providers/finnhub.ts';
import { beaReleases, beaSchedule, blsReleases, blsSchedule, fredReleaseDates } from './providers/release-schedules.ts';
import type { EventSource, OwnSource } from './types.ts';

/** FRED and the weekly calendar, shared with inflation, are declared there. */
export const EVENT_SOURCES: SourceDescriptor[] = [
  federalReserve,
  blsSchedule,
  beaSchedule,
  sec,
  cftc,
  finnhub,
  coinmarketcal,
];

/** Sources that make requests. */
export const ADAPTERS: EventSource[] = [
  fomcMeetings,
  blsReleases,
  beaReleases,
  fredReleaseDates,
  fedPress,
  secPress,
  cftcPress,
  finnhubEarnings,
  coinEvents,
  weekCalendar,
];

/** Sources without requests. The first two run before the others, so that nothing is missing without them. */
export const SHIPPED: OwnSource[] = [shippedMeetings, releaseCalendar];
export const COMPUTED: OwnSource[] = [halving, expiries, afterMeetings];
