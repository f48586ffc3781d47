import { defineConfig, devices } from '@playwright/test';

const CHROMIUM = '/usr/bin/chromium';
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const CORE = /@core/;
const { STORIES } = process.env;

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'artifacts/e2e',
  // Limits, not waits: a busy machine takes several times as long as a quiet one.
  timeout: 300_000,
  expect: { timeout: 45_000, toPass: { timeout: 120_000 } },
  // Each worker has a product of its own.
  workers: 2,
  // Until twenty runs in a row have needed none: who needed it is printed by name.
  retries: process.env['CI'] ? 1 : 0,
  // `npm test` runs the stories tagged @core, the full proof the others.
  ...(STORIES === 'core' ? { grep: CORE } : STORIES === 'others' ? { grepInvert: CORE } : {}),
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list'], ['json', { outputFile: 'artifacts/test-results/e2e.json' }]],
  use: {
    launchOptions: { executablePath: CHROMIUM, args: ARGS },
    actionTimeout: 60_000,
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'desktop',
      use: { viewport: { width: 1440, height: 900 } },
      testIgnore: ['**/screenshots.spec.ts', '**/phone.spec.ts'],
    },
    {
      name: 'phone',
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 } },
      testMatch: ['**/phone.spec.ts', '**/*accessibility.spec.ts'],
    },
    ...(process.env['SHOTS'] ? [{ name: 'shots', testMatch: ['**/screenshots.spec.ts'] }] : []),
  ],
});
