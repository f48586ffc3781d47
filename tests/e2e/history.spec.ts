import { readFile } from 'node:fs/promises';

import type { Page } from '@playwright/test';

import { enterDemo } from './people.ts';
import { expect, hydrated, test } from './product.ts';

// Slow machines: the first pages wait for a product that is still collecting.

const values = (page: Page) => page.getByRole('region', { name: 'Stored values' });

async function texts(page: Page): Promise<string[][]> {
  const rows = values(page).locator('tbody tr:not([aria-hidden])');
  await expect(rows.first()).toBeVisible({ timeout: 120_000 });
  return rows.evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)));
}

/** Saves a file from the menu and reads it. */
async function exported(page: Page, kind: string): Promise<{ name: string; text: string }> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const coming = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: kind, exact: true }).click();
  const file = await coming;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

test('without an account: the last 30 days, sorted by a header, filtered by type; export requires Pro', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/app');
  await hydrated(page);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Historical Data' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Historical Data' })).toBeVisible();
  await expect(page.getByText(/Your plan shows the last 30 days/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Export', exact: true })).toBeDisabled();
  await expect(page.getByTitle('Export requires Pro+ subscription')).toBeVisible();

  await page.getByRole('combobox', { name: 'Data type' }).selectOption('Treasury yields');
  await page.getByRole('combobox', { name: 'Symbol', exact: true }).selectOption('US10Y');
  await expect(values(page).getByRole('row').nth(1)).toContainText('US10Y');
  await values(page)
    .getByRole('button', { name: /^Value/ })
    .click();
  await expect(page).toHaveURL(/type=TREASURY_YIELD&symbol=US10Y&sort=value-asc/);
  await expect(values(page).getByRole('columnheader', { name: /^Value/ })).toHaveAttribute('aria-sort', 'ascending');
  const shown = (await texts(page)).map((cells) => Number.parseFloat(cells[2] ?? ''));
  expect(shown).toEqual(shown.toSorted((a, b) => a - b));

  await page.reload();
  await hydrated(page);
  await expect(page.getByRole('combobox', { name: 'Sort' })).toHaveValue('value-asc');
  expect((await texts(page)).map((cells) => Number.parseFloat(cells[2] ?? ''))).toEqual(shown);
});

test('pro: older rows load while scrolling, and the CSV matches the table', { tag: '@core' }, async ({ page }) => {
  await enterDemo(page, 'pro', '/app/history?symbol=BTC&range=all');
  await texts(page);
  await expect(page.getByText('100 values loaded, more available')).toBeVisible();
  await values(page).evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await expect(page.getByText(/^(2|3)00 values loaded/)).toBeVisible();
  await values(page).evaluate((box) => box.scrollTo(0, 0));

  const { name, text } = await exported(page, 'CSV');
  expect(name).toMatch(/^meridian-history-crypto-price-btc-20\d\d-\d\d-\d\d\.csv$/);
  const lines = text
    .replace(/^\uFEFF/, '')
    .trim()
    .split('\r\n')
    .slice(1);
  const fromFile = lines.slice(0, 20).map((line) => {
    const [, symbol, value] = line.split(',');
    return `${symbol} $${Number(value).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
  });
  // The rows at the top are rendered after the box has scrolled.
  const shown = async () => (await texts(page)).slice(0, 20).map((cells) => `${cells[1]} ${cells[2]}`);
  await expect.poll(shown).toEqual(fromFile);
  await expect(page.getByText('Crypto prices exported as CSV')).toBeVisible();

  const report = await exported(page, 'Printable report');
  expect(report.text).toContain('Crypto prices, historical data');
  expect(report.text.match(/<tr>/g)).toHaveLength(51);
});
