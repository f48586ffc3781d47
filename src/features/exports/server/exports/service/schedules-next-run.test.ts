import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Cadence } from '#features/exports/contract/exports.ts';
import { anchorAt, knowsZone, newestRun, nextRun } from './schedule-times.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'UTC'] as const;
const RUNS = { numRuns: Number(process.env['RUNS'] ?? 25) };

/** For a schedule in Europe/Berlin unless stated otherwise. */
const next = (after: string, schedule: Cadence, anchor: number, hour: number, zone = 'Europe/Berlin') =>
  nextRun(schedule, anchor, hour, zone, new Date(after)).toISOString();

const formats = new Map<string, Intl.DateTimeFormat>();

/** Local date, weekday and time, read from Intl differently than in the code. */
function clock(zone: string, at: number) {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' });
  formats.set(zone, format);
  const [date = '', time = ''] = format.format(at).split(' ');
  return { date, time, weekday: new Date(`${date}T00:00:00Z`).getUTCDay() || 7 };
}

const isMonthEnd = (date: string) => clock('UTC', Date.parse(`${date}T00:00:00Z`) + DAY_MS).date.endsWith('-01');

/** Whether a schedule runs on that calendar day. */
function isDay(schedule: Cadence, anchor: number, { date, weekday }: ReturnType<typeof clock>): boolean {
  if (schedule === 'daily') return true;
  if (schedule === 'weekly') return weekday === anchor;
  const day = Number(date.slice(8));
  return day === anchor || (day < anchor && isMonthEnd(date));
}

/** Walks local time in half-hour steps: each day's first step at or after the hour is a run. */
function walked(schedule: Cadence, anchor: number, hour: number, zone: string, from: number, to: number): string[] {
  const found: string[] = [];
  const seen = new Set<string>();
  const wanted = `${String(hour).padStart(2, '0')}:00`;
  const start = Math.floor((from - 3 * DAY_MS) / (30 * MINUTE_MS)) * 30 * MINUTE_MS;
  for (let at = start; at <= to; at += 30 * MINUTE_MS) {
    const shown = clock(zone, at);
    if (shown.time < wanted || seen.has(shown.date)) continue;
    seen.add(shown.date);
    if (at > from && isDay(schedule, anchor, shown)) found.push(new Date(at).toISOString());
  }
  return found;
}

