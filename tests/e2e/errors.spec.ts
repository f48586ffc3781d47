import type { Page } from '@playwright/test';

import { expectNoViolation } from './axe.ts';
import { enterDemo } from './people.ts';
import { expect, test } from './product.ts';

/** Throws an error in the page, once the reporting code is loaded. */
async function breakPage(page: Page, words: string): Promise<void> {
  const reported = page.waitForRequest('**/api/errors/client');
  await page.evaluate((words) => dispatchEvent(new CustomEvent('broken', { detail: new Error(words) })), words);
  await reported;
}

test('a browser error reaches the administrator, who opens, finds and resolves it', { tag: '@core' }, async ({
  page,
}) => {
  const words = `Ann ann@mail.example broke <b>it</b> ${'abcdefghij'.charAt(Date.now() % 10)}`;
  const told = words.replace('ann@mail.example', '[address]');
  await page.goto('/app/errors');
  await expect(page.getByText('Authentication required. Please log in.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go to Login' })).toHaveAttribute('href', '/app?auth=login');
  await breakPage(page, words);

  await enterDemo(page, 'admin', '/app/errors');
  const row = page.getByRole('listitem', { name: `Error: ${told}` });
  await expect(row).toBeVisible();
  await row.getByRole('button', { name: 'Details' }).click();
  await expect(row.getByRole('region', { name: 'Details' })).toContainText('"page": "/app/errors"');
  await page.getByRole('searchbox', { name: 'Search errors' }).fill('broke <b>it');
  await expect(page).toHaveURL(/\?q=broke/);
  await expect(row).toBeVisible();
  await page.getByRole('button', { name: /^Data Collection/ }).click();
  await expect(page.getByText('No Errors Found')).toBeVisible();
  await page.getByRole('button', { name: /^All/ }).click();
  await row.getByRole('button', { name: 'Resolve' }).click();
  await expect(row).toHaveCount(0);
});

test('no axe violation in any state of the error logs', async ({ page }) => {
  await page.goto('/app/errors');
  await expect(page.getByRole('link', { name: 'Go to Login' })).toBeVisible();
  await breakPage(page, 'Read me aloud');

  await enterDemo(page, 'admin', '/app/errors');
  const row = page.getByRole('listitem', { name: 'Error: Read me aloud' });
  await row.getByRole('button', { name: 'Details' }).click();
  await expect(row.getByRole('region', { name: 'Details' })).toBeVisible();
  await expectNoViolation(page);
  await page.getByRole('searchbox', { name: 'Search errors' }).fill('nothing of the kind');
  await expect(page.getByText('No Errors Found')).toBeVisible();
  await expectNoViolation(page);
});
