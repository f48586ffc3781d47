import type { CalendarQuery, Event, UpcomingEvent } from '#features/events/contract.ts';
import type { Inflation, ReleaseResult } from '#features/inflation/server/service.ts';
import { easternDay } from '#shared/release-calendar.ts';

import { addDays, DAY_MS, daysBetween } from '../rules.ts';
import type { Mark, Statement, StoredEvent } from '../store.ts';
import type { Figures } from '../types.ts';
import { disagreeing } from './merge-statements.ts';

const MINUTE_MS = 60_000;

/** An event with all stored data. */
export type Kept = { event: StoredEvent; statements: readonly Statement[]; marks: readonly Mark[] };

/** An all-day event is past at the end of the day, a timed one at its time. */
export function hasPassed({ at, all_day }: Pick<StoredEvent, 'at' | 'all_day'>, now: Date): boolean {
  const start = new Date(at);
  return all_day ? daysBetween(now, start) < 0 : start <= now;
}

/** `5h 12m`, within a day of an event with a known time. */
export function timeRemaining({ at, all_day }: Pick<StoredEvent, 'at' | 'all_day'>, now: Date): string | null {
  const left = Date.parse(at) - now.getTime();
  if (all_day || left <= 0 || left >= DAY_MS) return null;
  const minutes = Math.ceil(left / MINUTE_MS);
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

const publisherName = ({ publisher, source }: Statement): string =>
  source === 'shipped' ? `${publisher ?? 'Calendar'} (bundled with the product)` : (publisher ?? 'Unknown source');

function eventFigures({ event }: Kept, own: FiguresOf): Event['figures'] {
  const ownFigures = own(event.kind, new Date(event.at));
  const { figures } = event;
  if (!ownFigures && !figures) return null;
  return {
    actual: ownFigures?.actual ?? figures?.actual ?? null,
    forecast: ownFigures?.forecast ?? figures?.forecast ?? null,
    previous: ownFigures?.previous ?? figures?.previous ?? null,
  };
}

export function toEvent(kept: Kept, now: Date, own: FiguresOf): Event {
  const { event, statements, marks } = kept;
  const { id, title, description, kind, category, impact, why, source } = event;
  const left = timeRemaining(event, now);
  return {
    id,
    title,
    description,
    kind,
    category: category as Event['category'],
    impact: impact as Event['impact'],
    date: event.at,
    allDay: event.all_day,
    dateEstimated: event.estimated,
    source,
    daysUntil: daysBetween(now, new Date(event.at)),
    ...(left === null ? {} : { timeRemaining: left }),
    status: hasPassed(event, now) ? 'past' : 'upcoming',
    ignored: event.ignored_at !== null,
    sourceUrl: event.source_url,
    checkedAt: event.checked_at,
    interval: event.interval_from && event.interval_to ? { from: event.interval_from, to: event.interval_to } : null,
    otherTimes: disagreeing(event, statements).map((row) => ({
      source: publisherName(row),
      date: row.at,
      url: row.url,
    })),
    figures: eventFigures(kept, own),
    why,
    notified: marks.some(({ days }) => days === 3),
  };
}

const SHOWN_PAST_DAYS = 7;
const byDate = (a: Event, b: Event) => a.date.localeCompare(b.date) || a.id - b.id;

/** Upcoming events, soonest first, then past ones, latest first. */
export function ordered(events: readonly Event[]): Event[] {
  const [upcoming, past] = [true, false].map((wanted) =>
    events.filter(({ status }) => (status === 'upcoming') === wanted),
  );
  return [...(upcoming ?? []).toSorted(byDate), ...(past ?? []).toSorted((a, b) => byDate(b, a))];
}

/** Public events: upcoming ones and those of the last week. */
export function publicEvents(events: readonly Event[], now: Date): Event[] {
  const from = addDays(now, -SHOWN_PAST_DAYS).toISOString();
  return ordered(events.filter(({ ignored, status, date }) => !ignored && (status === 'upcoming' || date >= from)));
}

export function lightEvent(event: Event): UpcomingEvent {
  const { id, title, category, impact, date, allDay, dateEstimated, source, daysUntil, timeRemaining } = event;
  const light = { id, title, category, impact, date, allDay, dateEstimated, source, daysUntil };
  return timeRemaining === undefined ? light : { ...light, timeRemaining };
}

const IN_DAYS = { all: Number.POSITIVE_INFINITY, thisWeek: 7, nextMonth: 30 } as const;

/** The filters of the events page; Federal Reserve covers its monetary policy too. */
export function fits(event: Event, { category, impact, search, time }: CalendarQuery): boolean {
  const of = category === 'fed' && event.category === 'monetary_policy' ? 'fed' : event.category;
  if (category && category !== 'all' && of !== category) return false;
  if (impact && impact !== 'all' && event.impact !== impact) return false;
  if (time && time !== 'all' && (event.daysUntil < 0 || event.daysUntil > IN_DAYS[time])) return false;
  const sought = search?.trim().toLowerCase();
  if (!sought) return true;
  return [event.title, event.description, event.source].some((text) => text?.toLowerCase().includes(sought));
}

export const STUDIED = ['cpi', 'pce', 'ppi'] as const;
export type Studied = (typeof STUDIED)[number];
export const isStudied = (kind: string | null): kind is Studied => STUDIED.some((each) => each === kind);

/** A release at most this long after the last one belongs to the following month. */
const NEXT_WITHIN_DAYS = 45;

/** `+0.3%`, as the agencies write a change from the month before. */
export function percent(value: number | null): string | null {
  if (value === null) return null;
  const tenths = Math.round(Math.abs(value) * 10) / 10;
  const sign = tenths === 0 ? '' : value < 0 ? '−' : '+';
  return `${sign}${tenths.toFixed(1)}%`;
}

type FiguresOf = (kind: string | null, at: Date) => Figures | null;

type Looked = { byDay: ReadonlyMap<string, ReleaseResult>; last: ReleaseResult | undefined };

/** Official figures of a release; the releases of each kind are looked up once. */
export function createFigures(inflation: Pick<Inflation, 'prints'>): FiguresOf {
  const known = new Map<Studied, Looked>();
  const look = (kind: Studied): Looked => {
    const found = known.get(kind);
    if (found) return found;
    const prints = inflation.prints(kind);
    // When two months were released on one day, the later one was the news.
    const looked = {
      byDay: new Map(prints.map((print) => [easternDay(print.releasedAt), print])),
      last: prints.at(-1),
    };
    known.set(kind, looked);
    return looked;
  };
  return (kind, at) => {
    if (!isStudied(kind)) return null;
    const { byDay, last } = look(kind);
    const print = byDay.get(easternDay(at));
    if (print)
      return {
        actual: percent(print.actual),
        forecast: percent(print.consensus),
        previous: percent(print.previous),
      };
    const isNext = last && at > last.releasedAt && at <= addDays(last.releasedAt, NEXT_WITHIN_DAYS);
    return isNext && last.actual !== null ? { actual: null, forecast: null, previous: percent(last.actual) } : null;
  };
}
