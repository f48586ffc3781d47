import { z } from 'zod';

import { contactHeaders } from '#kernel/http/contact.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';
import { easternTime } from '#shared/release-calendar.ts';

import { detectKind, KINDS } from '../kinds.ts';
import { isoDay } from '../rules.ts';
import type { EventSource, Found } from '../types.ts';
import { atUsualTime, recurring, unreadable } from './parsing.ts';

const BEA_SCHEDULE = 'https://www.bea.gov/news/schedule';
const BEA = 'Bureau of Economic Analysis';

export const beaSchedule: SourceDescriptor = {
  id: 'bea-schedule',
  name: 'BEA schedule',
  gives: 'Release dates of the PCE price index and GDP',
  homepage: BEA_SCHEDULE,
  licence: 'US-government works, public domain',
  attribution: `U.S. ${BEA}`,
  key: 'none',
  options: (config) => ({
    baseUrl: config.BEA_SCHEDULE_BASE_URL,
    headers: contactHeaders(config),
    perMinute: 10,
    burst: 2,
  }),
};

/** Tolerates other content, such as a creation timestamp. */
const schedule = z.record(z.string(), z.unknown());
const release = z.object({ release_dates: z.array(z.unknown()) });
const OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:?\d{2})$/;

/** GET /API/signup/release_dates.json: times with offsets, by release name. */
export const beaReleases: EventSource = {
  source: 'bea-schedule',
  rank: 1,
  everyMs: 2 * 3_600_000,
  async read(client, { signal }) {
    const { data } = await client.get('/API/signup/release_dates.json', schedule, { signal });
    const named = Object.entries(data).flatMap(([name, value]) => {
      const kind = detectKind(name);
      const parsed = release.safeParse(value);
      return (kind === 'pce' || kind === 'gdp') && parsed.success ? [{ kind, dates: parsed.data.release_dates }] : [];
    });
    if (named.length === 0) throw unreadable('The BEA schedule lists neither GDP nor PCE');
    return named.flatMap(({ kind, dates }) =>
      dates
        .filter((text): text is string => typeof text === 'string' && OFFSET.test(text))
        .map((text) => new Date(text))
        .filter((at) => !Number.isNaN(at.getTime()))
        .map((at) =>
          recurring({
            kind,
            ref: `${kind} ${at.toISOString().slice(0, 10)}`,
            at,
            description: `${KINDS[kind].name}, released by the ${BEA}.`,
            publisher: BEA,
            url: BEA_SCHEDULE,
          }),
        ),
    );
  },
};

/** The fields of a VEVENT needed for a calendar of dates. */
type IcsEvent = { uid: string | null; summary: string; url: string | null; at: Date; allDay: boolean };

type Line = { name: string; zone: string | null; isDate: boolean; value: string };

function parseLine(text: string): Line | undefined {
  const match = /^([A-Za-z-]+)((?:;[^:;=]+=(?:"[^"]*"|[^:;]*))*):(.*)$/s.exec(text);
  if (!match) return undefined;
  const [, name = '', parameters = '', value = ''] = match;
  const zone = /;TZID="?([^";]+)"?/i.exec(parameters)?.[1] ?? null;
  return { name: name.toUpperCase(), zone, isDate: /;VALUE=DATE(?!-)/i.test(parameters), value };
}

const plain = (text: string): string =>
  text.replaceAll(/\\([\\;,nN])/g, (_, mark: string) => (mark.toLowerCase() === 'n' ? ' ' : mark)).trim();

/** UTC, New York time under any of its names, or a day; undefined otherwise. */
function parseMoment({ value, zone, isDate }: Line): { at: Date; allDay: boolean } | undefined {
  const match = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/.exec(value.trim());
  if (!match) return undefined;
  const [, year, month, date, hour, minute, second, isUtc] = match;
  const day = `${year}-${month}-${date}`;
  const allDay = isDate || hour === undefined;
  if (!allDay && !isUtc && zone !== null && !/east|new_york|^est/i.test(zone)) return undefined;
  let at = new Date(`${day}T00:00:00Z`);
  if (!allDay) at = isUtc ? new Date(`${day}T${hour}:${minute}:${second}Z`) : easternTime(day, `${hour}:${minute}`);
  return Number.isNaN(at.getTime()) ? undefined : { at, allDay };
}

