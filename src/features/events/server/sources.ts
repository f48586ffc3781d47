import type { SourceDescriptor } from '#server/platform/source-set.ts';

import { cftc, cftcPress, sec, secPress } from './providers/agencies.ts';
import { beaReleases, beaSchedule } from './providers/bea-schedule.ts';
import { blsReleases, blsSchedule } from './providers/bls-schedule.ts';
import { coinEvents, coinmarketcal } from './providers/coinmarketcal.ts';
import { faireconomy, weekCalendar } from './providers/faireconomy.ts';
import { federalReserve, fedPress, fomcMeetings } from './providers/federal-reserve.ts';
import { finnhub, finnhubEarnings } from './providers/finnhub.ts';
import { fredReleaseDates, fredReleases } from './providers/fred-releases.ts';
import { afterMeetings, expiries, halving, releaseCalendar, shippedMeetings } from './providers/own.ts';
import type { EventSource, OwnSource } from './types.ts';

export const EVENT_SOURCES: SourceDescriptor[] = [
  federalReserve,
  blsSchedule,
  beaSchedule,
  fredReleases,
  sec,
  cftc,
  finnhub,
  coinmarketcal,
  faireconomy,
];

/** Those who ask somebody. */
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

/** What follows from the product itself. The first two come before the others, so that nothing is missing without them. */
export const SHIPPED: OwnSource[] = [shippedMeetings, releaseCalendar];
export const COMPUTED: OwnSource[] = [halving, expiries, afterMeetings];
