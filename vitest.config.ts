import { existsSync, globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

import { parseNews } from './src/app/web/shell/news.ts';
import { usesDatabase, usesSql } from './tests/support/database-users.ts';
import { LongestFirstSequencer } from './tests/support/longest-first.ts';
import { mutantPlugin } from './tests/support/mutant.ts';

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

const NODE_TESTS = [
  'src/{app/server,kernel,sandbox,shared}/**/*.test.ts',
  'src/features/*/server/**/*.test.ts',
  '{scripts,tests/node,tests/processes,tests/support}/**/*.test.ts',
];
// They start programs or look at the whole repository.
const NO_UNIT = /^(scripts|tests)\/|^src\/kernel\/postgres\//;
/** Processes killed, restarted and beside each other, and what waits for real time: part of the full proof. */
const SLOW = /^tests\/processes\/|\.slow\.test\.ts$/;
const nodeFiles = globSync(NODE_TESTS);
const databaseFiles = nodeFiles.filter((file) => usesDatabase(join(import.meta.dirname, file)));
const unitFiles = nodeFiles.filter((file) => !databaseFiles.includes(file) && !NO_UNIT.test(file) && !SLOW.test(file));
// On another PostgreSQL only statements can behave otherwise.
const storeFiles = () => databaseFiles.filter((file) => !NO_UNIT.test(file) && !SLOW.test(file) && usesSql(file));
const slowFiles = nodeFiles.filter((file) => SLOW.test(file));

const shared = {
  environment: 'node' as const,
  setupFiles: ['tests/support/zod-messages.ts'],
  // Files in a worker share the product's modules: loading them again took two fifths of the time.
  isolate: false,
  // A busy machine answers late: what is polled for may take longer than Vitest's second.
  expect: { poll: { timeout: 8_000 } },
  // A failure names the values, not only how many there were.
  chaiConfig: { truncateThreshold: 400 },
};

/** What needs neither a database nor a product: no global set-up. */
const unit = {
  plugins: mutantPlugin(process.env['MUTANT']),
  test: { ...shared, name: 'unit', include: unitFiles, testTimeout: 20_000 },
};

const withDatabase = {
  ...shared,
  globalSetup: ['tests/support/global-setup.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

const node = {
  plugins: mutantPlugin(process.env['MUTANT']),
  test: {
    ...withDatabase,
    name: 'node',
    include: process.env['TEST_DATABASE_URL'] ? storeFiles() : NODE_TESTS,
    exclude: [...unitFiles, ...slowFiles],
  },
};

const processes = { test: { ...withDatabase, name: 'processes', include: slowFiles } };

const component = {
  environment: 'happy-dom' as const,
  setupFiles: ['src/ui/testing/setup.ts'],
  testTimeout: 40_000,
};
const define = { __VERSION__: '"1.0.0"', __NEWS__: JSON.stringify(parseNews(readFileSync('CHANGELOG.md', 'utf8'))) };
const PAGES = 'src/app/web/pages/**/*.test.{ts,tsx}';

/** Files in a worker share modules, as with `shared`. */
const dom = {
  define,
  test: {
    ...component,
    name: 'dom',
    include: ['src/{app/web,ui}/**/*.test.{ts,tsx}', 'src/features/*/web/**/*.test.{ts,tsx}'],
    exclude: ['**/*.browser.test.tsx', PAGES],
    isolate: false,
  },
};

/** The whole app: parts whose code came for an earlier file would be there at once, and caches full. */
const pages = {
  define,
  test: {
    ...component,
    setupFiles: [...component.setupFiles, 'src/app/web/testing/setup-pages.ts'],
    name: 'pages',
    include: [PAGES],
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
    projects: [unit, node, processes, dom, pages, ...(existsSync(CHROMIUM) ? [browser] : [])],
    passWithNoTests: true,
    // Tests wait for databases and timers half of their time.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirstSequencer },
  },
});
