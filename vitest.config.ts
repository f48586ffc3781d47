import { existsSync, globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

import { newsOf } from './src/web/shell/news.ts';
import { usesDatabase } from './tests/support/database-users.ts';
import { LongestFirst } from './tests/support/longest-first.ts';
import { mutating } from './tests/support/mutant.ts';

const CHROMIUM = '/usr/bin/chromium';
const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

// On another PostgreSQL what needs no database, and the tests of the bundled one, would only say the same again.
const SAME_AGAIN = [
  'tests/processes/!(roles|api-quota).test.ts',
  'tests/node/**',
  'scripts/**',
  'src/server/platform/postgres/**',
  'src/server/jobs-twice.test.ts',
];
const NODE_TESTS = [
  'src/{server,sandbox,shared}/**/*.test.ts',
  'src/features/*/server/**/*.test.ts',
  '{scripts,tests/node,tests/processes,tests/support}/**/*.test.ts',
];
const needNoDatabase = () => globSync(NODE_TESTS).filter((file) => !usesDatabase(join(import.meta.dirname, file)));

const node = {
  plugins: mutating(process.env['MUTANT']),
  test: {
    name: 'node',
    environment: 'node' as const,
    include: NODE_TESTS,
    exclude: process.env['TEST_DATABASE_URL'] ? [...SAME_AGAIN, ...needNoDatabase()] : [],
    globalSetup: ['tests/support/global-setup.ts'],
    setupFiles: ['tests/support/zod-messages.ts'],
    // The files of a worker share the modules of the product: loading them anew was two fifths of the time.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As with stories: the machines that run this are shared. A test that needed it is named at the end of the run.
    retry: process.env['CI'] ? 1 : 0,
    // A busy machine answers late: what is polled for may take longer than Vitest's second.
    expect: { poll: { timeout: 8_000 } },
  },
};

const dom = {
  define: { __VERSION__: '"1.0.0"', __NEWS__: JSON.stringify(newsOf(readFileSync('CHANGELOG.md', 'utf8'))) },
  test: {
    name: 'dom',
    environment: 'happy-dom' as const,
    include: ['src/web/**/*.test.{ts,tsx}', 'src/features/*/web/**/*.test.{ts,tsx}'],
    exclude: ['**/*.browser.test.tsx'],
    setupFiles: ['src/web/testing/patience.ts'],
    testTimeout: 40_000,
  },
};

const browser = {
  test: {
    name: 'browser',
    include: ['src/**/*.browser.test.{ts,tsx}'],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      instances: [{ browser: 'chromium' as const }],
      provider: playwright({ launchOptions: { executablePath: CHROMIUM, args: CHROMIUM_ARGS } }),
    },
  },
};

export default defineConfig({
  test: {
    projects: [node, dom, ...(existsSync(CHROMIUM) ? [browser] : [])],
    passWithNoTests: true,
    // Tests wait for databases, processes and timers most of their time.
    maxWorkers: Math.max(2, availableParallelism()),
    sequence: { sequencer: LongestFirst },
  },
});
