import type { Event, EventStudy, UpcomingEvent } from '#features/events/contract.ts';
import { NOON } from '#ui/testing/figures.ts';

const DAY_MS = 86_400_000;
const dayOf = (ms: number) => Math.floor(ms / DAY_MS);

/** An event at a moment, with the given changes. */
export const eventAt = (id: number, date: string, change: Partial<Event> = {}): Event => ({
  id,
  title: `Event ${id}`,
  category: 'other',
  impact: 'low',
  date,
  allDay: false,
  dateEstimated: false,
  source: 'Meridian',
  daysUntil: dayOf(Date.parse(date)) - dayOf(NOON),
  description: null,
  kind: null,
  status: Date.parse(date) > NOON ? 'upcoming' : 'past',
  ignored: false,
  sourceUrl: null,
  checkedAt: new Date(NOON - 180_000).toISOString(),
  interval: null,
  otherTimes: [],
  figures: null,
  why: 'Low: rarely moves the market.',
  notified: false,
  ...change,
});

/** One of each kind; the newest release is past, one is ignored in admin lists. */
export const events: Event[] = [
  eventAt(1, '2026-11-21T17:12:00.000Z', {
    title: 'Federal Reserve Chair speaks on the outlook',
    category: 'fed',
    impact: 'medium',
    source: 'Federal Reserve',
    sourceUrl: 'https://www.federalreserve.gov/newsevents/calendar.htm',
    timeRemaining: '5h 12m',
    description: 'Remarks at a conference on payments; questions are taken.',
  }),
  eventAt(2, '2026-11-24T13:30:00.000Z', {
    title: 'US CPI, October',
    category: 'inflation',
    impact: 'high',
    kind: 'cpi',
    source: 'Bureau of Labor Statistics',
    sourceUrl: 'https://www.bls.gov/schedule/news_release/cpi.htm',
    description: 'Consumer Price Index for October 2026, all urban consumers.',
    figures: { actual: null, forecast: '+0.3%', previous: '+0.2%' },
    why: 'High: the print of consumer prices moved BTC more than any other release.',
    notified: true,
  }),
  eventAt(3, '2026-11-25T15:00:00.000Z', {
    title: 'PCE price index and personal income',
    category: 'inflation',
    impact: 'high',
    kind: 'pce',
    source: 'Bureau of Economic Analysis',
    otherTimes: [
      { source: 'FRED', date: '2026-11-26T13:30:00.000Z', url: 'https://fred.stlouisfed.org/releases/calendar' },
    ],
  }),
  eventAt(4, '2026-11-27T08:00:00.000Z', {
    title: 'Monthly BTC and ETH option expiry',
    category: 'crypto',
    impact: 'medium',
    source: 'Deribit',
    description: 'Last Friday of the month, 08:00 UTC.',
  }),
  eventAt(5, '2026-12-09T19:00:00.000Z', {
    title: 'FOMC rate decision',
    category: 'monetary_policy',
    impact: 'high',
    source: 'Federal Reserve',
    description: 'Statement, projections and the press conference half an hour later.',
  }),
  eventAt(6, '2026-12-16T00:00:00.000Z', {
    title: null,
    allDay: true,
    category: 'regulation',
    impact: 'medium',
    source: null,
  }),
  eventAt(7, '2027-01-28T21:00:00.000Z', {
    title: 'Coinbase, fourth quarter results',
    category: 'earnings',
    source: 'Coinbase Investor Relations',
  }),
  eventAt(8, '2028-04-14T00:00:00.000Z', {
    title: 'Bitcoin halving',
    allDay: true,
    category: 'crypto',
    impact: 'high',
    source: 'Meridian',
    dateEstimated: true,
    interval: { from: '2028-03-28', to: '2028-05-02' },
    description: 'The reward of a block falls from 3.125 to 1.5625 BTC at height 1,050,000.',
  }),
  eventAt(9, '2026-11-19T13:30:00.000Z', {
    title: 'US PPI, October',
    category: 'inflation',
    impact: 'high',
    kind: 'ppi',
    source: 'BLS',
    figures: { actual: '+0.4%', forecast: '+0.3%', previous: '-0.1%' },
  }),
];

export const ignoredEvent = eventAt(10, '2026-11-23T10:00:00.000Z', { title: 'A rumor of an unlock', ignored: true });

/** The part used by the card. */
export const upcoming: UpcomingEvent[] = events
  .filter(({ status }) => status === 'upcoming')
  .map(({ id, title, category, impact, date, allDay, dateEstimated, source, daysUntil, timeRemaining }) => ({
    id,
    title,
    category,
    impact,
    date,
    allDay,
    dateEstimated,
    source,
    daysUntil,
    ...(timeRemaining ? { timeRemaining } : {}),
  }));

const WINDOWS = ['24h', '3d', '7d'] as const;
const SIGNS = [
  ['above', 14, -1.42, 1.1],
  ['in line', 21, 0.31, 0.9],
  ['below', 5, null, null],
  ['all', 40, 0.2, 0.6],
] as const;

export const study: EventStudy = {
  kind: 'cpi',
  name: 'US CPI',
  against: 'A surprise is the print less the consensus, or less the last value where there is none.',
  from: '2023-05-10',
  to: '2026-10-13',
  source: 'BLS and our own candles',
  cells: WINDOWS.flatMap((window, w) =>
    (['BTC', 'ETH'] as const).flatMap((asset, a) =>
      SIGNS.map(([sign, n, mean, half]) => {
        const at = mean === null ? null : mean * (1 + w) * (1 + a / 4);
        const by = half === null ? 0 : half * (1 + w);
        return {
          asset,
          window,
          sign,
          n,
          mean: at,
          low: at === null ? null : at - by,
          high: at === null ? null : at + by,
        };
      }),
    ),
  ),
  events: [
    { date: '2026-10-13', period: '2026-09', surprise: 0.1, btc24h: -2.1 },
    { date: '2026-09-11', period: '2026-08', surprise: 0, btc24h: 0.7 },
  ],
};
