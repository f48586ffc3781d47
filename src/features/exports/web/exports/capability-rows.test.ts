import { expect, test } from 'vitest';
import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import { OTHER_LIMITS, USUAL_LIMITS } from '#ui/testing/limits.ts';

import { COLUMNS, createRows } from './capability-table.tsx';

const ROWS = createRows(USUAL_LIMITS);
const valuesOf = (name: string) => ROWS.find((row) => row.name === name)?.values;

test('the columns are Free, Pro and Premium+/Admin, and every row has a value for each', () => {
  expect(COLUMNS.map(({ name }) => name)).toEqual(['Free', 'Pro', 'Premium+/Admin']);
  for (const { values } of ROWS) expect(values).toHaveLength(3);
});

test('the column shared by Premium+ and administrators is the same for both', () => {
  const { historyDays, dataExport, advancedExport } = PLAN_LIMITS.premium;
  expect(PLAN_LIMITS.admin).toMatchObject({ historyDays, dataExport, advancedExport });
});

test.each([
  ['History page', ['The last 30 days', 'Full history', 'Full history']],
  ['Exports', [false, '20 a day', 'Unlimited']],
  [
    'Data',
    [
      false,
      'Crypto prices, market data, fear and greed, narratives, AI analysis, all data',
      'All of Pro, and alerts, backtest results',
    ],
  ],
  ['Formats', [false, 'CSV, JSON, Excel', 'All of Pro, and PDF, XML']],
  ['Date ranges', [false, '1 day, 7 days, 30 days, 90 days, 1 year, all time', 'All of Pro, and custom']],
  ['Manifest with SHA-256', [false, true, true]],
  ['Multiple data types in one file', [false, false, true]],
  ['Embedded metadata and compression', [false, false, true]],
  ['Scheduled: daily, weekly, monthly', [false, false, true]],
  ['Your name, logo and color on reports', [false, false, true]],
])('%s: matches the limits and the lists of the calls', (name, values) => {
  expect(valuesOf(name)).toEqual(values);
});

test.each([
  ['of this installation', OTHER_LIMITS, [false, '7 a day', 'Unlimited']],
  ['not known yet', undefined, [false, true, true]],
] as const)('exports per day, %s', (_, limits, values) => {
  expect(createRows(limits).find(({ name }) => name === 'Exports')?.values).toEqual(values);
});
