import { test as base } from '@playwright/test';

import { type RunningProduct, startRunning, untilCollected } from '../support/running-product.ts';
import { card, sourcesOf, untilPictured } from './picture.ts';
import { expect, hydrated, test } from './product.ts';

const LONG = { timeout: 30_000 };

test('every source is named with its state, its record and its licence', async ({ page, product }) => {
  test.setTimeout(120_000);
  await untilPictured(product);
  await page.goto('/app');
  await hydrated(page);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Data sources' }).click();
  await expect(page).toHaveURL(/\/app\/sources$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Data sources' })).toBeVisible(LONG);
  await expect(page.getByText('Demo data: the built-in provider sandbox answers')).toBeVisible(LONG);

  const sources = await sourcesOf(product);
  const item = (name: string) =>
    page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { level: 3, name: `${name} (`, exact: false }) });
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(sources.length);
  await expect
    .poll(() => page.getByRole('listitem').filter({ hasText: 'State: OK' }).count(), LONG)
    .toBeGreaterThanOrEqual(15);
  for (const { name, licence, attribution } of sources) {
    await expect(item(name), name).toContainText(licence);
    if (attribution) await expect(item(name), name).toContainText(attribution);
    await expect(item(name).getByRole('link'), name).toHaveAttribute('href', /^https:\/\//);
  }
  await expect(item('Bybit')).toContainText(/\d+\.\d% · \d+ ms/);
  await expect(item('Coin Metrics')).toContainText('Key missing');
  const summary = page.getByRole('heading', { level: 2 }).first();
  await expect(summary).toHaveText(/^(1[5-9]|[2-9]\d) of \d+ healthy(, \d+ standing by)?, 1 without its key$/);
});

// A world of its own: its faults must not reach the other stories.
const apart = base.extend<{ own: RunningProduct }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
  own: async ({}, use) => {
    const own = await startRunning({ mode: 'live' });
    await untilCollected(own.url);
    await use(own);
    await own.stop();
  },
});

apart('a source that fails is named, the cards keep their figures, and it recovers', async ({ page, own }) => {
  apart.setTimeout(180_000);
  await untilPictured(own);
  const stateOf = async () => (await sourcesOf(own)).find(({ id }) => id === 'bybit')?.state;
  expect(await stateOf()).toBe('ok');

  await own.fault({ kind: 'server_error', provider: 'bybit' });
  await own.job('metrics.listing');
  await expect.poll(stateOf, LONG).toBe('down');

  await page.goto(`${own.url}/app/sources`);
  await hydrated(page);
  const bybit = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { level: 3, name: 'Bybit (opens in a new tab)' }) });
  await expect(bybit).toContainText('State: Down', LONG);
  await expect(bybit).toContainText('Bybit answered 503');
  await expect(page.getByRole('heading', { level: 3 }).first()).toHaveText(/^Bybit/);
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /Bybit/ })).toBeVisible(LONG);

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  const metrics = await card(page, 'Advanced Metrics');
  await expect(metrics.getByRole('button', { name: /^Where it comes from: Open interest\. \$\d+\.\dB$/ })).toBeVisible(
    LONG,
  );
  await expect(metrics.getByRole('button', { name: /^Where it comes from: Funding rate, 8h\. / })).toBeVisible();
  await expect(page.locator('[data-coin]')).toHaveCount(5);

  await own.clear();
  await own.job('metrics.listing');
  await expect.poll(stateOf, LONG).toBe('ok');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Data sources' }).click();
  await expect(bybit).toContainText('State: OK', LONG);
});
