import type { Page } from '@playwright/test';

import { card, untilPictured } from './picture.ts';
import { expect, hydrated, test } from './product.ts';

const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test.describe('on a phone', () => {
  test('the menu slides in and closes after a selection; the table keeps asset, price and change, the rest is behind the row', {
    tag: '@core',
  }, async ({ page }) => {
    await page.goto('/app');
    await hydrated(page);
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    await expect(sidebar).toBeHidden();
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(sidebar).toBeVisible();
    await sidebar.getByRole('link', { name: 'Dashboard' }).click();
    await expect(sidebar).toBeHidden();
    expect(await overflowOf(page)).toBe(0);

    await expect(page.getByRole('columnheader', { name: 'Price (USD)' })).toBeVisible();
    await expect(page.getByRole('columnheader', { name: 'Market cap' })).toBeHidden();
    await page
      .locator('[data-coin="bitcoin"]')
      .getByRole('button', { name: /Bitcoin/ })
      .click();
    const detail = page.getByRole('region', { name: 'Bitcoin details' });
    await expect(detail.getByRole('term').filter({ hasText: /^Market cap$/ })).toBeVisible();
  });

  test('tapping a number shows its source; the coin beside it opens its chart', async ({ page }) => {
    await page.goto('/app');
    await hydrated(page);
    const row = page.locator('[data-coin="ethereum"]');
    const certificate = page.locator('[popover]:popover-open');
    await expect(async () => {
      await row.locator('[data-figure="price"]').tap({ timeout: 5000 });
      await expect(certificate).toContainText('Ethereum, price', { timeout: 5000 });
    }).toPass();
    await expect(certificate.getByText('Stale after')).toBeVisible();
    const target = await row.locator('[data-figure="price"]').boundingBox();
    expect(target?.height).toBeGreaterThanOrEqual(40);
    await row.locator('[data-figure="price"]').tap();
    await expect(certificate).toHaveCount(0);
    await row.getByText('Ethereum', { exact: true }).tap();
    await expect(page.getByRole('region', { name: 'Ethereum details' })).toBeVisible();
    await expect(certificate).toHaveCount(0);
    expect(await overflowOf(page)).toBe(0);
  });

  test('the cards move columns behind the row, and nothing is wider than the screen', {
    tag: '@core',
  }, async ({ page, product }) => {
    await untilPictured(product);
    await page.goto('/app');
    await hydrated(page);
    const narratives = await card(page, 'Trending Narratives');
    await expect(narratives.getByText('Relevance', { exact: true }).first()).toBeVisible();
    await expect(narratives.getByText('Volume', { exact: true }).first()).toBeHidden();
    const top = narratives.getByRole('list', { name: /^Top coins of / });
    // A young narrative may have fewer than five.
    await expect(top.getByRole('listitem').nth(1)).toBeVisible();
    await expect(top.getByRole('listitem').nth(5)).toHaveCount(0);

    const chains = await card(page, 'Layer 1 Blockchains');
    for (const gone of ['TPS', 'Share of L1', 'Active'])
      await expect(chains.getByText(gone, { exact: true })).toBeHidden();
    const solana = chains.getByRole('button', { name: /^Solana / });
    const pace = chains.getByRole('button', { name: /: Solana, Transactions per second\. / });
    await expect(pace).toHaveCount(0);
    await solana.click();
    await expect(pace).toBeVisible();

    const metrics = await card(page, 'Advanced Metrics');
    await metrics.getByRole('button', { name: 'Glossary' }).click();
    await expect(page.locator('#glossary dt').first()).toBeVisible();
    expect(await overflowOf(page)).toBe(0);

    // The birth certificate stays within the screen.
    await metrics.getByRole('button', { name: /^Where it comes from: Hash rate\. / }).click();
    const certificate = page.locator('[popover]:popover-open');
    await expect(certificate.getByText('Stale after')).toBeVisible();
    const box = await certificate.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
    expect(await overflowOf(page)).toBe(0);

    await page.goto('/app/sources');
    await expect(page.getByRole('heading', { level: 3, name: /^Bybit/ })).toBeVisible();
    expect(await overflowOf(page)).toBe(0);
  });

  test('long texts fit, with a collapsed table of contents above', async ({ page }) => {
    for (const [path, heading] of [
      ['/about', 'When data is collected'],
      ['/app/about', 'When data is collected'],
      ['/app/contact', 'Current Status'],
      ['/app/privacy', '1. Who is responsible'],
      ['/app/terms', '10. Plans and limits'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 2, name: heading })).toBeVisible();
      expect(await overflowOf(page), path).toBe(0);
    }
    const contents = page.getByRole('navigation', { name: 'Contents' });
    const law = contents.getByRole('link', { name: 'Governing law' });
    await expect(law).toBeHidden();
    await contents.getByText('Contents').click();
    await law.click();
    await expect(page.getByRole('heading', { level: 2, name: /Governing law$/ })).toBeInViewport();
  });
});
