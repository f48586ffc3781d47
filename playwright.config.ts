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

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'artifacts/e2e',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  workers: 1,
  // One more try: the machines that run this are shared. A story that needed it is reported as flaky.
  retries: 1,
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list'], ['json', { outputFile: 'artifacts/test-results/e2e.json' }]],
  // Recording costs seconds a click on a page of 250 rows: only a story that failed once is recorded.
  use: { launchOptions: { executablePath: CHROMIUM, args: ARGS }, trace: 'on-first-retry' },
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
