import { readFile } from 'node:fs/promises';

import type { Page } from '@playwright/test';

import { expectNoViolation } from './axe.ts';
import { enterDemo } from './people.ts';
import { expect, test } from './product.ts';

/** Opens the tab and reloads it until the first analysis is listed. */
async function openAnalyses(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'AI Analysis' }).click();
  const panel = page.getByRole('main');
  await expect(async () => {
    await panel.getByRole('button', { name: 'Refresh' }).click({ timeout: 5000 });
    await expect(panel.getByText('Short term (1-7 days)').first()).toBeVisible({ timeout: 5000 });
  }).toPass({ timeout: 120_000 });
}

test('an administrator finds a record, downloads the collection, and reads an analysis', { tag: '@core' }, async ({
  page,
}) => {
  await enterDemo(page, 'admin', '/app/admin?tab=collections');
  const users = page.getByRole('region', { name: 'users', exact: true });
  await expect(users.getByText(/^\d+ records?$/)).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search records' }).fill('premium@meridian.example');
  await expect(users.getByText(/^1 of \d+ records matches$/)).toBeVisible();
  await expect(users.getByRole('list', { name: 'Sample: users' })).toContainText('premium@meridian.example');
  const download = page.waitForEvent('download');
  await users.getByRole('button', { name: 'Export users' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('users_export.json');
  await expect(page.getByText('Export successful! Downloading users_export.json')).toBeVisible();
  const records = JSON.parse(await readFile(await file.path(), 'utf8')) as { email: string }[];
  expect(records.map(({ email }) => email)).toContain('admin@meridian.example');

  await openAnalyses(page);
  await page.getByRole('button', { name: 'Show Raw' }).click();
  await expect(page.getByRole('main').getByText('"overall_direction"').first()).toBeVisible();
});

test('an analysis, and its JSON view, has no axe violation', async ({ page }) => {
  await enterDemo(page, 'admin', '/app/admin');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openAnalyses(page);
  await expectNoViolation(page);
  await page.getByRole('button', { name: 'Show Raw' }).click();
  await expectNoViolation(page);
});
