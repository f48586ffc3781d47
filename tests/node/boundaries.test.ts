import { execFile } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FIXTURES = join(ROOT, 'tests/fixtures/boundaries');
const LONG = join(FIXTURES, 'src/app/server/long-list.ts');
const OXLINT = join(ROOT, 'node_modules/oxlint/bin/oxlint');

type Report = { code: string; message: string; help: string; filename: string; labels: { span: { line: number } }[] };

async function lint(): Promise<string[]> {
  const run = promisify(execFile)(process.execPath, [OXLINT, '--format=json', 'src'], { cwd: FIXTURES });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Report[] };
  return diagnostics
    .map(({ code, help, message, filename, labels }) => {
      const rule = code.replace(/^.*\((.*)\)$/, '$1');
      const reason = rule.startsWith('no-restricted') ? help : message;
      return `${filename}:${labels[0]?.span.line} ${rule}: ${reason}`;
    })
    .toSorted();
}

const CONTRACT = 'no-restricted-imports: A contract imports zod/mini, #shared and other contracts only.';
const NO_WEB = 'no-restricted-imports: The server never imports the browser.';
const NO_SERVER = 'no-restricted-imports: The browser never imports the server.';
const CONTRACT_OR_SERVICE =
  'no-restricted-imports: Another feature is entered by its contract or a service.ts of its server.';
const STORE_SQL_ONLY = 'no-restricted-imports: A store speaks SQL only.';
const SANDBOX = 'no-restricted-imports: The sandbox imports node:, ws and #shared only.';
const KERNEL_INDEPENDENT = 'no-restricted-imports: The ground knows no feature and nothing above it.';
const FULL_ZOD = 'no-restricted-imports: The browser pays for full zod: import zod/mini.';
const NO_TOOLING_IMPORTS = 'no-restricted-imports: Nothing imports bench, scripts or tests.';
const NO_ENV = 'no-restricted-properties: Configuration is read in kernel/config.ts only.';
const OWN_LINKS =
  'no-restricted-imports: The first load pays 5 kB for these: see #ui/link.tsx and #ui/search-params.ts.';
const WEB_FEATURE_ISOLATION =
  'no-restricted-imports: Web features are islands: a page in src/app/web/pages composes them.';
const ESCAPE =
  'no-restricted-imports: Relative imports stay inside one feature; use #features, #kernel, #ui, #app, #shared or #sandbox.';

const EXPECTED = [
  ...[1, 3, 4, 5, 7, 9, 10].map((line) => `src/features/a/contract.ts:${line} ${CONTRACT}`),
  `src/features/a/server/escape.ts:1 ${ESCAPE}`,
  `src/features/a/server/routes.ts:1 ${NO_WEB}`,
  `src/features/a/server/routes.ts:3 ${NO_WEB}`,
  ...[1, 2, 3, 4, 5].map((line) => `src/features/a/server/service.ts:${line} ${CONTRACT_OR_SERVICE}`),
  ...[1, 3, 5].map((line) => `src/features/a/server/store.ts:${line} ${STORE_SQL_ONLY}`),
  `src/features/a/server/store/rows.ts:1 ${STORE_SQL_ONLY}`,
  'src/features/a/server/top.ts:1 no-restricted-imports: A feature does not know what puts features together.',
  'src/features/a/server/time.ts:1 no-restricted-properties: The server asks deps.now().',
  `src/features/a/web/card.tsx:1 ${NO_SERVER}`,
  `src/features/a/web/card.tsx:3 ${FULL_ZOD}`,
  `src/features/a/web/card.tsx:5 ${NO_SERVER}`,
  `src/features/a/web/card.tsx:6 ${WEB_FEATURE_ISOLATION}`,
  `src/features/a/web/card.tsx:8 ${NO_SERVER}`,
  `src/features/a/web/card.tsx:10 ${OWN_LINKS}`,
  ...[1, 3, 4].map((line) => `src/sandbox/world.ts:${line} ${SANDBOX}`),
  'src/app/server/BadName.ts:1 filename-case: Filename should be in kebab-case',
  'src/app/server/cycle-a.ts:1 no-cycle: Dependency cycle detected',
  'src/app/server/cycle-b.ts:1 no-cycle: Dependency cycle detected',
  'src/app/server/default-export.ts:3 no-default-export: Prefer named exports',
  `src/app/server/environment.ts:1 ${NO_ENV}`,
  'src/app/server/long-list.ts:301 max-lines: File has too many lines (301).',
  `src/kernel/mail.ts:1 ${KERNEL_INDEPENDENT}`,
  `src/kernel/drawing.ts:1 ${NO_WEB}`,
  ...[3, 4].map((line) => `src/kernel/mail/layout.ts:${line} ${NO_WEB}`),
  `src/kernel/mail/layout.ts:4 ${KERNEL_INDEPENDENT}`,
  `src/app/server/start.ts:1 ${NO_WEB}`,
  `src/ui/button.tsx:1 ${KERNEL_INDEPENDENT}`,
  'src/app/server/tools.test.ts:1 no-restricted-imports: Tests import #tests/support only.',
  ...[1, 3, 4].map((line) => `src/app/server/tools.ts:${line} ${NO_TOOLING_IMPORTS}`),
  `src/shared/faq.ts:1 ${KERNEL_INDEPENDENT}`,
  `src/shared/prices.ts:1 ${KERNEL_INDEPENDENT}`,
  `src/shared/prices.ts:1 ${CONTRACT}`,
  `src/app/web/app.tsx:1 ${FULL_ZOD}`,
  `src/app/web/app.tsx:3 ${NO_SERVER}`,
  `src/app/web/app.tsx:4 ${NO_SERVER}`,
  `src/app/web/environment.ts:1 ${NO_ENV}`,
];

test('every import rule reports its violation, and nothing else is reported', async () => {
  writeFileSync(LONG, `export const words = ${JSON.stringify(Array(299).fill('word'), null, 2)};\n`);
  try {
    expect(await lint()).toEqual(EXPECTED.toSorted());
  } finally {
    rmSync(LONG);
  }
});

/** The features that each feature imports, tests excluded. */
function importsOfFeatures(): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const file of globSync('*/{contract.ts,contract,server,web,worker}/**', { cwd: join(ROOT, 'src/features') })) {
    if (!/\.tsx?$/.test(file) || /\.test\.tsx?$|\/fixtures\//.test(file)) continue;
    const [feature = ''] = file.split('/');
    const others = imports.get(feature) ?? new Set();
    const text = readFileSync(join(ROOT, 'src/features', file), 'utf8');
    for (const [, other = ''] of text.matchAll(/'#features\/([^/']+)\//g)) if (other !== feature) others.add(other);
    imports.set(feature, others);
  }
  return imports;
}

/** Removes features whose imports are all removed; what remains is in a cycle or depends on one. */
function findCycles(imports: Map<string, Set<string>>): string[] {
  const remaining = new Map(imports);
  for (let independent = ['']; independent.length > 0; ) {
    independent = [...remaining]
      .filter(([, needs]) => [...needs].every((each) => !remaining.has(each)))
      .map(([feature]) => feature);
    for (const feature of independent) remaining.delete(feature);
  }
  return [...remaining.keys()];
}

test('features import each other in one direction', () => {
  expect(
    findCycles(
      new Map([
        ['a', new Set(['b'])],
        ['b', new Set(['a'])],
        ['c', new Set(['a'])],
        ['d', new Set()],
      ]),
    ),
  ).toEqual(['a', 'b', 'c']);
  const imports = importsOfFeatures();
  expect(imports.size).toBeGreaterThan(10);
  expect(findCycles(imports)).toEqual([]);
});
