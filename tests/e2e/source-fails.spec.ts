import { test as base, expect } from '@playwright/test';

import { type RunningProduct, startProductProcess, waitForCollection } from '../support/running-product.ts';
import { card, sourcesOf, untilPictured } from './picture.ts';
import { hydrated } from './product.ts';

// A separate sandbox: its faults must not affect other tests.
const test = base.extend<object, { product: RunningProduct }>({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, use) => {
      const product = await startProductProcess({ mode: 'live' });
      await waitForCollection(product.url);
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

test('a silent venue is named, prices remain with their age, and it recovers without a restart', {
  tag: '@core',
}, async ({ page, product }) => {
  await page.goto(`${product.url}/app`);
  await expect(page.locator('[data-coin]')).toHaveCount(5);
  await expect(page.getByText('Demo data')).toHaveCount(0);
  const names = async () => {
    const { sources } = (await (await fetch(`${product.url}/api/health`)).json()) as {
      sources: { id: string; state: string }[];
    };
    return sources.find(({ id }) => id === 'coinbase')?.state;
  };
  await expect.poll(names).toBe('ok');

  await product.setFault({ kind: 'drop', provider: 'coinbase' });
  await expect.poll(names).toBe('down');
  await expect(page.getByText(/Coinbase/).first()).toBeVisible();
  await expect(page.locator('[data-coin]')).toHaveCount(5);

  await product.clearFaults();
  await expect.poll(names, { timeout: 60_000 }).toBe('ok');
});

test('a failing source is named, the cards retain their figures, and it recovers', async ({ page, product }) => {
  await untilPictured(product);
  const stateOf = async () => (await sourcesOf(product)).find(({ id }) => id === 'bybit')?.state;
  expect(await stateOf()).toBe('ok');

  await product.setFault({ kind: 'server_error', provider: 'bybit' });
  await product.job('metrics.listing');
  await expect.poll(stateOf).toBe('down');

  await page.goto(`${product.url}/app/sources`);
  await hydrated(page);
  const bybit = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { level: 3, name: 'Bybit (opens in a new tab)' }) });
  await expect(bybit).toContainText('State: Down');
  await expect(bybit).toContainText('Bybit returned 503');
  await expect(page.getByRole('heading', { level: 3 }).first()).toHaveText(/^Bybit/);
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /Bybit/ })).toBeVisible();

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  const metrics = await card(page, 'Advanced Metrics');
  await expect(
    metrics.getByRole('button', { name: /^Where it comes from: Open interest\. \$\d+\.\dB$/ }),
  ).toBeVisible();
  await expect(metrics.getByRole('button', { name: /^Where it comes from: Funding rate, 8h\. / })).toBeVisible();
  await expect(page.locator('[data-coin]')).toHaveCount(5);

  await product.clearFaults();
  await product.job('metrics.listing');
  await expect.poll(stateOf).toBe('ok');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Data Sources' }).click();
  await expect(bybit).toContainText('State: OK');
});

test('the server goes down: the page keeps its data, shows its age, and goes live again on recovery', async ({
  page,
}) => {
  const mortal = await startProductProcess({ mode: 'live' });
  await waitForCollection(mortal.url);
  await page.goto(`${mortal.url}/app`);
  await expect(page.locator('[data-coin]')).toHaveCount(5);
  await hydrated(page);
  // The page is live once a price has moved.
  const bitcoin = page.locator('[data-coin="bitcoin"]');
  const before = await bitcoin.innerText();
  await expect.poll(() => bitcoin.innerText()).not.toBe(before);
  const { port } = new URL(mortal.url);
  // The notice disappears after five seconds, and a busy process may take longer to stop: wait from the start.
  const interrupted = page.getByText('Live updates interrupted. Prices refresh every 15 seconds.');
  await Promise.all([expect(interrupted).toBeVisible({ timeout: 120_000 }), mortal.stop()]);

  await expect(page.getByText('Failed to load dashboard data. The last values remain, with their age.')).toBeVisible();
  const lost = page.getByText(/^Connection lost · last update \d\d:\d\d UTC$/);
  await expect(lost).toHaveCount(2);
  await expect(page.getByText(/feeds healthy/)).toHaveCount(0);
  await expect(page.locator('[data-coin]')).toHaveCount(5);
  await expect(page.getByText(/ago/).first()).toBeVisible();
  await page.locator('[data-coin]').first().getByRole('button').nth(1).click();
  await expect(page.getByText('The detail could not be loaded')).toBeVisible();
  await expect(page.locator('[data-coin]')).toHaveCount(5);

  const again = await startProductProcess({ mode: 'live', env: { PORT: port } });
  try {
    // The stream reconnects, or the page reloads because a script was missing.
    await expect(lost).toHaveCount(0, { timeout: 120_000 });
    // Figures recover automatically, and so does code that failed to load.
    await expect(page.getByText('The detail could not be loaded')).toBeHidden();
    await expect(page.locator('[data-coin]')).toHaveCount(5);
    const then = await bitcoin.innerText();
    await expect.poll(() => bitcoin.innerText()).not.toBe(then);
  } finally {
    await again.stop();
  }
});
