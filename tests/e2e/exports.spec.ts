import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import type { Page } from '@playwright/test';

import { expectNoViolation } from './axe.ts';
import { PASSWORD } from './dialog.ts';
import { enter, givePlan, newPerson, newPro } from './people.ts';
import { expect, test } from './product.ts';

const BASIC = '/app/data-export';
const ADVANCED = '/app/advanced-export';

/** Clicks a button that downloads a file; returns its name and bytes. */
async function download(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download', { timeout: 60_000 }), press()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

const createExport = (page: Page) => page.getByRole('button', { name: 'Create Export' });
const rows = (page: Page, list: string) => page.getByRole('list', { name: list }).getByRole('listitem');

/** A new account with Premium+, so that its export quota is not shared with other tests. */
async function enterPremium(page: Page, name: string, at: string): Promise<void> {
  const email = await newPerson(page, name);
  await givePlan(page, email, { plan: 'premium' });
  await enter(page, email, PASSWORD, at);
  await expect(page.getByRole('heading', { level: 1, name: 'Advanced Data Export' })).toBeVisible();
}

test('Pro: a basic export downloads, is listed with its manifest, and is deleted', { tag: '@core' }, async ({
  page,
}) => {
  await enter(page, await newPro(page, 'ella'), PASSWORD, BASIC);
  await expect(page.getByText('No exports yet')).toBeVisible();
  await expect(page.getByRole('columnheader', { name: /Yours/ })).toContainText('Pro');
  const { name, bytes } = await download(page, () => createExport(page).click());
  expect(name).toMatch(/crypto.prices.*7d.*\.json$/);
  expect(() => JSON.parse(bytes.toString()) as unknown).not.toThrow();
  await expect(page.getByText('Export created successfully!')).toBeVisible();

  const row = rows(page, 'Export History');
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('7 days · JSON');
  await expect(page.getByText('1 of 20 exports used today.', { exact: false })).toBeVisible();
  await row.getByRole('button', { name: 'Manifest' }).click();
  const manifest = page.getByRole('dialog', { name: 'Manifest' });
  await expect(manifest).toContainText(createHash('sha256').update(bytes).digest('hex'));
  await expectNoViolation(page);
  await manifest.getByRole('button', { name: 'Close' }).click();

  const again = await download(page, () => row.getByRole('button', { name: 'Download' }).click());
  expect(again.name).toBe(name);
  expect(again.bytes.equals(bytes)).toBe(true);
  await row.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(row.getByRole('button', { name: 'Download' })).toHaveCount(0);
});

test('Premium+: several data types in a custom range as XML', async ({ page }) => {
  await enterPremium(page, 'fred', ADVANCED);
  await page.getByLabel('Fear and greed').check();
  await page.getByLabel('Custom').check();
  await createExport(page).click();
  await expect(page.getByText('Choose a start date')).toBeVisible();
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('Start date').fill(day(3));
  await page.getByLabel('End date').fill(day(5));
  await expect(page.getByText('The end date is before the start date')).toBeVisible();
  await page.getByLabel('End date').fill(day(1));
  await page.getByLabel('XML').check();
  const { name, bytes } = await download(page, () => createExport(page).click());
  expect(name).toMatch(/\.xml$/);
  expect(bytes.toString()).toMatch(/^<\?xml/);
  expect(bytes.toString()).toContain('crypto_prices');
  await expect(rows(page, 'Recent Exports').first()).toContainText('XML');
  await expect(page.getByRole('region', { name: 'Export Statistics' })).toContainText('1 today, unlimited');
});

test('Premium+: scheduled daily, with its next run, and canceled', async ({ page }) => {
  await enterPremium(page, 'greta', ADVANCED);
  await page.getByLabel('Run at').selectOption('06:00');
  await page.getByRole('button', { name: 'Schedule Daily' }).click();
  await expect(page.getByText('Export scheduled successfully!')).toBeVisible();
  const row = rows(page, 'Scheduled Exports');
  await expect(row).toContainText(/Next: .* 06:00 /);
  await expectNoViolation(page);
  await row.getByRole('button', { name: /^Cancel/ }).click();
  await expect(page.getByText('No scheduled exports')).toBeVisible();
});

test('on a phone both pages fit the screen, and an export downloads', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enterPremium(page, 'iris', ADVANCED);
  const isWithin = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  await expect(page.getByText('No scheduled exports')).toBeVisible();
  expect(await isWithin()).toBe(true);
  await page.getByRole('link', { name: 'All exports' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Data Export' })).toBeVisible();
  await expectNoViolation(page);
  await page.getByLabel('CSV').check();
  const { name } = await download(page, () => createExport(page).click());
  expect(name).toMatch(/\.(csv|zip)$/);
  await expect(rows(page, 'Export History').first()).toContainText('CSV');
  expect(await isWithin()).toBe(true);
});
