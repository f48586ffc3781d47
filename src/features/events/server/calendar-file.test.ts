import { beforeAll, describe, expect, test } from 'vitest';

import { type Event, getEventStudy } from '#features/events/contract.ts';
import { eventAt } from '#features/events/web/fixtures.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { parseIcs } from './providers/release-schedules.ts';
import { addDays, isoDay } from './rules.ts';
import { calendarText, type Dated, foldLine } from './service/feed.ts';
import { averageMove, type Closes, findSurprises, moveAround, toCell } from './service/study.ts';
import { percent } from './service/view.ts';

const s = fileProduct({ env: { COINMARKETCAL_API_KEY: 'demo' } }, 'events.collect');
const list = async () => (await s.get('/api/events')).json<Event[]>();
const idsIn = (text: string) => [...text.matchAll(/UID:event-(\d+)@/g)].map(([, id]) => Number(id));

describe('GET /api/events.ics', () => {
  test('200: every line of the calendar conforms to RFC 5545', async () => {
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

  test('200: parsed back, it has the same days and minutes; estimated ones are tentative', async () => {
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

  test('200: a UID persists when an event is collected again, as does its stamp if nothing changed', async () => {
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
  ])('200: the page’s filters, %s', async (query, wanted) => {
    const ids = idsIn((await s.get(`/api/events.ics?${query}`)).body);
    const expected = (await list()).filter(wanted).map(({ id }) => id);
    expect(expected.length).toBeGreaterThan(0);
    expect(ids).toEqual(expected);
  });

  test('400: a filter the page does not have', async () => {
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

  test('404 and 400: a missing event, an invalid file name', async () => {
    expect((await s.get('/api/events/999999999.ics')).json()).toEqual({
      error: 'Event not found',
      code: 'not_found',
    });
    expect((await s.get('/api/events/first.ics')).json()).toMatchObject({ code: 'bad_request' });
  });
});

describe('texts', () => {
  const given: Dated = {
    ...eventAt(7, '2026-12-09T19:00:00.000Z', {
      title: 'Rates; jobs, and "C:\\data"\nsecond line',
      why: 'Low: it is a test.',
      allDay: true,
      dateEstimated: true,
      interval: { from: '2026-12-01', to: '2026-12-20' },
      source: null,
    }),
    updatedAt: '2026-11-20T12:00:00.000Z',
  };

  test('commas, semicolons, backslashes and line breaks are escaped; control characters are removed', () => {
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
      const parts = foldLine(line).split('\r\n');
      expect(parts.join('\r\n').replaceAll('\r\n ', '')).toBe(line);
      for (const part of parts) {
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(75);
        expect(part).not.toContain('\uFFFD');
      }
    }
  });
});

describe('GET /api/events/study', () => {
  beforeAll(async () => {
    await s.job('market.listing');
    for (const coinId of ['bitcoin', 'ethereum']) await s.job('market.backfill', { coinId });
    await s.job('inflation.refresh');
    await s.job('events.collect');
  });

  test('200: asset, window and sign with n and interval, "too few" below 8; its events are past releases', async () => {
    const answer = await s.get('/api/events/study?kind=cpi');
    const study = getEventStudy.reply.parse(answer.json());
    expect(study).toMatchObject({ kind: 'cpi', name: 'Consumer Price Index' });
    expect(study.cells).toHaveLength(2 * 3 * 4);
    expect(study.events.length).toBeGreaterThanOrEqual(8);
    for (const { n, mean, low, high } of study.cells) {
      if (n < 8) expect([mean, low, high]).toEqual([null, null, null]);
      else expect((low ?? 0) < (mean ?? 0) && (mean ?? 0) < (high ?? 0)).toBe(true);
    }
    for (const asset of ['BTC', 'ETH'] as const) {
      const ofDay = study.cells.filter((cell) => cell.asset === asset && cell.window === '24h');
      const n = Object.fromEntries(ofDay.map((cell) => [cell.sign, cell.n]));
      expect((n['above'] ?? 0) + (n['in line'] ?? 0) + (n['below'] ?? 0)).toBeLessThanOrEqual(n['all'] ?? 0);
      expect(n['all']).toBe(study.events.length);
    }
    expect(study.from).toBe(study.events.at(-1)?.date);
    expect(study.to).toBe(study.events[0]?.date);
    for (const { date } of study.events) expect(date < '2026-11-20').toBe(true);
  });

  test('400: a kind without a study', async () => {
    expect((await s.get('/api/events/study?kind=weather')).statusCode).toBe(400);
    expect((await s.get('/api/events/study')).statusCode).toBe(400);
  });

  test('a data release has its figures from official prices: its actual values, and the previous ones for the next', async () => {
    const events = (await s.get('/api/events')).json<Event[]>();
    const ppi = events.filter(({ kind }) => kind === 'ppi');
    const last = ppi.find(({ status }) => status === 'past');
    const next = ppi.find(({ status }) => status === 'upcoming');
    expect(last?.figures?.actual).toMatch(/^[+−]?\d\.\d%$/);
    expect(next?.figures).toMatchObject({ actual: null, previous: last?.figures?.actual });
    expect(ppi.filter(({ status }) => status === 'upcoming')[1]?.figures).toBeNull();
  });
});

test.each([
  [0.3, '+0.3%'],
  [-0.25, '−0.3%'],
  [0.04, '0.0%'],
  [-0.04, '0.0%'],
  [null, null],
])('a rate of %s is written %s', (value, text) => expect(percent(value)).toBe(text));

describe('measurement', () => {
  const print = (i: number, consensus: number | null) => ({
    period: `2024-${String(i).padStart(2, '0')}`,
    releasedAt: new Date(Date.UTC(2024, i, 12, 12, 30)),
    actual: 0.3,
    isFirstPrint: true,
    consensus,
    nowcast: null,
    previous: 0.1,
  });

  test('a surprise is against the consensus where eight releases have one, else against the prior month', () => {
    const eight = Array.from({ length: 8 }, (_, i) => print(i, 0.2));
    expect(findSurprises([...eight, print(9, null)]).events.map(({ surprise }) => surprise)).toEqual(
      Array(8).fill(0.1),
    );
    const seven = findSurprises([...eight.slice(1), print(9, null)]);
    expect(seven.against).toContain('too few releases have a stored consensus');
    expect(seven.events.map(({ surprise }) => surprise)).toEqual(Array(8).fill(0.2));
  });

  test('a missing close excludes the event and is never filled', () => {
    const closes = new Map([
      ['2026-01-01', 100],
      ['2026-01-02', 110],
      ['2026-01-04', 120],
    ]);
    expect(moveAround(closes, '2026-01-02', 1)).toBeCloseTo(100 * Math.log(1.1));
    expect(moveAround(closes, '2026-01-02', 3)).toBeCloseTo(100 * Math.log(1.2));
    expect(moveAround(closes, '2026-01-03', 1)).toBeNull();
    expect(moveAround(closes, '2026-01-04', 1)).toBeNull();
  });

  /** A market with fat tails, volatility clusters and an upward drift, in which no day is special. */
  function market(random: () => number): Closes {
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const closes = new Map<string, number>();
    let [log, unrest] = [0, 0];
    for (let i = 0; i < 1500; i++) {
      unrest = 0.95 * unrest + 0.15 * normal();
      const chi = -2 * Math.log((1 - random()) * (1 - random()));
      log += 0.0015 + 0.025 * Math.exp(unrest) * (normal() / Math.sqrt(chi / 4)) * Math.SQRT1_2;
      closes.set(isoDay(addDays(new Date(Date.UTC(2020, 0, 1)), i)), Math.exp(log));
    }
    return closes;
  }

  function generator(seed: number): () => number {
    let state = seed;
    return () => {
      state = (Math.imul(state ^ (state >>> 15), 1 | state) + 0x6d2b79f5) | 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
    };
  }

  test('placebo: on random dates a cell is significant at most 5% of the time', () => {
    const random = generator(11);
    let [significant, cells] = [0, 0];
    for (let trial = 0; trial < 60; trial++) {
      const closes = market(random);
      const days = [...closes.keys()].slice(10, -10);
      for (const length of [1, 3, 7]) {
        const average = averageMove(closes, days[0] ?? '', days.at(-1) ?? '', length);
        for (const n of [8, 12, 20, 40]) {
          const moves = Array.from(
            { length: n },
            () => moveAround(closes, days[Math.floor(random() * days.length)] ?? '', length) ?? 0,
          );
          const { low, high } = toCell(moves, average);
          cells += 1;
          if ((low ?? 0) > 0 || (high ?? 0) < 0) significant += 1;
        }
      }
    }
    expect(cells).toBe(720);
    expect(significant / cells).toBeLessThanOrEqual(0.05);
  });

  test('detects a true effect of two points', () => {
    const random = generator(5);
    const moves = Array.from({ length: 40 }, () => 2 + 3 * (random() + random() + random() - 1.5));
    expect(toCell(moves, 0).low).toBeGreaterThan(0);
    expect(toCell(moves.slice(0, 7), 0)).toEqual({ n: 7, mean: null, low: null, high: null });
  });
});