/** Events of an external calendar; null when the text is not a calendar. Unreadable ones are omitted. */
export function parseIcs(text: string): IcsEvent[] | null {
  if (!/^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text)) return null;
  const lines = text.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/);
  const events: IcsEvent[] = [];
  let open: Map<string, Line> | null = null;
  for (const line of lines) {
    const read = parseLine(line.trimEnd());
    if (read?.name === 'BEGIN') open = read.value.toUpperCase() === 'VEVENT' ? new Map() : null;
    else if (read?.name === 'END' && open) {
      const start = open.get('DTSTART');
      const moment = start && parseMoment(start);
      const summary = plain(open.get('SUMMARY')?.value ?? '');
      const valueOf = (name: string) => plain(open?.get(name)?.value ?? '') || null;
      if (moment && summary) events.push({ uid: valueOf('UID'), summary, url: valueOf('URL'), ...moment });
      open = null;
    } else if (read && open && !open.has(read.name)) open.set(read.name, read);
  }
  return events;
}

const BLS_SCHEDULE = 'https://www.bls.gov/schedule/';
const BLS = 'Bureau of Labor Statistics';

export const blsSchedule: SourceDescriptor = {
  id: 'bls-schedule',
  name: 'BLS schedule',
  gives: 'Release dates of CPI, PPI, payrolls and job openings',
  homepage: BLS_SCHEDULE,
  licence: 'US-government works, public domain',
  attribution: `U.S. ${BLS}`,
  key: 'none',
  options: (config) => ({
    baseUrl: config.BLS_SCHEDULE_BASE_URL,
    headers: contactHeaders(config),
    perMinute: 10,
    burst: 2,
  }),
};

function toFound({ uid, summary, at, url }: IcsEvent): Found[] {
  const kind = detectKind(summary);
  if (!kind) return [];
  const period = /\bfor (.+)$/i.exec(summary)?.[1];
  const description = `${KINDS[kind].name}${period ? ` for ${period}` : ''}, released by the ${BLS}.`;
  return [
    recurring({
      kind,
      ref: uid ?? `${summary} ${at.toISOString()}`,
      at,
      description,
      publisher: BLS,
      url: url ?? BLS_SCHEDULE,
    }),
  ];
}

/** GET /schedule/news_release/bls.ics. */
export const blsReleases: EventSource = {
  source: 'bls-schedule',
  rank: 1,
  everyMs: 2 * 3_600_000,
  async read(client, { signal }) {
    const { data } = await client.get('/schedule/news_release/bls.ics', z.string(), { format: 'text', signal });
    const events = parseIcs(data);
    if (!events) throw unreadable('The BLS schedule is not a calendar');
    return events.flatMap(toFound);
  },
};

const dates = z.object({
  release_dates: z.array(z.object({ release_id: z.int(), release_name: z.string().nullish(), date: z.iso.date() })),
});

/** GET /fred/releases/dates: days only; the time is the release's usual one. */
export const fredReleaseDates: EventSource = {
  source: 'fred-api',
  rank: 2,
  everyMs: 6 * 3_600_000,
  async read(client, { now, signal }) {
    const query = {
      file_type: 'json',
      include_release_dates_with_no_data: 'true',
      realtime_start: isoDay(now),
      realtime_end: '9999-12-31',
      sort_order: 'asc',
      limit: 1000,
    };
    const { data } = await client.get('/fred/releases/dates', dates, { query, signal });
    return data.release_dates.flatMap(({ release_id, release_name, date }) => {
      const kind = detectKind(release_name ?? '');
      if (!kind || kind.startsWith('fomc') || kind === 'beige-book') return [];
      const url = `https://fred.stlouisfed.org/releases/calendar?rid=${release_id}`;
      return [recurring({ kind, ref: `${release_id} ${date}`, at: atUsualTime(kind, date), publisher: 'FRED', url })];
    });
  },
};
