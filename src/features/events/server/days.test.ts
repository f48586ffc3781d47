import { describe, expect, test } from 'vitest';

import { easternDay, easternTime } from '#shared/release-calendar.ts';
import { FOMC_DECISIONS, halvingFrom, optionsExpiry } from './providers/computed-events.ts';
import { beigeBookDay, minutesDay } from './providers/federal-reserve.ts';
import { dayAhead } from './providers/parsing.ts';
import { addDays, DAY_MS, daysBetween, midnight } from './rules.ts';
import { hasPassed, timeRemaining } from './service/view.ts';

const clock = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  hourCycle: 'h23',
  dateStyle: 'short',
  timeStyle: 'short',
});
/** A seeded generator, so that a failure can be reproduced. */
function* draws(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

describe('day labels', () => {
  test('over 20,000 moments: whole UTC days, past and remaining time agree', () => {
    const draw = draws(7);
    for (let i = 0; i < 20_000; i++) {
      const now = new Date(Date.UTC(2020, 0, 1) + Math.floor(draw.next().value * 20 * 365 * DAY_MS));
      const at = new Date(now.getTime() + Math.floor((draw.next().value - 0.5) * 20 * DAY_MS));
      const days = daysBetween(now, at);
      expect(days).toBe(
        (midnight(at.toISOString().slice(0, 10)).getTime() - midnight(now.toISOString().slice(0, 10)).getTime()) /
          DAY_MS,
      );
      const minute = { at: at.toISOString(), all_day: false };
      const day = { at: midnight(at.toISOString().slice(0, 10)).toISOString(), all_day: true };
      expect(hasPassed(minute, now)).toBe(at <= now);
      expect(hasPassed(day, now)).toBe(days < 0);
      if (days > 0) expect(hasPassed(minute, now)).toBe(false);
      if (days < 0) expect(hasPassed(minute, now)).toBe(true);
      expect(timeRemaining(day, now)).toBeNull();
      const left = at.getTime() - now.getTime();
      const said = timeRemaining(minute, now);
      expect(said !== null).toBe(left > 0 && left < DAY_MS);
      if (said === null) continue;
      const [, hours, minutes] = /^(\d+)h (\d+)m$/.exec(said) ?? [];
      expect(Number(minutes)).toBeLessThan(60);
      const told = (Number(hours) * 60 + Number(minutes)) * 60_000;
      expect(told - left).toBeGreaterThanOrEqual(0);
      expect(told - left).toBeLessThan(60_000);
    }
  });

  test('New York hours stay fixed over every clock change, 2020 to 2040', () => {
    for (let at = Date.UTC(2020, 0, 1); at < Date.UTC(2041, 0, 1); at += DAY_MS) {
      const day = new Date(at).toISOString().slice(0, 10);
      for (const time of ['08:30', '14:00']) {
        const moment = easternTime(day, time);
        expect(clock.format(moment)).toContain(`${day}, ${time}`);
        expect(easternDay(moment)).toBe(day);
      }
    }
  });
});

describe('computed days', () => {
  test('each decision is at 2 p.m. in New York, its minutes three weeks later, the Beige Book on a Wednesday before', () => {
    for (const { day } of FOMC_DECISIONS) {
      expect(new Date(day).getUTCDay()).toBe(3);
      expect(daysBetween(midnight(day), midnight(minutesDay(day)))).toBe(21);
      expect(midnight(beigeBookDay(day)).getUTCDay()).toBe(3);
      expect(daysBetween(midnight(beigeBookDay(day)), midnight(day))).toBe(14);
    }
  });

  test('options expire on the last Friday of the month, 08:00 UTC, 2020 to 2040', () => {
    for (let month = 2020 * 12; month < 2041 * 12; month++) {
      const at = optionsExpiry(Math.floor(month / 12), month % 12);
      expect([at.getUTCDay(), at.getUTCHours(), at.getUTCMinutes()]).toEqual([5, 8, 0]);
      expect(at.getUTCMonth()).toBe(month % 12);
      expect(addDays(at, 7).getUTCMonth()).not.toBe(month % 12);
    }
  });

  test('the halving interval narrows block by block', () => {
    let before = Number.POSITIVE_INFINITY;
    for (let height = 840_000; height < 1_050_000; height += 2100) {
      const next = halvingFrom(height, 0);
      expect(next.height).toBe(1_050_000);
      expect(next.from).toBeLessThan(next.at);
      expect(next.to).toBeGreaterThan(next.at);
      expect(next.to - next.from).toBeLessThan(before);
      before = next.to - next.from;
    }
    expect(halvingFrom(1_050_000, 0).height).toBe(1_260_000);
  });
});

describe('days named in a text', () => {
  const from = new Date('2026-11-20T12:00:00Z');
  test.each([
    ['Roundtable on December 3', '2026-12-03'],
    ['on Jan. 5, and again on Feb. 7', '2027-01-05'],
    ['September 14-15, 2027', '2027-09-14'],
    ['filed on November 3, 2026', null],
    ['by November 30, 2029', null],
    ['February 30, 2027', null],
    ['Section 12 of the May act', null],
    ['nothing at all', null],
  ])('%s: %s', (text, day) => expect(dayAhead(text, from)).toBe(day));
});
