import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';

import { failedRequirements } from '../tests/support/register.ts';

const CHROMIUM = '/usr/bin/chromium';
const OUT = 'artifacts/test-results';
/** Stages of the full suite that failed in the last run on this checkout: they run first in the next one. */
const RECENT_FAILURES = `${OUT}/recent-failures.json`;

type Test = { file: string; title: string; state: 'passed' | 'failed' | 'skipped'; why: string; ms: number };
type Stage = {
  command: string[];
  /** Its report file; null when the exit code is the only result. */
  report: string | null;
  read: (report: string) => Test[];
  /** Its duration on two idle cores. */
  seconds: number;
  needs?: { file: string; what: string };
  env?: Record<string, string>;
};

/** The beginning of a message, without colors and on one line. */
const summarize = (message = '') =>
  stripVTControlCharacters(message).replaceAll(/\s+/g, ' ').slice(0, 600) || 'without a message';

type VitestReport = {
  testResults: {
    name: string;
    status: string;
    message: string;
    startTime: number;
    endTime: number;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
};

function readVitest(text: string): Test[] {
  return (JSON.parse(text) as VitestReport).testResults.flatMap((file): Test[] => {
    const path = relative('.', file.name);
    const ms = (file.endTime - file.startTime) / Math.max(1, file.assertionResults.length);
    // A file that fails to load has no tests: it counts as one failure.
    if (file.status === 'failed' && file.assertionResults.length === 0)
      return [{ file: path, title: 'could not be loaded', state: 'failed', why: summarize(file.message), ms }];
    return file.assertionResults.map(({ status, fullName: title, failureMessages }) => ({
      file: path,
      title,
      state: status === 'passed' || status === 'failed' ? status : 'skipped',
      why: summarize(failureMessages[0]),
      ms,
    }));
  });
}

type Story = {
  title: string;
  file: string;
  tests: { projectName: string; status: string; results: { duration: number; error?: { message?: string } }[] }[];
};
type Stories = { specs?: Story[]; suites?: Stories[] };
const STATES = { expected: 'passed', flaky: 'passed', skipped: 'skipped' } as const;

const storiesIn = ({ specs = [], suites = [] }: Stories): Test[] => [
  ...specs.flatMap(({ title, file, tests }) =>
    tests.map(({ projectName, status, results }): Test => {
      const why = summarize(results.find(({ error }) => error)?.error?.message);
      if (status === 'flaky') console.log(`PASSED ONLY ON RETRY ${file}: ${title} — ${why}`);
      return {
        file: `tests/e2e/${file}`,
        title: `${title} (${projectName})`,
        state: STATES[status as keyof typeof STATES] ?? 'failed',
        why,
        ms: results.reduce((sum, { duration }) => sum + duration, 0),
      };
    }),
  ),
  ...suites.flatMap(storiesIn),
];

/** The chaos run lists what it checked and what was lost. */
function readChaos(text: string): Test[] {
  const { passed, failures } = JSON.parse(text) as { passed: number; failures: string[] };
  const test = (title: string, state: Test['state']): Test => ({ file: 'chaos', title, state, why: '', ms: 0 });
  return [
    ...Array.from({ length: passed }, (_, i) => test(`check ${i + 1}`, 'passed')),
    ...failures.map((title) => test(title, 'failed')),
  ];
}

const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json'];
const CHROME = { file: CHROMIUM, what: 'apt-get install chromium' };

const vitest = (name: string, seconds: number, more: Partial<Stage> = {}): Stage => ({
  command: [
    process.execPath,
    ...VITEST,
    `--outputFile.json=${OUT}/${name}.json`,
    '--project',
    name.split('-')[0] ?? '',
  ],
  report: `${OUT}/${name}.json`,
  read: readVitest,
  seconds,
  ...more,
});
const stories = (which: 'core' | 'others', seconds: number, shard?: string): Stage => ({
  command: [process.execPath, 'node_modules/@playwright/test/cli.js', 'test', ...(shard ? [`--shard=${shard}`] : [])],
  report: `${OUT}/e2e.json`,
  read: (text) => (JSON.parse(text) as { suites: Stories[] }).suites.flatMap(storiesIn),
  seconds,
  needs: CHROME,
  env: { STORIES: which },
});
const postgresql15 = vitest('node-postgresql', 400, {
  needs: { file: '/usr/lib/postgresql', what: 'apt-get install postgresql' },
});

/** The stages that cover every behavior, in `npm test`. */
const DAILY: Record<string, Stage> = {
  unit: vitest('unit', 30),
  node: vitest('node', 290),
  dom: vitest('dom', 100),
  browser: vitest('browser', 10, { needs: CHROME }),
  e2e: stories('core', 250),
};
/** Additional stages before a release: `npm run test:full`. */
const FULL: Record<string, Stage> = {
  'processes-1': vitest('processes-1', 480),
  'processes-2': vitest('processes-2', 240),
  'stories-1': stories('others', 150, '1/3'),
  'stories-2': stories('others', 235, '2/3'),
  'stories-3': stories('others', 200, '3/3'),
  postgresql: { ...postgresql15, command: ['bash', 'scripts/on-debian-postgresql.sh', ...postgresql15.command] },
  chaos: {
    command: [process.execPath, 'scripts/chaos.ts', '--seed', '1', '--minutes', '1', '--summary', `${OUT}/chaos.json`],
    report: `${OUT}/chaos.json`,
    read: readChaos,
    seconds: 120,
  },
  soak: { command: [process.execPath, 'scripts/soak.ts', '--ci'], report: null, read: () => [], seconds: 180 },
};
// Each of these tests starts several processes.
for (const part of ['1', '2']) FULL[`processes-${part}`]?.command.push(`--shard=${part}/2`, '--maxWorkers=2');
DAILY['dom']?.command.push('--project', 'pages');
const STAGES = { ...DAILY, ...FULL };

// Other arguments, such as a file name, go to the test runner.
const { values: flags, positionals } = parseArgs({
  options: {
    /** Only the given stages. */
    suite: { type: 'string', multiple: true },
    /** The slow stages after the daily ones; only those with `only`, as many as fit. */
    full: { type: 'boolean' },
    only: { type: 'boolean' },
    minutes: { type: 'string' },
    summary: { type: 'string' },
  },
  allowPositionals: true,
});

/**
 * Recent failures first, then the rest starting at a different stage for each commit, so that all stages get their
 * turn.
 */
function fullInTurn(): string[] {
  const recentFailures = existsSync(RECENT_FAILURES)
    ? (JSON.parse(readFileSync(RECENT_FAILURES, 'utf8')) as string[])
    : [];
  const names = Object.keys(FULL);
  const commits = Number(spawnSync('git', ['rev-list', '--count', 'HEAD'], { encoding: 'utf8' }).stdout) || 0;
  const turned = names.map((_, i) => names[(i + commits) % names.length] ?? '');
  return [...new Set([...recentFailures.filter((name) => name in FULL), ...turned])];
}

let child: ChildProcess | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    child?.kill(signal);
    process.exitCode = 1;
  });

