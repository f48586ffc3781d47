import { z } from 'zod';
import { contactHeaders } from '#kernel/http/contact.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';
import { detectKind } from '../kinds.ts';
import {
  addDays,
  classifyFed,
  dayFrom,
  isoDay,
  mentionsCrypto,
  midnight,
  monthNamed,
  significantWords,
} from '../rules.ts';
import type { EventSource, Found } from '../types.ts';
import { atUsualTime, BARE, dayAhead, parseRss, type RssItem, readable, recurring, unreadable } from './parsing.ts';

/**
 * The last day of a meeting, on which its decision is published; `projections`: with the Summary of Economic
 * Projections.
 */
export type Meeting = { day: string; projections: boolean };

const SECTION = /\b(20\d\d) FOMC Meetings\b/g;
const MEETING =
  /\b([A-Z][a-z]{2,8})(?:\/([A-Z][a-z]{2,8}))?\.? (\d{1,2})(?:\s?[-–]\s?(\d{1,2}))?(\*)?(?: \(([^)]*)\))?/g;

/** Meetings on the calendar page, independent of its markup; null when it has none at all. */
function meetingsOn(html: string): Meeting[] | null {
  const text = readable(html).replaceAll(/\(Released [^)]*\)/g, '');
  const starts = [...text.matchAll(SECTION)];
  const meetings = starts.flatMap((start, i) => {
    const section = text.slice(start.index + start[0].length, starts[i + 1]?.index ?? text.length);
    return [...section.split(/\* Meeting associated/)[0]!.matchAll(MEETING)].flatMap((match) =>
      toMeetings(match, Number(start[1])),
    );
  });
  return meetings.length > 0 ? meetings.toSorted((a, b) => a.day.localeCompare(b.day)) : null;
}

function toMeetings([, from = '', to, first = '', last, star, note]: RegExpExecArray, year: number): Meeting[] {
  if (note && /cancel|notation|unscheduled|conference call/i.test(note)) return [];
  const begins = monthNamed(from);
  if (begins === undefined) return [];
  const named = to === undefined ? undefined : monthNamed(to);
  const end = last ?? first;
  const rolls = named === undefined && Number(end) < Number(first);
  const month = named ?? (rolls ? begins + 1 : begins);
  const day = dayFrom(year, month, Number(end));
  return day ? [{ day, projections: star !== undefined }] : [];
}

/** Three weeks after the decision, by the Committee's rule. */
export const minutesDay = (decision: string): string => isoDay(addDays(midnight(decision), 21));
/** Two weeks before the week of the decision, on a Wednesday. */
export const beigeBookDay = (decision: string): string => {
  const at = midnight(decision);
  return isoDay(addDays(at, 3 - at.getUTCDay() - 14));
};

export const FOMC_PAGE = 'https://www.federalreserve.gov/monetarypolicy/fomccalendars.htm';

export const federalReserve: SourceDescriptor = {
  id: 'federal-reserve',
  name: 'Federal Reserve',
  gives: 'FOMC meeting dates and press releases',
  homepage: FOMC_PAGE,
  licence: 'US-government works, public domain',
  attribution: 'Board of Governors of the Federal Reserve System',
  key: 'none',
  options: (config) => ({
    baseUrl: config.FEDERAL_RESERVE_BASE_URL,
    headers: contactHeaders(config),
    perMinute: 20,
    burst: 4,
  }),
};

/** GET /monetarypolicy/fomccalendars.htm: decisions are published at 2 p.m. Eastern on the last day of a meeting. */
export const fomcMeetings: EventSource = {
  source: 'federal-reserve',
  rank: 1,
  async read(client, { now, signal }) {
    const { data } = await client.get('/monetarypolicy/fomccalendars.htm', z.string(), { format: 'text', signal });
    const meetings = meetingsOn(data);
    if (!meetings) throw unreadable('The FOMC calendar lists no meetings');
    return meetings
      .filter(({ day }) => Math.abs(Date.parse(day) - now.getTime()) < 800 * 86_400_000)
      .map(({ day, projections }) => decisionOn(day, projections, 'Federal Reserve'));
  },
};

export const decisionOn = (day: string, projections: boolean, publisher: string): Found =>
  recurring({
    kind: 'fomc',
    ref: `fomc ${day.slice(0, 7)}`,
    at: atUsualTime('fomc', day),
    description: `The Federal Open Market Committee sets the target range for the federal funds rate; a press conference follows half an hour later.${projections ? ' With the Summary of Economic Projections.' : ''}`,
    publisher,
    url: FOMC_PAGE,
  });

function toFound({ title, description, link, guid, categories, at }: RssItem): Found[] {
  const kind = detectKind(title);
  const shared = { ref: guid ?? link ?? title, publisher: 'Federal Reserve', url: link };
  // A press release about a meeting belongs to the meeting; further text about its day is not another time for it.
  if (kind === 'fomc' || kind === 'fomc-minutes' || kind === 'beige-book')
    return [recurring({ ...shared, kind, at, description: null })];
  const text = `${title} ${description}`;
  const ahead = dayAhead(text, at);
  const isMonetary = categories.some((category) => /monetary policy/i.test(category));
  // Orders against single banks are not market events.
  if (!isMonetary && !ahead && !mentionsCrypto(text)) return [];
  return [
    {
      ...BARE,
      ...shared,
      match: significantWords(title),
      title,
      description: description || null,
      ...classifyFed(text, isMonetary),
      at: ahead ? new Date(`${ahead}T00:00:00Z`) : at,
      allDay: ahead !== null,
    },
  ];
}

/** GET /feeds/press_all.xml. */
export const fedPress: EventSource = {
  source: 'federal-reserve',
  as: 'federal-reserve-press',
  rank: 2,
  async read(client, { signal }) {
    const { data } = await client.get('/feeds/press_all.xml', z.string(), { format: 'text', signal });
    const items = parseRss(data);
    if (!items) throw unreadable('The Federal Reserve feed is not RSS');
    return items.flatMap(toFound);
  },
};
