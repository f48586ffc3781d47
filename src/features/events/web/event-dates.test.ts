import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { NOON } from '#ui/testing/figures.ts';

import {
  addDays,
  addMonths,
  dayWords,
  easternTime,
  isPast,
  relativeLabel,
  timeWords,
  weekdayIndex,
  weekStart,
  weeksFrom,
  weekWords,
} from './event-dates.ts';

const label = (daysUntil: number, timeRemaining?: string) =>
  relativeLabel({ daysUntil, ...(timeRemaining ? { timeRemaining } : {}) });

describe('the relative label', () => {
  test.each([
    [-1, 'Past'],
    [0, 'Today'],
    [1, 'Tomorrow'],
    [6, '6 days'],
    [7, '1 week'],
    [29, '4 weeks'],
    [30, '1 month'],
    [510, '17 months'],
  ])('%d days ahead: %s', (days, words) => {
    expect(label(days)).toBe(words);
  });

  test('the server’s remaining days take precedence until the event is over', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2000 }), fc.constantFrom('5h 12m', '3m'), (days, remains) => {
        expect(label(days, remains)).toBe(remains);
        expect(relativeLabel({ daysUntil: days, timeRemaining: remains }, true)).toBe('Past');
      }),
    );
  });

  test('every number of days has one of the specified forms, and none overstates', () => {
    fc.assert(
      fc.property(fc.integer({ min: -4000, max: 4000 }), (days) => {
        const words = label(days);
        if (days < 0) return words === 'Past';
        if (days < 2) return words === ['Today', 'Tomorrow'][days];
        const [, n = '', unit = ''] = /^(\d+) (day|week|month)s?$/.exec(words) ?? [];
        const size = { day: 1, week: 7, month: 30 }[unit] ?? Number.NaN;
        const expected = days < 7 ? 'day' : days < 30 ? 'week' : 'month';
        const count = Number(n);
        return (
          unit === expected && count * size <= days && days < (count + 1) * size && words.endsWith('s') === count > 1
        );
      }),
    );
  });
});

test('past: from its starting minute; a day without a time once it is over', () => {
  const at = (ms: number) => ({ date: new Date(ms).toISOString(), allDay: false, daysUntil: 0 });
  fc.assert(fc.property(fc.integer({ min: -1e9, max: 1e9 }), (off) => isPast(at(NOON + off), NOON) === off <= 0));
  const day = { date: '2026-11-21T00:00:00.000Z', allDay: true };
  expect(isPast({ ...day, daysUntil: 0 }, NOON)).toBe(false);
  expect(isPast({ ...day, daysUntil: -1 }, NOON)).toBe(true);
});

describe('times', () => {
  test('in the reader’s time zone, across a clock change', () => {
    expect(timeWords('2026-11-24T13:30:00.000Z', 'Europe/Berlin')).toBe('14:30 GMT+1');
    expect(timeWords('2026-07-14T12:30:00.000Z', 'Europe/Berlin')).toBe('14:30 GMT+2');
    expect(timeWords('2026-11-24T13:30:00.000Z', 'America/New_York')).toBe('08:30 EST');
    expect(timeWords('2026-07-14T12:30:00.000Z', 'America/New_York')).toBe('08:30 EDT');
  });

  test.each(['BLS', 'Bureau of Labor Statistics', 'U.S. Bureau of Labor Statistics'])(
    'Eastern Time of %s, before and after the clock change',
    (source) => {
      expect(easternTime({ date: '2026-11-24T13:30:00.000Z', allDay: false, source })).toBe('08:30');
      expect(easternTime({ date: '2026-07-14T12:30:00.000Z', allDay: false, source })).toBe('08:30');
      expect(easternTime({ date: '2026-07-14T00:00:00.000Z', allDay: true, source })).toBeNull();
    },
  );

  test.each(['Federal Reserve', 'FABLSE', null])('none of %s', (source) => {
    expect(easternTime({ date: '2026-11-24T13:30:00.000Z', allDay: false, source })).toBeNull();
  });
});

describe('the calendar', () => {
  const days = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  const key = (day: Date) => day.toISOString().slice(0, 10);

  test('weeks start on Monday, the first contains the day, and days are consecutive', () => {
    fc.assert(
      fc.property(days, (day) => {
        const weeks = weeksFrom(weekStart(key(day)), 5);
        const all = weeks.flat();
        expect(weeks.every((week) => week.length === 7 && weekdayIndex(week[0] ?? '') === 0)).toBe(true);
        expect(all.every((each, i) => i === 0 || each === addDays(all[i - 1] ?? '', 1))).toBe(true);
        expect(weeks[0]).toContain(key(day));
      }),
    );
    expect([weekWords('2026-11-30'), weekWords('2026-12-07')]).toEqual(['30 Nov – 6 Dec', '7 – 13 Dec']);
  });

  test('a month later is in the next month, on its last day if the day does not exist', () => {
    expect(addMonths('2027-01-31', 1)).toBe('2027-02-28');
    expect(addMonths('2026-12-15', 1)).toBe('2027-01-15');
    expect(addMonths('2027-03-31', -1)).toBe('2027-02-28');
    expect(dayWords('2026-11-25')).toBe('Wed, 25 Nov 2026');
  });
});
