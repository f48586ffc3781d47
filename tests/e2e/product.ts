import { test as base, expect, type Page } from '@playwright/test';

import {
  attachToProduct,
  type RunningProduct,
  startProductProcess,
  waitForCollection,
} from '../support/running-product.ts';

type Fixtures = {
  problems: string[];
  /** Marks release news that fall on the day of the run as read. */
  quiet: boolean;
};
type WorkerFixtures = { product: RunningProduct };

const ENV = {
  // Enough days for graded calls and the altcoin season; the whole past would slow down the tests.
  DEMO_RECORD_DAYS: '20',
  METRIC_PAST_DAYS: '100',
  COIN_LIMIT: '60',
  // More people sign up in the tests than one network may.
  TRUST_PROXY: '1',
};

const COINS = ['bitcoin', 'ethereum', 'solana'];
const WARM_MS = 120_000;

/** After a failed test the next ones run on a new product, so wait for the history of the coins. */
async function untilWarm(url: string): Promise<void> {
  const isLoading = async (coin: string) => {
    const reply = await fetch(`${url}/api/coins/${coin}/candles?range=30d`);
    return ((await reply.json()) as { history: string }).history === 'loading';
  };
  const end = performance.now() + WARM_MS;
  while ((await Promise.all(COINS.map(isLoading))).includes(true)) {
    if (performance.now() > end) throw new Error('The product has no past within two minutes');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** One running product for all tests of a worker; a page with console errors fails its test. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, use) => {
      const url = process.env['BASE_URL'];
      const product = url ? attachToProduct(url) : await startProductProcess({ mode: 'demo', env: ENV });
      await waitForCollection(product.url);
      await untilWarm(product.url);
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 300_000 },
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

/** Resolves once React has hydrated the server's HTML, and none of the server's markup is kept. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const root = document.getElementById('root') as Record<string, unknown> | null;
    const key = Object.keys(root ?? {}).find((name) => name.startsWith('__reactContainer'));
    if (!root || !key) return false;
    type Root = { stateNode: { current: { memoizedState: { isDehydrated?: boolean } | null } } };
    const state = (root[key] as Root).stateNode.current.memoizedState;
    return state !== null && !state.isDehydrated && !document.querySelector('[data-kept]');
  });
}
