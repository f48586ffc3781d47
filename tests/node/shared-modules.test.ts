import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ROOT } from './support.ts';

const AT_IMPORT = /^(?:before|after)(?:Each|All)\(|^vi\.(?:setConfig|useFakeTimers|stub\w+)\(/m;

/** The files of a worker share modules: what a module does when it is imported, it does for the first of them alone. */
test('what tests share does nothing for them when it is imported', () => {
  // A set-up file is run for each.
  const exclude = ['**/*.{test,spec}.{ts,tsx}', 'src/ui/testing/setup.ts'];
  const shared = globSync(['{src,tests,scripts}/**/*.{ts,tsx}'], { cwd: ROOT, exclude });
  const found = shared.filter((file) => AT_IMPORT.test(readFileSync(join(ROOT, file), 'utf8')));
  expect(shared.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});
