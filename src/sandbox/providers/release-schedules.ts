import { announcedReleases, dateText } from '#sandbox/market/calendar.ts';
import { DAY } from '#sandbox/market/time.ts';
import { type Call, type Provider, ReplyError } from '#sandbox/provider.ts';
import { easternDay, easternTime } from '#shared/release-calendar.ts';

import { page } from './rss.ts';

const YEAR = 366 * DAY;
const NAMES: Readonly<Record<string, string>> = {
  cpi: 'Consumer Price Index',
  ppi: 'Producer Price Index',
  payrolls: 'Employment Situation',
  pce: 'Personal Income and Outlays',
  gdp: 'Gross Domestic Product',
};
const ZONE = `BEGIN:VTIMEZONE\r\nTZID:US-Eastern\r\nBEGIN:STANDARD\r\nDTSTART:20071104T020000\r\nTZOFFSETFROM:-0400\r\nTZOFFSETTO:-0500\r\nRRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11\r\nEND:STANDARD\r\nBEGIN:DAYLIGHT\r\nDTSTART:20070311T020000\r\nTZOFFSETFROM:-0500\r\nTZOFFSETTO:-0400\r\nRRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE`;

type Row = { id: string; summary: string; day: string; time: string };

/** Job openings on the first Tuesday, and releases that the product does not track. */
function others(now: number): Row[] {
  const first = new Date(now);
  return Array.from({ length: 10 }, (_, i) => {
    const start = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + i, 1));
    const tuesday = start.getTime() + ((2 - start.getUTCDay() + 7) % 7) * DAY;
    const month = dateText(start.getTime()).slice(0, 7);
    return [
      {
        id: `jolts-${month}`,
        summary: 'Job Openings and Labor Turnover Survey',
        day: dateText(tuesday),
        time: '10:00',
      },
      {
        id: `metro-${month}`,
        summary: 'Metropolitan Area Employment\\, Unemployment',
        day: dateText(tuesday + DAY),
        time: '10:00',
      },
    ];
  }).flat();
}

function schedule({ now, headers }: Call): string {
  const agent = String(headers['user-agent'] ?? '');
  if (!/@|mozilla/i.test(agent)) throw new ReplyError({ status: 403, body: page('Access Denied') });
  const releases = announcedReleases(now, now - 60 * DAY, now + YEAR)
    .filter(({ type }) => ['cpi', 'ppi', 'payrolls'].includes(type))
    .map(({ type, period, at }): Row => {
      const day = easternDay(at);
      const sixHours = new Date(at.getTime() - (easternTime(day, '00:00').getTime() - Date.parse(`${day}T00:00:00Z`)));
      return { id: `${type}-${period}`, summary: `${NAMES[type]}`, day, time: sixHours.toISOString().slice(11, 16) };
    });
  const events = [...releases, ...others(now)].map(
    ({ id, summary, day, time }) =>
      `BEGIN:VEVENT\r\nDTSTART;TZID=US-Eastern:${day.replaceAll('-', '')}T${time.replace(':', '')}00\r\nDTSTAMP:20260101T000000Z\r\nUID:${id}@bls.gov\r\nSUMMARY:${summary.slice(0, 14)}\r\n ${summary.slice(14)}\r\nLOCATION:Washington\\, DC\r\nEND:VEVENT`,
  );
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//BLS//Release schedule//EN\r\n${ZONE}\r\n${events.join('\r\n')}\r\nEND:VCALENDAR\r\n`;
}

export function blsSchedule(): Provider {
  return {
    id: 'bls-schedule',
    base: '/bls-schedule',
    env: { BLS_SCHEDULE_BASE_URL: { scheme: 'http', path: '/bls-schedule' } },
    routes: [
      {
        path: '/schedule/news_release/bls.ics',
        handle: (call) => ({ body: schedule(call), headers: { 'content-type': 'text/calendar' } }),
      },
    ],
    notFound: { status: 404, body: page('Page not found') },
    rateLimited: page('Access Denied'),
    serverError: page('Service Unavailable'),
    withNulls: (_path, body) => String(body).replaceAll(/UID:[^\r]*\r\n/g, ''),
  };
}

function beaDates(now: number) {
  const releases = announcedReleases(now, now - 200 * DAY, now + YEAR);
  const of = (type: string) => ({
    release_dates: releases
      .filter((release) => release.type === type)
      .map(({ at }) => at.toISOString().replace('.000Z', '+00:00')),
  });
  return {
    file_date: new Date(now).toISOString(),
    'Gross Domestic Product': of('gdp'),
    'Personal Income and Outlays': of('pce'),
    'Gross Domestic Product by State and Personal Income by State': { release_dates: [] },
  };
}

export function beaSchedule(): Provider {
  return {
    id: 'bea-schedule',
    base: '/bea-schedule',
    env: { BEA_SCHEDULE_BASE_URL: { scheme: 'http', path: '/bea-schedule' } },
    routes: [{ path: '/API/signup/release_dates.json', handle: ({ now }) => ({ body: beaDates(now) }) }],
    notFound: { status: 404, body: page('Page not found') },
    rateLimited: page('Too Many Requests'),
    serverError: page('Service Unavailable'),
    withNulls: (_path, body) => ({ ...(body as object), 'Gross Domestic Product': null }),
  };
}