describe('the next run of a schedule', () => {
  test('follows local time, summer and winter', () => {
    expect(next('2026-07-01T10:00:00Z', 'daily', 3, 8)).toBe('2026-07-02T06:00:00.000Z');
    expect(next('2026-12-01T10:00:00Z', 'daily', 2, 8)).toBe('2026-12-02T07:00:00.000Z');
    expect(next('2026-12-01T10:00:00Z', 'daily', 2, 8, 'Asia/Kolkata')).toBe('2026-12-02T02:30:00.000Z');
    expect(next('2026-12-02T06:59:59.999Z', 'daily', 2, 8)).toBe('2026-12-02T07:00:00.000Z');
    expect(next('2026-12-02T07:00:00Z', 'daily', 2, 8)).toBe('2026-12-03T07:00:00.000Z');
  });

  test('a skipped hour runs at the next existing time', () => {
    expect(next('2026-03-28T12:00:00Z', 'daily', 6, 2)).toBe('2026-03-29T01:00:00.000Z');
    expect(next('2026-03-29T01:00:00Z', 'daily', 6, 2)).toBe('2026-03-30T00:00:00.000Z');
    expect(next('2026-03-08T00:00:00Z', 'daily', 7, 2, 'America/New_York')).toBe('2026-03-08T07:00:00.000Z');
    expect(next('2026-10-03T00:00:00Z', 'daily', 6, 2, 'Australia/Lord_Howe')).toBe('2026-10-03T15:30:00.000Z');
  });

  test('a repeated hour counts once, the first time', () => {
    expect(next('2026-10-24T12:00:00Z', 'daily', 6, 2)).toBe('2026-10-25T00:00:00.000Z');
    expect(next('2026-10-25T00:00:00Z', 'daily', 6, 2)).toBe('2026-10-26T01:00:00.000Z');
    expect(next('2026-11-01T05:00:00Z', 'daily', 7, 1, 'America/New_York')).toBe('2026-11-02T06:00:00.000Z');
  });

  test('the 31st is the last day of a shorter month, and the 31st again afterwards', () => {
    const runs = ['2026-01-31T07:00:00.000Z'];
    for (let i = 0; i < 4; i += 1) runs.push(next(runs.at(-1) as string, 'monthly', 31, 8));
    expect(runs.map((run) => run.slice(0, 10))).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
    ]);
    expect(next('2028-02-01T00:00:00Z', 'monthly', 30, 8)).toBe('2028-02-29T07:00:00.000Z');
  });

  test('a day skipped by a time zone is made up for immediately, and once', () => {
    expect(next('2011-12-30T00:00:00Z', 'daily', 5, 8, 'Pacific/Apia')).toBe('2011-12-30T10:00:00.000Z');
    expect(next('2011-12-30T10:00:00Z', 'daily', 5, 8, 'Pacific/Apia')).toBe('2011-12-30T18:00:00.000Z');
  });

  test.each(ZONES)('%s: always matches the local wall clock', (zone) => {
    const schedule = fc.constantFrom<Cadence>('daily', 'weekly', 'monthly');
    const from = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2031, 0, 1) });
    const anchor = fc.integer({ min: 1, max: 31 });
    fc.assert(
      fc.property(schedule, anchor, fc.integer({ min: 0, max: 23 }), from, (cadence, day, hour, after) => {
        const place = cadence === 'weekly' ? ((day - 1) % 7) + 1 : day;
        const to = after + 70 * DAY_MS;
        const runs: string[] = [];
        for (let at = new Date(after); ; ) {
          at = nextRun(cadence, place, hour, zone, at);
          if (at.getTime() > to) break;
          runs.push(at.toISOString());
        }
        expect(runs).toEqual(walked(cadence, place, hour, zone, after, to));
      }),
      RUNS,
    );
  });

  test.each(ZONES)('%s: two years of clock changes, hour by hour', (zone) => {
    for (let year = 2026; year < 2028; year += 1)
      for (const month of [2, 3, 9, 10])
        for (const hour of [0, 1, 2, 3]) {
          const from = Date.UTC(year, month, 1);
          const to = from + 32 * DAY_MS;
          const runs: string[] = [];
          for (let at = new Date(from); ; ) {
            at = nextRun('daily', 1, hour, zone, at);
            if (at.getTime() > to) break;
            runs.push(at.toISOString());
          }
          expect(runs).toEqual(walked('daily', 1, hour, zone, from, to));
        }
  });
});

describe('missed runs', () => {
  const daily = { schedule: 'daily', anchor: 1, hour: 8, timeZone: 'Europe/Berlin' } as const;
  const at = (text: string) => new Date(text);

  test('only the latest run counts', () => {
    expect(newestRun(daily, at('2026-11-01T07:00:00Z'), at('2026-11-20T12:00:00Z'))).toEqual(
      at('2026-11-20T07:00:00Z'),
    );
    expect(newestRun(daily, at('2016-11-01T07:00:00Z'), at('2026-11-20T06:00:00Z'))).toEqual(
      at('2026-11-19T07:00:00Z'),
    );
    expect(
      newestRun({ ...daily, schedule: 'monthly', anchor: 31 }, at('2026-01-31T07:00:00Z'), at('2026-03-30T12:00:00Z')),
    ).toEqual(at('2026-02-28T07:00:00Z'));
  });

  test('one that is due right now counts', () => {
    expect(newestRun(daily, at('2026-11-20T07:00:00Z'), at('2026-11-20T07:00:00Z'))).toEqual(
      at('2026-11-20T07:00:00Z'),
    );
  });
});

test('a schedule is anchored to its local day', () => {
  const at = new Date('2026-11-30T23:30:00Z');
  expect(anchorAt('monthly', 'Europe/Berlin', at)).toBe(1);
  expect(anchorAt('monthly', 'America/New_York', at)).toBe(30);
  expect(anchorAt('weekly', 'Europe/Berlin', at)).toBe(2);
  expect(anchorAt('weekly', 'UTC', new Date('2026-11-29T12:00:00Z'))).toBe(7);
});

test('a time zone is a location with an IANA name', () => {
  for (const zone of [...ZONES, 'Pacific/Apia']) expect(knowsZone(zone)).toBe(true);
  for (const zone of ['Europe/Atlantis', '+02:00', '', 'Berlin', '../etc']) expect(knowsZone(zone)).toBe(false);
});
