import { describe, expect, test } from 'vitest';

import { type Draft, dateProblems, FIRST_DRAFT, requestBody, sharedBody } from './draft.ts';

const draftOf = (change: Partial<Draft>): Draft => ({ ...FIRST_DRAFT, ...change });
const TODAY = '2026-11-21';

test('all data includes every other kind', () => {
  expect(sharedBody(draftOf({ dataTypes: ['alerts', 'all_data'] })).dataTypes).toEqual(['all_data']);
});

test.each([
  ['csv', true],
  ['json', true],
  ['xlsx', false],
  ['pdf', false],
  ['xml', false],
] as const)('%s: compression is %s', (format, compression) => {
  expect(sharedBody(draftOf({ format })).compression).toBe(compression);
});

describe('a custom range', () => {
  test.each<[string, string, object]>([
    ['', '', { startDate: 'Choose a start date' }],
    ['2026-11-22', '2026-11-22', { startDate: 'The start date is in the future' }],
    ['2026-11-01', '', { endDate: 'Choose an end date' }],
    ['2026-11-01', '2026-11-22', { endDate: 'The end date is in the future' }],
    ['2026-11-10', '2026-11-09', { endDate: 'The end date is before the start date' }],
    ['2026-11-10', '2026-11-10', {}],
    ['2026-11-10', TODAY, {}],
  ])('%s to %s: %j', (startDate, endDate, problems) => {
    expect(dateProblems(draftOf({ dateRange: 'custom', startDate, endDate }), TODAY)).toEqual(problems);
  });

  test('is sent with its days; another range omits them', () => {
    const days = { startDate: '2026-11-01', endDate: '2026-11-02' };
    expect(requestBody(draftOf({ dateRange: 'custom', ...days }))).toMatchObject(days);
    expect(requestBody(draftOf({ dateRange: '30d', ...days }))).not.toHaveProperty('startDate');
    expect(dateProblems(draftOf({ startDate: '' }), TODAY)).toEqual({});
  });
});
