import { z } from 'zod';
import { SourceError } from '#kernel/http/source-error.ts';
import { grouped } from '#shared/format.ts';
import { easternDay, RELEASE_NAMES, releasesBetween } from '#shared/release-calendar.ts';
import { KINDS } from '../kinds.ts';
import { addDays, DAY_MS, isoDay } from '../rules.ts';
import type { Found, OwnSource } from '../types.ts';
import { beigeBookDay, decisionOn, FOMC_PAGE, type Meeting, minutesDay } from './federal-reserve.ts';
import { atUsualTime, recurring } from './parsing.ts';

const FOMC_RETRIEVED = '2026-09-14T18:58:35Z';

/** As announced by the Committee; those of 2027 are tentative until confirmed at the preceding meeting. */
export const FOMC_DECISIONS: readonly Meeting[] = [
  { day: '2026-01-28', projections: false },
  { day: '2026-03-18', projections: true },
  { day: '2026-04-29', projections: false },
  { day: '2026-06-17', projections: true },
  { day: '2026-07-29', projections: false },
  { day: '2026-09-16', projections: true },
  { day: '2026-10-28', projections: false },
  { day: '2026-12-09', projections: true },
  { day: '2027-01-27', projections: false },
  { day: '2027-03-17', projections: true },
  { day: '2027-04-28', projections: false },
  { day: '2027-06-09', projections: true },
  { day: '2027-07-28', projections: false },
  { day: '2027-09-15', projections: true },
  { day: '2027-10-27', projections: false },
  { day: '2027-12-08', projections: true },
  { day: '2028-01-26', projections: false },
];

const AHEAD_DAYS = 200;
/** When the shipped release calendar was last checked against the agencies' schedules. */
const RELEASES_RETRIEVED = '2026-11-20T00:00:00Z';

/** FOMC dates announced by the time of the release. */
export const shippedMeetings: OwnSource = {
  source: 'shipped',
  rank: 3,
  read: async () =>
    FOMC_DECISIONS.map(({ day, projections }) => ({
      ...decisionOn(day, projections, 'Federal Reserve'),
      checkedAt: new Date(FOMC_RETRIEVED),
    })),
};

/** The shipped release calendar: announced days, then the usual ones. */
export const releaseCalendar: OwnSource = {
  source: 'shipped',
  rank: 3,
  read: async (_, { now }) =>
    releasesBetween(addDays(now, -30), addDays(now, AHEAD_DAYS)).map(({ type, period, estimate, at, estimated }) => {
      const { agency, schedule } = RELEASE_NAMES[type];
      return recurring({
        kind: type,
        ref: `${type} ${period}${estimate ? ` ${estimate}` : ''}`,
        at,
        estimated,
        description: `${KINDS[type].name} for ${period}${estimate ? `, ${estimate} estimate` : ''}, released by the ${agency}.`,
        publisher: agency,
        url: schedule,
        checkedAt: new Date(RELEASES_RETRIEVED),
      });
    }),
};

/** Publications that follow each decision by the Federal Reserve's usual schedule. */
export const afterMeetings: OwnSource = {
  source: 'meridian',
  rank: 3,
  async read(_, { now, daysOf }) {
    const decisions = await daysOf('fomc');
    return decisions.flatMap((at): Found[] => {
      const day = easternDay(at);
      const shared = { estimated: true, publisher: 'Federal Reserve', url: FOMC_PAGE };
      const minutes = minutesDay(day);
      const book = beigeBookDay(day);
      return [
        recurring({
          ...shared,
          kind: 'fomc-minutes' as const,
          ref: `minutes ${day.slice(0, 7)}`,
          at: atUsualTime('fomc-minutes', minutes),
          description: `Minutes of the meeting that ended on ${day}, released three weeks after the decision.`,
        }),
        recurring({
          ...shared,
          kind: 'beige-book' as const,
          ref: `beige book ${day.slice(0, 7)}`,
          at: atUsualTime('beige-book', book),
          description: 'Reports from the twelve Federal Reserve districts, released two weeks before a meeting.',
        }),
      ].filter(({ at }) => at > addDays(now, -30) && at < addDays(now, AHEAD_DAYS));
    });
  },
};

