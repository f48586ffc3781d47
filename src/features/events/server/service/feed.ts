import type { Event } from '#features/events/contract.ts';
import { BRAND } from '#shared/brand.ts';

const OCTETS = 75;
const DOMAIN = BRAND.supportEmail.split('@')[1] ?? 'meridian';

const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(';', '\\;')
    .replaceAll(',', '\\,')
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    .replaceAll(/\p{Cc}/gu, ' ');

/** Lines of at most 75 octets, never cut inside a character. */
export function foldLine(line: string): string {
  const lines: string[] = [];
  let current = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > OCTETS) {
      lines.push(current);
      current = ' ';
      octets = 1;
    }
    current += character;
    octets += size;
  }
  return [...lines, current].join('\r\n');
}

const stamp = (iso: string): string => `${iso.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

/** An event and when it last changed. */
export type Dated = Event & { updatedAt: string };

function described({ description, why, source, dateEstimated, interval, otherTimes }: Event): string {
  const estimate = interval ? `Estimated between ${interval.from} and ${interval.to}.` : 'Estimated date.';
  const others = otherTimes.map((other) => `${other.source} says ${other.date}.`);
  const parts = [
    description ?? 'No description available',
    `Impact ${why}`,
    ...(dateEstimated ? [estimate] : []),
    ...others,
  ];
  return [...parts, `Source: ${source ?? 'Unknown source'}`].join('\n');
}

function eventLines(event: Dated): string[] {
  const { id, title, category, impact, date, allDay, dateEstimated, sourceUrl, updatedAt } = event;
  const start = allDay ? `DTSTART;VALUE=DATE:${date.slice(0, 10).replaceAll('-', '')}` : `DTSTART:${stamp(date)}`;
  return [
    'BEGIN:VEVENT',
    `UID:event-${id}@${DOMAIN}`,
    `DTSTAMP:${stamp(updatedAt)}`,
    start,
    `SUMMARY:${escaped(title ?? 'Untitled Event')}`,
    `DESCRIPTION:${escaped(described(event))}`,
    `CATEGORIES:${escaped(category)},${impact}`,
    ...(sourceUrl ? [`URL:${sourceUrl}`] : []),
    `STATUS:${dateEstimated ? 'TENTATIVE' : 'CONFIRMED'}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** RFC 5545. Times are UTC; a timed event has no duration, an all-day one lasts a day. */
export function calendarText(events: readonly Dated[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${BRAND.name}//Events//EN`,
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${BRAND.name} events`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...events.flatMap(eventLines),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}
