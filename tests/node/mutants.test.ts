import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import type { Mutant } from '#tests/support/mutant.ts';

const ROOT = join(import.meta.dirname, '../..');

test.each(globSync('scripts/mutants/*.ts', { cwd: ROOT }))(
  '%s: every planted error matches exactly one place',
  async (list) => {
    const { MUTANTS } = (await import(join(ROOT, list))) as { MUTANTS: Mutant[] };
    const places = ({ file, from }: Mutant) => readFileSync(join(ROOT, file), 'utf8').split(from).length - 1;
    expect(MUTANTS.filter((mutant) => places(mutant) !== 1).map(({ name }) => name)).toEqual([]);
    const tests = [...new Set(MUTANTS.flatMap((mutant) => mutant.tests))];
    expect(tests.filter((file) => globSync(file, { cwd: ROOT }).length === 0)).toEqual([]);
  },
);
