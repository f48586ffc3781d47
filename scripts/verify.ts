import { spawnSync } from 'node:child_process';

const LINTED = [
  'src',
  'scripts',
  'bench',
  'ops',
  'tests/e2e',
  'tests/node',
  'tests/processes',
  'tests/support',
  'oxlint.config.ts',
  'vite.config.ts',
  'vitest.config.ts',
  'playwright.config.ts',
];

const STEPS: [what: string, args: string[]][] = [
  ['format', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']],
  ['lint', ['node_modules/oxlint/bin/oxlint', '--type-aware', ...LINTED]],
  ['types: server', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.server.json']],
  ['types: web', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.web.json']],
  ['types: worker', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.worker.json']],
  ['types: e2e', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.e2e.json']],
  ['texts', ['scripts/texts.ts', '--check']],
  ['unused code', ['node_modules/knip/bin/knip.js']],
  ['documents', ['scripts/docs.ts', '--check']],
  ['licences', ['scripts/licences.ts']],
];

const only = process.argv.slice(2);
for (const [what, args] of STEPS) {
  if (only.length > 0 && !only.some((word) => what.startsWith(word))) continue;
  const started = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${what} (${seconds} s)`);
  if (status !== 0) process.exit(1);
}
