import { test as base, expect, type Page } from '@playwright/test';

import { type RunningProduct, startRunning, untilCollected } from '../support/running-product.ts';

type Fixtures = {
  problems: string[];
  /** The news of a release that falls on the day of the run has been seen. */
  quiet: boolean;
};
type WorkerFixtures = { product: RunningProduct };

const ENV = {
  // Days enough for graded calls and the altcoin season; the whole past would keep the machine from the stories.
  DEMO_RECORD_DAYS: '20',
  METRIC_PAST_DAYS: '100',
  // More people sign up in the stories than one network may.
  TRUST_PROXY: '1',
};

/** One running product for all stories of a worker; a page that complains in its console fails its story. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, use) => {
      const product = await startRunning({ mode: 'demo', env: ENV });
      await untilCollected(product.url);
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  quiet: [true, { option: true }],
  page: async ({ page, quiet }, use) => {
    const today = new Date().toISOString().slice(0, 10);
    const mark = (day: string) => {
      try {
        for (const type of ['cpi', 'pce', 'ppi']) localStorage.setItem(`lastSeenRelease.${type}`, day);
      } catch {
        // A blank page has no storage.
      }
    };
    if (quiet) await page.addInitScript(mark, today);
    await use(page);
  },
  problems: [
    async ({ page, product }, use) => {
      const problems: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' && !/404 \(Not Found\)/.test(message.text())) problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('request', (request) => {
        const { origin, protocol } = new URL(request.url());
        if (origin !== product.url && protocol !== 'data:') problems.push(`asked ${request.url()}`);
      });
      await use(problems);
      expect(problems).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** True once React has taken over the server's HTML. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const root = document.getElementById('root');
    return root !== null && Object.keys(root).some((key) => key.startsWith('__reactContainer'));
  });
}