async function run(name: string, stage: Stage): Promise<Test[]> {
  const { command, report, read, needs, env } = stage;
  const failed = (why: string): Test => ({ file: `stage ${name}`, title: why, state: 'failed', why: '', ms: 0 });
  if (needs && !existsSync(needs.file)) {
    console.log(`\n*** stage ${name} is SKIPPED: ${needs.file} is missing (${needs.what}) ***\n`);
    return process.env['CI'] === 'true' ? [failed(`${needs.file} is missing`)] : [];
  }
  if (report) rmSync(report, { force: true });
  const [program = '', ...args] = [...command, ...positionals];
  child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  const code = await new Promise<number | null>((resolve) => child?.once('exit', resolve));
  if (report && !existsSync(report)) return [failed(`left no report, exit code ${code}`)];
  const tests = report ? read(readFileSync(report, 'utf8')) : [];
  if (code !== 0 && !tests.some(({ state }) => state === 'failed')) tests.push(failed(`ended with exit code ${code}`));
  if (tests.length === 0 && positionals.length === 0) tests.push({ ...failed('whole'), state: 'passed' });
  return tests;
}

mkdirSync(OUT, { recursive: true });
const daily = flags.only ? [] : Object.keys(DAILY);
const wanted = flags.suite ?? [...daily, ...(flags.full ? fullInTurn() : [])];
const begun = performance.now();
const limit = Number(flags.minutes ?? Infinity) * 60;
const secondsSince = (start: number) => (performance.now() - start) / 1000;

