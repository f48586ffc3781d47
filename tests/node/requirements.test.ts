import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { rowsOfRegister, titlesIn } from './register.ts';
import { ROOT } from './support.ts';

const TABLE = `
| requirement | where | test |
| --- | --- | --- |
| It adds. | issue 1 | a.test.ts › adds; b.test.ts › also \\| adds |
| It is not shown. | issue 1 | |

| other | table |
| --- | --- |
| no | tests |
`;

const SOURCE = `
test('adds', () => {});
test.each(CASES)('adds %s to it\\'s list', async (n) => {});
test.skipIf(!linux)("survives", { timeout: 5 }, async () => {});
describe('sums', () => {});
socket.on('close', () => {});
`;

describe('the parser of the register', () => {
  test('reads the rows of tables with a column "test", several tests separated by ";"', () => {
    expect(rowsOfRegister(TABLE)).toEqual([
      {
        line: 4,
        requirement: 'It adds.',
        tests: [
          { path: 'a.test.ts', title: 'adds' },
          { path: 'b.test.ts', title: 'also | adds' },
        ],
      },
      { line: 5, requirement: 'It is not shown.', tests: [] },
    ]);
  });

  test('finds the titles of tests and nothing else', () => {
    expect(titlesIn(SOURCE)).toEqual(['adds', "adds %s to it's list", 'survives']);
  });
});

describe('docs/requirements.md', () => {
  const rows = rowsOfRegister(readFileSync(join(ROOT, 'docs/requirements.md'), 'utf8'));

  test('names a test in every row', () => {
    expect(rows.length).toBeGreaterThan(20);
    const unshown = rows.filter(({ tests }) => tests.length === 0 || tests.some(({ title }) => title === ''));
    expect(unshown.map(({ line, requirement }) => `line ${line}: ${requirement}`)).toEqual([]);
  });

  test('names only tests that exist', () => {
    const titles = new Map<string, string[]>();
    const isThere = (path: string, title: string) => {
      const file = join(ROOT, path);
      if (!titles.has(path)) titles.set(path, existsSync(file) ? titlesIn(readFileSync(file, 'utf8')) : []);
      return titles.get(path)?.some((each) => each.includes(title));
    };
    const lost = rows.flatMap(({ line, tests }) =>
      tests
        .filter(({ path, title }) => !isThere(path, title))
        .map(({ path, title }) => `line ${line}: ${path} › ${title}`),
    );
    expect(lost).toEqual([]);
  });
});
