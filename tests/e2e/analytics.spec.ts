import { readFile } from 'node:fs/promises';

import { expectNoViolation } from './axe.ts';
import { enterDemo } from './people.ts';
import { expect, test } from './product.ts';

const PAGE = '/app/advanced-analytics';

test('Premium+ selects asset, timeframe and type, compares, exports CSV and sees the heat map', {
  tag: '@core',
}, async ({ page }) => {
  await enterDemo(page, 'premium', PAGE);
  await expect(page.getByRole('heading', { level: 1, name: 'Advanced Analytics' })).toBeVisible();
  await expect(page.getByRole('group', { name: /^Bitcoin, 1 hour, candlestick chart/ })).toBeVisible();
  await page.getByLabel('Asset', { exact: true }).selectOption('ETH');
  await page.getByLabel('Timeframe').selectOption('240');
  await page.getByLabel('Chart type').selectOption('area');
  await page.getByLabel('Compare with').selectOption('SOL');
  await expect(page).toHaveURL(/asset=ETH&timeframe=240&type=area&compare=SOL$/);
  const chart = page.getByRole('group', { name: /^Ethereum, 4 hours, area chart against Solana/ });
  await expect(chart.locator('canvas').first()).toBeVisible();
  // The library's own link is inserted as HTML, which the content policy refuses.
  await expect(chart.getByRole('link', { name: 'TradingView' })).toHaveCSS('position', 'absolute');

  await page.getByRole('button', { name: 'Export Report' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  const file = await (await download).path();
  expect((await readFile(file)).length).toBeGreaterThan(100);
  await expect(page.getByRole('button', { name: 'Export Report' })).toBeEnabled();

  await page.getByText('Avg Change').first().scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 800);
  const matrix = page.getByRole('region', { name: 'Correlation Matrix' });
  await expect(matrix.getByTitle(/^BTC and ETH: /)).toBeVisible();
  await matrix.getByText('20 assets').click();
  // Twenty columns get the full width of the row.
  await expect.poll(async () => (await matrix.boundingBox())?.width).toBeGreaterThan(900);
  await expect(matrix.getByRole('columnheader')).toHaveCount(21);
});

test('Pro sees the Premium+ upsell', { tag: '@core' }, async ({ page }) => {
  await enterDemo(page, 'pro', PAGE);
  await expect(page.getByRole('link', { name: /Premium\+/ }).first()).toBeVisible();
  await expect(page.getByLabel('Timeframe')).toBeHidden();
});

test('on a phone nothing is wider than the screen, and axe reports no violation', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enterDemo(page, 'premium', PAGE);
  await expect(page.getByRole('group', { name: /^Bitcoin/ })).toBeVisible();
  await page.mouse.wheel(0, 1500);
  await expect(page.getByRole('region', { name: 'On-Chain Metrics' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectNoViolation(page);
});
