import { expect, test } from 'vitest';

import { failedRequirements, requirementErrors, requirements } from '../support/register.ts';

const ROW = { section: 'Sums', requirement: 'It adds.', place: '000 §1', tests: ['a.test.ts › adds %s'] };

test('each register row has a place and names existing tests', () => {
  const rows = requirements();
  expect(rows.length).toBeGreaterThan(1000);
  expect(rows.flatMap((row) => requirementErrors(row))).toEqual([]);
});

test('detects a row without a test, and one that names a nonexistent test', () => {
  const sourceOf = (path: string) => (path === 'a.test.ts' ? "test.each(CASES)('adds %s')" : '');
  const faults = (change: object) => requirementErrors({ ...ROW, ...change }, sourceOf);
  expect([faults({}), faults({ tests: [] })]).toEqual([[], ['no test shows: It adds.']]);
  expect(faults({ tests: ['a.test.ts › subtracts', 'b.test.ts › adds', 'a.test.ts'] })).toHaveLength(3);
  expect(faults({ place: '' })).toHaveLength(1);
});

test('detects a named test that did not pass, in files that ran', () => {
  const passed = (...titles: string[]) => failedRequirements(new Map([['a.test.ts', titles]]), [ROW]);
  expect(passed('sums adds 2 to 3')).toEqual([]);
  expect(passed('sums subtracts')).toEqual(ROW.tests);
  expect(failedRequirements(new Map(), [ROW])).toEqual([]);
});
