import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';

const CHROMIUM = '/usr/bin/chromium';
const OUT = 'artifacts/test-results';

type Counts = { passed: number; failed: number; skipped: number; failures: string[] };
type Try = { error?: { message?: string } };
type Story = { title: string; file: string; tests: { projectName: string; status: string; results: Try[] }[] };
type Stories = { specs?: Story[]; suites?: Stories[] };
type Report = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: Stories[];
};
type Suite = { name: string; args: string[]; report: string; count: (json: unknown) => Counts };

const { values: flags } = parseArgs({
  options: { suite: { type: 'string', multiple: true }, summary: { type: 'string' } },
  allowPositionals: true,
});

/** The beginning of a message, without colours and on one line. */
const why = (message = '') =>
  ` — ${stripVTControlCharacters(message).replaceAll(/\s+/g, ' ').slice(0, 300) || 'without a message'}`;

const vitest: Suite = {
  name: 'vitest',
  args: [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    '--reporter=./tests/support/second-try.ts',
    `--outputFile.json=${OUT}/vitest.json`,
  ],
  report: `${OUT}/vitest.json`,
  count(json) {
    const report = json as {
      numPassedTests: number;
      numFailedTests: number;
      numPendingTests: number;
      testResults: {
        name: string;
        status: string;
        assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
      }[];
    };
    // A file that cannot even be loaded has no tests to fail: it counts as one failure.
    const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
    const failures = report.testResults.flatMap((file) =>
      file.assertionResults
        .filter((test) => test.status === 'failed')
        .map((test) => `${relative('.', file.name)}: ${test.fullName}${why(test.failureMessages[0])}`),
    );
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken.length,
      skipped: report.numPendingTests,
      failures: [...failures, ...broken.map((file) => `${relative('.', file.name)}: could not be loaded`)],
    };
  },
};

const node: Suite = {
  ...vitest,
  name: 'node',
  args: [...vitest.args, '--project', 'node'],
};

const e2e: Suite = {
  name: 'e2e',
  args: ['node_modules/@playwright/test/cli.js', 'test'],
  report: `${OUT}/e2e.json`,
  count(json) {
    const { stats, suites } = json as Report;
    if (stats.flaky > 0) console.log(`${stats.flaky} stories passed only at the second try`);
    const failures = suites.flatMap(unexpected);
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped, failures };
  },
};

function unexpected(stories: Stories): string[] {
  const own = (stories.specs ?? []).flatMap((story) =>
    story.tests
      .filter((test) => test.status === 'unexpected')
      .map(({ projectName, results }) => {
        const failed = results.find(({ error }) => error);
        return `${story.file} (${projectName}): ${story.title}${why(failed?.error?.message)}`;
      }),
  );
  return [...own, ...(stories.suites ?? []).flatMap(unexpected)];
}

const SUITES: Record<string, Suite> = { vitest, node, e2e };

function run(suite: Suite): Promise<Counts> {
  rmSync(suite.report, { force: true });
  return new Promise((resolve) => {
    const child = spawn(process.execPath, suite.args, { stdio: 'inherit' });
    child.on('exit', (code) => {
      if (!existsSync(suite.report))
        return resolve({ passed: 0, failed: 1, skipped: 0, failures: [`${suite.name}: left no report`] });
      const counts = suite.count(JSON.parse(readFileSync(suite.report, 'utf8')));
      if (code !== 0 && counts.failed === 0) {
        counts.failed = 1;
        counts.failures.push(`${suite.name}: ended with exit code ${code}, though no test failed`);
      }
      resolve(counts);
    });
  });
}

mkdirSync(OUT, { recursive: true });
const wanted = flags.suite ?? ['vitest', 'e2e'];
const total: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
const hasBrowser = existsSync(CHROMIUM);
if (!hasBrowser) {
  console.log(
    `\n*** ${CHROMIUM} is missing: every browser and end-to-end test is SKIPPED (apt-get install chromium) ***\n`,
  );
  if (process.env.CI === 'true') total.failed += 1;
}
for (const name of wanted) {
  const suite = SUITES[name];
  if (!suite) throw new Error(`There is no suite "${name}": ${Object.keys(SUITES).join(', ')}`);
  if (name === 'e2e' && !hasBrowser) continue;
  const started = performance.now();
  const counts = await run(suite);
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped += counts.skipped;
  total.failures.push(...counts.failures);
  console.log(`suite ${name} took ${Math.round((performance.now() - started) / 1000)} s`);
}

for (const failure of total.failures) console.log(`FAILED ${failure}`);
if (flags.summary) writeFileSync(flags.summary, JSON.stringify(total));
else console.log(`${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`);
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);