const HALVING_BLOCKS = 210_000;
const ANCHOR = { height: 840_000, at: Date.UTC(2024, 3, 20, 0, 9, 27) };
const BLOCK_MS = 600_000;

/** Estimated time of a block height: ten minutes per block, with the historical deviation as uncertainty. */
export function halvingFrom(height: number, at: number): { height: number; at: number; from: number; to: number } {
  const next = (Math.floor(height / HALVING_BLOCKS) + 1) * HALVING_BLOCKS;
  const left = next - height;
  const luckMs = 2 * Math.sqrt(left) * BLOCK_MS;
  return {
    height: next,
    at: at + left * BLOCK_MS,
    from: at + left * BLOCK_MS * 0.97 - luckMs,
    to: at + left * BLOCK_MS * 1.01 + luckMs,
  };
}

const tip = z.string().regex(/^\d{6,8}$/);

/** GET /api/blocks/tip/height of mempool.space; without it the estimate starts from the last halving. */
export const halving: OwnSource = {
  source: 'meridian',
  rank: 2,
  asks: 'mempool',
  async read(client, { now, signal }) {
    const known = await client
      ?.get('/api/blocks/tip/height', tip, { format: 'text', signal })
      .catch((error: unknown) => {
        if (error instanceof SourceError) return undefined;
        throw error;
      });
    const guess = Math.floor(ANCHOR.height + (now.getTime() - ANCHOR.at) / BLOCK_MS);
    const next = known ? halvingFrom(Number(known.data), now.getTime()) : halvingFrom(guess, now.getTime());
    const day = (ms: number) => isoDay(new Date(ms));
    return [
      recurring({
        kind: 'btc-halving',
        ref: `halving ${next.height}`,
        title: `Bitcoin halving at block ${grouped(next.height)}`,
        at: new Date(Math.floor(next.at / DAY_MS) * DAY_MS),
        allDay: true,
        estimated: true,
        interval: { from: day(next.from), to: day(next.to) },
        description: `The block reward is cut in half. Estimated at ten minutes per block from block ${known ? grouped(Number(known.data)) : `about ${grouped(guess)} (the current height was unavailable)`}.`,
        publisher: known ? 'Meridian, from mempool.space' : 'Meridian',
        url: known ? 'https://mempool.space' : null,
      }),
    ];
  },
};

/** The last Friday of a month, 08:00 UTC, when Deribit settles. */
export function optionsExpiry(year: number, month: number): Date {
  const last = new Date(Date.UTC(year, month + 1, 0, 8));
  return new Date(last.getTime() - ((last.getUTCDay() - 5 + 7) % 7) * DAY_MS);
}

const COINS = [
  { id: 'btc', name: 'Bitcoin' },
  { id: 'eth', name: 'Ether' },
] as const;
const MONTHS_AHEAD = 4;
const QUARTERS_AHEAD_MONTHS = 13;

/** Monthly for a while, quarterly for a year. */
export const expiries: OwnSource = {
  source: 'meridian',
  rank: 2,
  async read(_, { now }) {
    const first = now.getUTCFullYear() * 12 + now.getUTCMonth();
    const months = Array.from({ length: QUARTERS_AHEAD_MONTHS + 1 }, (_, i) => first + i);
    return months.flatMap((count, i) => {
      const at = optionsExpiry(Math.floor(count / 12), count % 12);
      const isQuarter = count % 3 === 2;
      if (!isQuarter && i > MONTHS_AHEAD) return [];
      return COINS.map(({ id, name }) =>
        recurring({
          kind: isQuarter ? `${id}-expiry-quarter` : `${id}-expiry`,
          ref: `${id} expiry ${isoDay(at)}`,
          at,
          description: `${name} options and futures of the ${isQuarter ? 'quarter' : 'month'} settle on Deribit: last Friday, 08:00 UTC.`,
          publisher: 'Deribit',
          url: 'https://www.deribit.com/kb/options',
        }),
      );
    });
  },
};
