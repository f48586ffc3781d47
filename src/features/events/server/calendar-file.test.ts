import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Event } from '#features/events/contract.ts';
import { type Started, start } from '#tests/support/start.ts';

import { parseIcs } from './providers/bls-schedule.ts';
import { calendarText, type Dated, folded } from './service/feed.ts';

let s: Started;
beforeAll(async () => {
  s = await start({ env: { COINMARKETCAL_API_KEY: 'demo' } });
  await s.job('events.collect');
});
afterAll(() => s.stop());

const list = async () => (await s.get('/api/events')).json<Event[]>();
const idsIn = (text: string) => [...text.matchAll(/UID:event-(\d+)@/g)].map(([, id]) => Number(id));

describe('GET /api/events.ics', () => {
  test('200: a calendar that every line of fits RFC 5545', async () => {
    const answer = await s.get('/api/events.ics');
    expect(answer.headers['content-type']).toBe('text/calendar; charset=utf-8');
    const text = answer.body;
    expect(text.startsWith('BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:')).toBe(true);
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    const events = text.replaceAll('\r\n ', '').split('BEGIN:VEVENT').slice(1);
    for (const event of events) {
      expect(event).toMatch(/\r\nUID:event-\d+@\S+\r\n/);
      expect(event).toMatch(/\r\nDTSTAMP:\d{8}T\d{6}Z\r\n/);
      expect(event).toMatch(/\r\nDTSTART(:\d{8}T\d{6}Z|;VALUE=DATE:\d{8})\r\n/);
      expect(event).toMatch(/\r\nSTATUS:(TENTATIVE|CONFIRMED)\r\n/);
    }
    expect(idsIn(text)).toEqual((await list()).map(({ id }) => id));
  });

  test('200: read back, it holds the same days and minutes; estimated ones are tentative', async () => {
    const { body } = await s.get('/api/events.ics');
    const read = new Map(parseIcs(body)?.map((event) => [event.uid?.split(/[-@]/)[1], event]));
    const unfolded = body.replaceAll('\r\n ', '').split('BEGIN:VEVENT');
    for (const { id, date, allDay, title, dateEstimated } of await list()) {
      const found = read.get(String(id));
      expect(found).toMatchObject({ at: new Date(date), allDay, summary: title ?? 'Untitled Event' });
      const text = unfolded.find((part) => part.includes(`UID:event-${id}@`));
      expect(text).toContain(`STATUS:${dateEstimated ? 'TENTATIVE' : 'CONFIRMED'}`);
    }
  });

  test('200: a UID stays when an event is collected again, its stamp too while nothing changed', async () => {
    const before = (await s.get('/api/events.ics?category=fed')).body;
    s.advance(60_000);
    await s.job('events.collect');
    expect((await s.get('/api/events.ics?category=fed')).body).toBe(before);
  });

  test.each([
    ['category=fed', ({ category }: Event) => category === 'fed' || category === 'monetary_policy'],
    ['category=crypto&impact=high', ({ category, impact }: Event) => category === 'crypto' && impact === 'high'],
    ['impact=medium', ({ impact }: Event) => impact === 'medium'],
    ['time=thisWeek', ({ daysUntil }: Event) => daysUntil >= 0 && daysUntil <= 7],
    ['time=nextMonth&category=all', ({ daysUntil }: Event) => daysUntil >= 0 && daysUntil <= 30],
    ['search=%20LABOR%20statistics', ({ source }: Event) => source === 'Bureau of Labor Statistics'],
  ])('200: the filters of the page, %s', async (query, wanted) => {
    const ids = idsIn((await s.get(`/api/events.ics?${query}`)).body);
    const expected = (await list()).filter(wanted).map(({ id }) => id);
    expect(expected.length).toBeGreaterThan(0);
    expect(ids).toEqual(expected);
  });

  test('400: a filter that the page has not', async () => {
    expect((await s.get('/api/events.ics?category=weather')).statusCode).toBe(400);
    expect((await s.get('/api/events.ics?time=ever')).statusCode).toBe(400);
  });
});

describe('GET /api/events/:id.ics', () => {
  test('200: one event to add to a calendar', async () => {
    const [event] = await list();
    const answer = await s.get(`/api/events/${event?.id}.ics`);
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="event-${event?.id}.ics"`);
    expect(idsIn(answer.body)).toEqual([event?.id]);
  });

  test('404 and 400: one that is not there, what is no file', async () => {
    expect((await s.get('/api/events/999999999.ics')).json()).toEqual({
      error: 'There is no such event',
      code: 'not_found',
    });
    expect((await s.get('/api/events/first.ics')).json()).toMatchObject({ code: 'bad_request' });
  });
});

describe('texts', () => {
  const given: Dated = {
    id: 7,
    title: 'Rates; jobs, and "C:\\data"\nsecond line',
    description: null,
    kind: null,
    category: 'other',
    impact: 'low',
    why: 'Low: it is a test.',
    date: '2026-12-09T19:00:00.000Z',
    allDay: true,
    dateEstimated: true,
    interval: { from: '2026-12-01', to: '2026-12-20' },
    source: null,
    sourceUrl: null,
    daysUntil: 1,
    status: 'upcoming',
    ignored: false,
    checkedAt: '2026-11-20T12:00:00.000Z',
    otherTimes: [],
    figures: null,
    notified: false,
    updatedAt: '2026-11-20T12:00:00.000Z',
  };

  test('commas, semicolons, backslashes and line breaks are escaped; control characters are gone', () => {
    const text = calendarText([{ ...given, description: 'bell\u0007 here' }]).replaceAll('\r\n ', '');
    expect(text).toContain(String.raw`SUMMARY:Rates\; jobs\, and "C:\\data"\nsecond line` + '\r\n');
    expect(text).toContain(
      String.raw`DESCRIPTION:bell  here\nImpact Low: it is a test.\nEstimated between 2026-12-01 and 2026-12-20.\nSource: Unknown source`,
    );
    expect(text).toContain('DTSTART;VALUE=DATE:20261209\r\n');
  });

  test.each([0, 1, 74, 75, 76, 149, 150, 400])('a line of %d characters is folded without loss', (length) => {
    for (const character of ['a', 'ü', '€', '😀']) {
      const line = character.repeat(length);
      const parts = folded(line).split('\r\n');
      expect(parts.join('\r\n').replaceAll('\r\n ', '')).toBe(line);
      for (const part of parts) {
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(75);
        expect(part).not.toContain('\uFFFD');
      }
    }
  });
});
