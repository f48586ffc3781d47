import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cronWords, readSchedule } from './service.ts';

const DEFAULT = ['0 9-17 * * 1-5', '0 0,3,6,18,21 * * 1-5', '0 */4 * * 0,6'];
const told = (...crons: string[]) => cronWords(crons).map(({ when, rhythm }) => `${when}: ${rhythm}`);

describe('cron expressions in words', () => {
  test('the default schedule in the specification’s words', () => {
    expect(told(...DEFAULT)).toEqual([
      'Weekdays 9-17 UTC: hourly',
      'Weekday off-hours: every 3 hours',
      'Weekends: every 4 hours',
    ]);
  });

  test.each([
    ['0 * * * *', 'Every day: hourly'],
    ['7 * * * *', 'Every day: hourly, 7 minutes past'],
    ['* * * * *', 'Every day: every minute'],
    ['*/15 * * * 1-5', 'Weekdays: every 15 minutes'],
    ['0,30 8-20 * * *', 'Every day 8-20 UTC: every 30 minutes'],
    ['5,10 * * * *', 'Every day: at minutes 5 and 10 of each hour'],
    ['0 */6 * * *', 'Every day: every 6 hours'],
    ['30 6 * * 1', 'Mondays: at 06:30 UTC'],
    ['0 6,18,20 * * 2,4', 'Tuesdays and Thursdays: at 06:00, 18:00 and 20:00 UTC'],
    ['0 9-12/1 * * 6,7', 'Weekends 9-12 UTC: hourly'],
    ['0,20 3,9 * * 0', 'Sundays 3 and 9 UTC: at minutes 0 and 20 of each hour within these hours'],
    ['0 0 1 * *', 'By the cron expression: 0 0 1 * * (UTC)'],
    ['99 * * * *', 'By the cron expression: 99 * * * * (UTC)'],
    ['0 9--17 * * *', 'By the cron expression: 0 9--17 * * * (UTC)'],
  ])('%s is %s', (cron, words) => expect(told(cron)).toEqual([words]));

  test('off-hours need the working hours next to them, on the same days', () => {
    const [, off = ''] = DEFAULT;
    expect(told(off)).toEqual(['Weekdays: at 00:00, 03:00, 06:00, 18:00 and 21:00 UTC']);
    expect(told('0 9-17 * * 0,6', off)[1]).toBe('Weekdays: at 00:00, 03:00, 06:00, 18:00 and 21:00 UTC');
    expect(told('0 8-19 * * *', '0 0,4,20 * * *')[1]).toBe('Off-hours: every 4 hours');
  });

  test('any schedule an operator may set has a description', () => {
    const part = fc.stringMatching(/^[\d*,/-]{1,8}$/);
    const cron = fc.tuple(part, part, part, part, part).map((parts) => parts.join(' '));
    fc.assert(
      fc.property(fc.array(cron, { minLength: 1, maxLength: 4 }), (crons) => {
        const lines = told(...crons);
        expect(lines).toHaveLength(crons.length);
        for (const line of lines) expect(line).toMatch(/^\S.*: \S/);
      }),
    );
  });
});

describe('the schedule follows the configuration', () => {
  const config = { FAST_LANE_SECONDS: 60, LISTING_MINUTES: 5, FULL_COLLECTION_CRON: DEFAULT, SLOW_LANE_MINUTES: 30 };

  test.each([
    [{ FAST_LANE_SECONDS: 60 }, { prices: 'at least every 60 seconds' }],
    [{ FAST_LANE_SECONDS: 300 }, { prices: 'at least every 5 minutes' }],
    [{ FAST_LANE_SECONDS: 120 }, { prices: 'at least every 2 minutes' }],
    [{ LISTING_MINUTES: 1 }, { listing: 'every minute' }],
    [{ LISTING_MINUTES: 10 }, { listing: 'every 10 minutes' }],
    [{ SLOW_LANE_MINUTES: 30 }, { slow: 'every 30 minutes' }],
    [{ SLOW_LANE_MINUTES: 60 }, { slow: 'every hour' }],
    [{ SLOW_LANE_MINUTES: 360 }, { slow: 'every 6 hours' }],
    [{ FULL_COLLECTION_CRON: ['0 * * * *'] }, { full: [{ when: 'Every day', rhythm: 'hourly' }] }],
  ])('%o gives %o', (change, words) => expect(readSchedule({ ...config, ...change })).toMatchObject(words));
});
