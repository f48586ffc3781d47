import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

import type { Mutant } from '#tests/support/mutant.ts';

// `npm run mutants -- [LIST …] [--only WORDS]` applies each listed error to the code and runs its tests, which must
// fail.
const ROOT = join(import.meta.dirname, '..');
const RUNS = '6000';

const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true });

type Outcome = 'passed' | 'failed' | 'broken';

/** 'broken': the tests did not run. */
async function runTests(tests: readonly string[], mutant?: Mutant): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'mutant-'));
  const report = join(folder, 'report.json');
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project=unit',
      '--project=node',
      '--bail=1',
      '--reporter=json',
      `--outputFile=${report}`,
      ...tests,
    ],
    {
      cwd: ROOT,
      stdio: 'ignore',
      env: { ...process.env, RUNS: process.env['RUNS'] ?? RUNS, ...(mutant ? { MUTANT: JSON.stringify(mutant) } : {}) },
    },
  );
  await new Promise((resolve) => child.on('exit', resolve));
  try {
    const counts = JSON.parse(readFileSync(report, 'utf8')) as { numFailedTests: number; numPassedTests: number };
    if (counts.numFailedTests > 0) return 'failed';
    return child.exitCode === 0 && counts.numPassedTests > 0 ? 'passed' : 'broken';
  } catch {
    return 'broken';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function loadMutants(mutantFile: string): Promise<Mutant[]> {
  const { MUTANTS } = (await import(join(ROOT, mutantFile))) as { MUTANTS: Mutant[] };
  return MUTANTS.filter(({ name }) => values.only === undefined || name.includes(values.only));
}

const mutantFiles = globSync('scripts/mutants/*.ts', { cwd: ROOT })
  .filter((mutantFile) => positionals.length === 0 || positionals.includes(basename(mutantFile, '.ts')))
  .toSorted();
let failureCount = 0;
for (const mutantFile of mutantFiles) {
  const mutants = await loadMutants(mutantFile);
  const baseline = await runTests([...new Set(mutants.flatMap(({ tests }) => tests))]);
  if (baseline !== 'passed') {
    console.log(`${mutantFile}: its tests fail without a planted error`);
    failureCount += 1;
    continue;
  }
  for (const mutant of mutants) {
    const occurrences = readFileSync(join(ROOT, mutant.file), 'utf8').split(mutant.from).length - 1;
    const outcome = occurrences === 1 ? await runTests(mutant.tests, mutant) : `stands ${occurrences} times`;
    const isExpected = outcome === (mutant.equivalent ? 'passed' : 'failed');
    const word = mutant.equivalent ? 'equivalent' : 'caught';
    console.log(`${isExpected ? word : `WRONG (${outcome})`}: ${mutant.file}: ${mutant.name}`);
    failureCount += Number(!isExpected);
  }
}
console.log(failureCount === 0 ? 'all errors caught' : `${failureCount} wrong`);
process.exit(failureCount === 0 ? 0 : 1);
