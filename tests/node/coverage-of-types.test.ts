import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';

import { expect, test } from 'vitest';

import { filesOfRepository, output, ROOT } from './support.ts';

const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const PROJECTS = ['tsconfig.server.json', 'tsconfig.web.json', 'tsconfig.worker.json', 'tsconfig.e2e.json'];

async function filesOf(project: string): Promise<string[]> {
  const listed = await output(process.execPath, TSC, '-p', project, '--listFilesOnly');
  return listed
    .split('\n')
    .map((file) => relative(ROOT, file.trim()))
    .filter((file) => file !== '' && !file.startsWith('..') && !file.includes('node_modules'));
}

// Type-aware lint silently skips a file that is in no project.
test('every TypeScript file in the repository is checked by a tsconfig', async () => {
  const [tracked, ...projects] = await Promise.all([filesOfRepository('*.ts', '*.tsx'), ...PROJECTS.map(filesOf)]);
  const checked = new Set(projects.flat());
  const present = tracked.filter((file) => !file.startsWith('tests/fixtures/') && existsSync(join(ROOT, file)));
  expect(present.length).toBeGreaterThan(100);
  expect(present.filter((file) => !checked.has(file))).toEqual([]);
  expect([...checked].filter((file) => file.startsWith('tests/fixtures/'))).toEqual([]);
});
