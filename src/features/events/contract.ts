import { z } from 'zod/mini';

import { endpoint, topic } from '#shared/contract.ts';

export const CATEGORIES = [
  'fed',
  'monetary_policy',
  'crypto',
  'inflation',
  'regulation',
  'earnings',
  'employment',
  'other',
] as const;
export const eventCategory = z.enum(CATEGORIES);
export type EventCategory = z.infer<typeof eventCategory>;

export const eventImpact = z.enum(['high', 'medium', 'low']);
export type EventImpact = z.infer<typeof eventImpact>;

/** Type of event, for the study of past ones: `cpi`, `fomc`, `btc-expiry`. */
const kind = z.nullable(z.string());

/** Another source with a different time for the same event. */
export const otherTime = z.object({
  source: z.string(),
  date: z.iso.datetime(),
  url: z.nullable(z.url()),
});

/** Figures of a data release, as the agency writes them: `+0.3%`. */
export const releaseFigures = z.object({
  actual: z.nullable(z.string()),
  forecast: z.nullable(z.string()),
  previous: z.nullable(z.string()),
});

/** The fields shown on the dashboard. */
export const upcomingEvent = z.object({
  id: z.int(),
  title: z.nullable(z.string()),
  category: eventCategory,
  impact: eventImpact,
  /** UTC. With `allDay` only the day counts. */
  date: z.iso.datetime(),
  allDay: z.boolean(),
  /** The source has not announced the day, or it was computed. `interval` is then its range of days. */
  dateEstimated: z.boolean(),
  source: z.nullable(z.string()),
  /** Whole UTC days from today; negative when past. */
  daysUntil: z.int(),
  /** Only within a day of an event with a known time: `5h 12m`. */
  timeRemaining: z.optional(z.string()),
});
export type UpcomingEvent = z.infer<typeof upcomingEvent>;
/** Number of upcoming events per impact, when the list is truncated. */
export const upcomingCounts = z.record(z.string(), z.int());
export type UpcomingCounts = z.infer<typeof upcomingCounts>;

export const event = z.extend(upcomingEvent, {
  description: z.nullable(z.string()),
  kind,
  status: z.enum(['upcoming', 'past']),
  ignored: z.boolean(),
  sourceUrl: z.nullable(z.url()),
  checkedAt: z.iso.datetime(),
  interval: z.nullable(z.object({ from: z.iso.date(), to: z.iso.date() })),
  otherTimes: z.array(otherTime),
  figures: z.nullable(releaseFigures),
  /** Reason for the impact, by the rule in docs/glossary. */
  why: z.string(),
  /** The three-day reminders have been sent. */
  notified: z.boolean(),
});
export type Event = z.infer<typeof event>;

/** Future events, then those of the last 7 days; never ignored ones. */
export const getEvents = endpoint({
  method: 'GET',
  path: '/api/events',
  access: 'public',
  reply: z.array(event),
});

/** The page's filters, for a calendar subscription. */
export const calendarQuery = z.object({
  category: z.optional(
    z.enum(['all', 'fed', 'monetary_policy', 'crypto', 'inflation', 'regulation', 'earnings', 'employment', 'other']),
  ),
  impact: z.optional(z.enum(['all', 'high', 'medium', 'low'])),
  time: z.optional(z.enum(['all', 'thisWeek', 'nextMonth'])),
  search: z.optional(z.string().check(z.maxLength(200))),
});
export type CalendarQuery = z.infer<typeof calendarQuery>;

/** `text/calendar` with the page's content for these filters. */
export const getEventCalendar = endpoint({
  method: 'GET',
  path: '/api/events.ics',
  access: 'public',
  query: calendarQuery,
  reply: z.string(),
});

/** One event as `12.ics`, to add to a calendar. */
export const getEventFile = endpoint({
  method: 'GET',
  path: '/api/events/:file',
  access: 'public',
  params: z.object({ file: z.string().check(z.regex(/^\d{1,9}\.ics$/, 'Use the event id with .ics, such as 12.ics')) }),
  reply: z.string(),
});

const params = z.object({ id: z.string().check(z.regex(/^\d{1,9}$/)) });
const list = z.array(event);
export const getAllEvents = endpoint({ method: 'GET', path: '/api/admin/events/all', access: 'admin', reply: list });
export const getUpcomingEvents = endpoint({ method: 'GET', path: '/api/admin/events', access: 'admin', reply: list });
export const getPastEvents = endpoint({ method: 'GET', path: '/api/admin/events/past', access: 'admin', reply: list });
export const ignoreEvent = endpoint({
  method: 'POST',
  path: '/api/admin/events/:id/ignore',
  access: 'admin',
  params,
  reply: event,
});
export const unignoreEvent = endpoint({
  method: 'POST',
  path: '/api/admin/events/:id/unignore',
  access: 'admin',
  params,
  reply: event,
});
export const deleteEvent = endpoint({
  method: 'DELETE',
  path: '/api/admin/events/:id',
  access: 'admin',
  params,
  reply: z.object({ ok: z.literal(true) }),
});

/** Log returns in percent over a window after past events of a kind, by the sign of the surprise. */
export const studyCell = z.object({
  asset: z.enum(['BTC', 'ETH']),
  window: z.enum(['24h', '3d', '7d']),
  sign: z.enum(['above', 'in line', 'below', 'all']),
  n: z.int(),
  /** Null below 8 events: too few. */
  mean: z.nullable(z.number()),
  low: z.nullable(z.number()),
  high: z.nullable(z.number()),
});
export const eventStudy = z.object({
  kind: z.string(),
  name: z.string(),
  /** The reference of a surprise, in one sentence. */
  against: z.string(),
  from: z.nullable(z.iso.date()),
  to: z.nullable(z.iso.date()),
  source: z.string(),
  cells: z.array(studyCell),
  events: z.array(
    z.object({
      date: z.iso.date(),
      period: z.string(),
      surprise: z.nullable(z.number()),
      btc24h: z.nullable(z.number()),
    }),
  ),
});
export type EventStudy = z.infer<typeof eventStudy>;

export const getEventStudy = endpoint({
  method: 'GET',
  path: '/api/events/study',
  access: 'public',
  query: z.object({ kind: z.enum(['cpi', 'pce', 'ppi']) }),
  reply: eventStudy,
});

/** The calendar has changed. */
export const eventsTopic = topic({
  name: 'events',
  access: 'public',
  data: z.object({ at: z.number() }),
});
