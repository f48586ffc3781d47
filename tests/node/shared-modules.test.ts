import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ROOT } from './support.ts';

const AT_IMPORT = /^(?:before|after)(?:Each|All)\(|^vi\.(?:setConfig|useFakeTimers|stub\w+)\(/m;

/** The files of a worker share modules: side effects of an import happen only for the first file. */
test('modules shared by tests have no side effects on import', () => {
  // A setup file runs for each test file.
  const exclude = ['**/*.{test,spec}.{ts,tsx}', 'src/ui/testing/setup.ts'];
  const shared = globSync(['{src,tests,scripts}/**/*.{ts,tsx}'], { cwd: ROOT, exclude });
  const found = shared.filter((file) => AT_IMPORT.test(readFileSync(join(ROOT, file), 'utf8')));
  expect(shared.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});
