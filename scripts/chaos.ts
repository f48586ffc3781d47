import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { DISRUPTION_KINDS } from './chaos/disruptions.ts';
import { run } from './chaos/run.ts';

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '3' },
    acts: { type: 'string' },
    summary: { type: 'string' },
  },
});
const seed = Number(flags.seed);
const minutes = Number(flags.minutes);
const named = flags.acts?.split(',') ?? [...DISRUPTION_KINDS];
const kinds = DISRUPTION_KINDS.filter((kind) => named.includes(kind));
if (!Number.isSafeInteger(seed) || !(minutes > 0 && minutes <= 240) || kinds.length !== named.length) {
  console.error(
    `Usage: npm run chaos -- [--seed N] [--minutes M] [--acts ${DISRUPTION_KINDS.join(',')}] [--summary FILE]`,
  );
  process.exit(1);
}

const startedAt = performance.now();
const tell = (line: string) =>
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${line}`);
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => interrupted.abort());
for (const fault of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(fault, (error) => {
    console.error(error);
    interrupted.abort();
  });

tell(`seed ${seed}, ${minutes} minutes of ${kinds.join(', ')}`);
const report = await run({ seed, minutes, kinds }, tell, interrupted.signal).catch((error: unknown) => {
  if (!interrupted.signal.aborted) console.error(error);
  return null;
});
if (!report) {
  console.log('interrupted: all processes have been stopped');
  process.exit(1);
}

const list = (counts: Iterable<readonly [string, number]>) =>
  [...counts].map(([what, count]) => `${count} ${what}`).join(', ') || 'none';
console.log(`\nacts          ${list(report.disruptions)}`);
console.log(`acknowledged  ${list(report.outcomes.accepted)}`);
console.log(`refused       ${list(report.outcomes.refused)}`);
console.log(`unknown       ${list(report.outcomes.unknown)}`);
console.log('');
for (const { name, failures } of report.results) {
  console.log(
    `${failures.length === 0 ? 'ok   ' : 'LOSS '} ${name}${failures.length > 0 ? `: ${failures.length}` : ''}`,
  );
  for (const each of failures.slice(0, 20)) console.log(`        ${each}`);
}
const failedResults = report.results.filter(({ failures }) => failures.length > 0);
const failureCount = failedResults.reduce((sum, { failures }) => sum + failures.length, 0);
console.log(
  `\n${failureCount} losses. Again: npm run chaos -- --seed ${seed} --minutes ${minutes}${flags.acts ? ` --acts ${flags.acts}` : ''}`,
);
if (flags.summary)
  writeFileSync(
    flags.summary,
    JSON.stringify({
      passed: report.results.length - failedResults.length,
      failed: failedResults.length,
      skipped: 0,
      failures: failedResults.map(({ name, failures }) => `chaos with seed ${seed}: ${name} — ${failures[0]}`),
    }),
  );
process.exit(failureCount > 0 ? 1 : 0);