/** The slowest stage so far relative to its estimate on a quiet machine; scales the estimates of the rest. */
let slowness = 1;
const results = new Map<string, Test[]>();
const lines: string[] = [];
for (const name of wanted) {
  const stage = STAGES[name];
  if (!stage) throw new Error(`Unknown suite "${name}". Suites: ${Object.keys(STAGES).join(', ')}`);
  const left = limit - secondsSince(begun);
  const needed = Math.round(stage.seconds * slowness);
  if (needed > left) {
    lines.push(`${name}: not run, it takes about ${needed} s and ${Math.round(left)} s are left`);
    continue;
  }
  const started = performance.now();
  results.set(name, await run(name, stage));
  lines.push(`${name}: ${Math.round(secondsSince(started))} s`);
  slowness = Math.max(slowness, secondsSince(started) / stage.seconds);
  console.log(`stage ${lines.at(-1)}`);
}

/** Each test once: a second run on another PostgreSQL only adds failures. */
const tests = new Map<string, Test>();
for (const test of [...results.values()].flat()) {
  const key = `${test.file} › ${test.title}`;
  if (tests.get(key)?.state !== 'failed') tests.set(key, test);
}
const inState = (state: Test['state']) => [...tests.values()].filter((test) => test.state === state);

const byFile = Map.groupBy(tests.values(), ({ file }) => file);
// Partial runs are not conclusive; end-to-end tests are covered by two stages together.
if (positionals.length === 0) {
  const whole = [...byFile].filter(([file]) => !file.startsWith('tests/e2e/'));
  const ran = whole.map(([file, each]) => [file, each.filter(({ state }) => state !== 'failed').map((t) => t.title)]);
  for (const name of failedRequirements(new Map(ran as [string, string[]][])))
    if (!inState('failed').some(({ file }) => name.startsWith(file)))
      tests.set(name, { file: 'docs/requirements.json', title: name, state: 'failed', why: 'did not run', ms: 0 });
}

console.log('\nThe slowest files:');
const msOf = (each: Test[]) => each.reduce((sum, { ms }) => sum + ms, 0);
const slowest = [...byFile].map(([file, each]) => [file, msOf(each)] as const).toSorted(([, a], [, b]) => b - a);
for (const [file, ms] of slowest.slice(0, 10)) console.log(`${(ms / 1000).toFixed(1).padStart(8)} s  ${file}`);
console.log(`Stages: ${lines.join(' · ')}`);

const failures = inState('failed');
const texts = failures.map(({ file, title, why }) => `${file}: ${title}${why && ` — ${why}`}`);
for (const text of texts.slice(0, 6)) console.log(`FAILED ${text}`);
const stageOf = (test: Test) => [...results].find(([, each]) => each.includes(test))?.[0];
const alone = failures.map(
  (test) => `npm test -- --suite ${stageOf(test) ?? 'unit'}${/\//.test(test.file) ? ` ${test.file}` : ''}`,
);
for (const command of [...new Set(alone)].slice(0, 3)) console.log(`To rerun: ${command}`);
if (failures.length > 6) console.log(`… and ${failures.length - 6} more`);

const failedStages = Object.keys(FULL).filter((name) => results.get(name)?.some(({ state }) => state === 'failed'));
if (results.size > 0 && flags.full) writeFileSync(RECENT_FAILURES, JSON.stringify(failedStages));
const counts = { passed: inState('passed').length, failed: failures.length, skipped: inState('skipped').length };
if (flags.summary) writeFileSync(flags.summary, JSON.stringify({ ...counts, failures: texts }));
console.log(`${counts.passed} passed, ${counts.failed} failed${counts.skipped ? `, ${counts.skipped} skipped` : ''}`);
process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0);
