import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collectSettled } from '#kernel/http/resilience.ts';
import { SourceError } from '#kernel/http/source-error.ts';
import { fundingPast, hoursBetween, per8h, times, toDate, toFiniteNumber, venueFigure } from './futures.ts';

const HOUR = 3_600_000;
const rate = fc.double({ min: -0.02, max: 0.02, noNaN: true });
const now = new Date('2026-11-20T12:00:00Z');

describe('figures as written by venues', () => {
  test.each([
    ['0.0001', 0.0001],
    ['-1.5e-4', -0.000_15],
    [0, 0],
    ['0', 0],
    ['123456789012345678901.5', 123_456_789_012_345_680_000],
    [2 ** 60, 2 ** 60],
  ])('%j is a number', (value, expected) => expect(toFiniteNumber(value)).toBe(expected));

  test.each(['', ' ', null, undefined, 'NaN', 'Infinity', '1,000', '0x10', '--1', {}, [], true, Number.NaN])(
    '%j is not one',
    (value) => expect(toFiniteNumber(value)).toBeNull(),
  );

  test('any number survives a round trip as text', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(toFiniteNumber(String(value))).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  test('an invalid moment, or one too far off or before 1970, is null', () => {
    for (const value of ['', '0', -5, 'soon', 1e300, null]) expect(toDate(value)).toBeNull();
    expect(toDate('1789936534485')?.toISOString()).toBe('2026-09-20T20:35:34.485Z');
  });
});

describe('funding in percent per 8h', () => {
  test('the same annual cost is the same figure, whatever the interval', () => {
    fc.assert(
      fc.property(rate, fc.constantFrom(1, 2, 4, 8), (perHour, hours) => {
        expect(per8h(perHour * hours, hours)).toBeCloseTo(perHour * 800, 10);
      }),
    );
  });

  test('an unknown rate or interval is null, never zero', () => {
    for (const hours of [null, 0, -8, Number.NaN]) expect(per8h(0.0001, hours)).toBeNull();
    expect(per8h(null, 8)).toBeNull();
    expect(per8h(0, 8)).toBe(0);
    expect(times(2, null, 3)).toBeNull();
    expect(hoursBetween(now, now)).toBeNull();
  });

  test('past rates keep their times and take the interval from their neighbours', () => {
    fc.assert(
      fc.property(fc.array(rate, { minLength: 2, maxLength: 60 }), fc.constantFrom(1, 4, 8), (rates, hours) => {
        const settled = rates.map((value, i) => ({ at: new Date(now.getTime() - i * hours * HOUR), rate: value }));
        const rows = fundingPast('btc', settled, new Date(0), 'BTC');
        expect(rows).toHaveLength(rates.length);
        expect(rows.map(({ observedAt }) => observedAt.getTime())).toEqual(
          settled.map(({ at }) => at.getTime()).toReversed(),
        );
        for (const [i, row] of rows.toReversed().entries())
          expect(row.value).toBeCloseTo(((rates[i] as number) * 800) / hours, 10);
      }),
    );
  });

  test('a gap in history does not stretch an interval; a lone rate gives none', () => {
    const at = (hour: number) => new Date(now.getTime() + hour * HOUR);
    const holed = [0, 8, 32, 40].map((hour) => ({ at: at(hour), rate: 0.0001 }));
    const values = fundingPast('eth', holed, new Date(0), '').map(({ value }) => value);
    for (const value of values) expect(value).toBeCloseTo(0.01, 12);
    expect(fundingPast('eth', [{ at: now, rate: 0.0001 }], new Date(0), '')).toEqual([]);
  });
});

describe('a venue', () => {
  test('impossible figures are omitted', () => {
    expect(venueFigure('oi', 'btc', -1, now)).toEqual([]);
    expect(venueFigure('oi', 'btc', Number.POSITIVE_INFINITY, now)).toEqual([]);
    expect(venueFigure('oi', 'btc', 5, null)).toEqual([]);
    expect(venueFigure('funding', 'btc', 300, now)).toEqual([]);
    expect(venueFigure('funding', 'btc', -0.4, now)).toMatchObject([{ metric: 'venue.funding.btc', value: -0.4 }]);
    expect(venueFigure('volume', 'btc', 2 ** 70, now)).toHaveLength(1);
  });

  test('one failed call costs only its part, all failing fail, a bug is not hidden', async () => {
    const failure = new SourceError('status', 'Venue returned 500');
    expect(await collectSettled([Promise.resolve([1]), Promise.reject(failure), Promise.resolve([2, 3])])).toEqual([
      1, 2, 3,
    ]);
    await expect(collectSettled([Promise.reject(failure), Promise.reject(failure)])).rejects.toBe(failure);
    await expect(collectSettled([Promise.resolve([1]), Promise.reject(new TypeError('bug'))])).rejects.toThrow('bug');
  });
});
