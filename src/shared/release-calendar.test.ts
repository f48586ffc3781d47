import { describe, expect, test } from 'vitest';

import { addMonths, easternDay, easternTime, findRelease, nextRelease, releasesBetween } from './release-calendar.ts';

const between = (from: string, to: string) => releasesBetween(new Date(from), new Date(to));

describe('the release calendar', () => {
  test('8:30 a.m. in New York is 12:30 in summer and 13:30 in winter', () => {
    expect(easternTime('2026-03-06').toISOString()).toBe('2026-03-06T13:30:00.000Z');
    expect(easternTime('2026-03-11').toISOString()).toBe('2026-03-11T12:30:00.000Z');
    expect(easternTime('2026-10-29').toISOString()).toBe('2026-10-29T12:30:00.000Z');
    expect(easternTime('2026-11-06').toISOString()).toBe('2026-11-06T13:30:00.000Z');
    for (let day = Date.UTC(2026, 0, 1); day < Date.UTC(2027, 0, 1); day += 86_400_000) {
      const text = new Date(day).toISOString().slice(0, 10);
      for (const time of ['03:00', '08:30', '23:59']) expect(easternDay(easternTime(text, time))).toBe(text);
    }
  });

  test('dates published by the agencies are not estimated', () => {
    expect(findRelease('cpi', '2026-10')).toEqual({
      type: 'cpi',
      period: '2026-10',
      at: new Date('2026-11-10T13:30:00Z'),
      estimated: false,
    });
    expect(findRelease('pce', '2026-10')?.at).toEqual(new Date('2026-11-25T13:30:00Z'));
    expect(findRelease('ppi', '2026-09')?.at).toEqual(new Date('2026-10-15T12:30:00Z'));
    expect(findRelease('payrolls', '2026-11')?.at).toEqual(new Date('2026-12-04T13:30:00Z'));
    expect(findRelease('cpi', '2026-11')?.at).toEqual(new Date('2026-12-10T13:30:00Z'));
  });

  test('CPI for October 2025 was never released', () => {
    expect(findRelease('cpi', '2025-10')).toBeUndefined();
    expect(findRelease('cpi', '2025-11')?.at).toEqual(new Date('2025-12-18T13:30:00Z'));
    expect(findRelease('ppi', '2025-10')?.at).toEqual(findRelease('ppi', '2025-11')?.at);
  });

  test('one month of releases, in time order', () => {
    const november = between('2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z');
    expect(
      november.map(({ type, at, estimate }) => `${type}${estimate ? ` ${estimate}` : ''} ${at.getUTCDate()}`),
    ).toEqual(['payrolls 6', 'cpi 10', 'ppi 13', 'pce 25', 'gdp second 25']);
  });

  test('beyond the schedules days follow the usual rule, are marked so and are working days', () => {
    const all = between('2027-01-15T00:00:00Z', '2030-01-01T00:00:00Z');
    expect(all.length).toBeGreaterThan(36 * 4 + 30);
    for (const { estimated, at } of all) {
      expect(estimated).toBe(true);
      expect([1, 2, 3, 4, 5]).toContain(at.getUTCDay());
      expect(easternTime(easternDay(at)).getTime()).toBe(at.getTime());
    }
    for (const type of ['cpi', 'ppi', 'pce', 'payrolls'] as const) {
      const periods = all.filter((each) => each.type === type).map(({ period }) => period);
      expect(new Set(periods).size).toBe(periods.length);
      for (const [i, period] of periods.entries()) if (i > 0) expect(period).toBe(addMonths(periods[i - 1] ?? '', 1));
    }
  });

  test('the next release is the first after the moment', () => {
    expect(nextRelease('cpi', new Date('2026-12-10T13:30:00Z'))).toMatchObject({
      period: '2026-12',
      estimated: true,
    });
  });

  test('month arithmetic crosses years', () => {
    expect(addMonths('2026-10', 3)).toBe('2027-01');
    expect(addMonths('2026-01', -13)).toBe('2024-12');
    for (let i = -40; i <= 40; i++) expect(addMonths(addMonths('2020-05', i), -i)).toBe('2020-05');
  });
});
