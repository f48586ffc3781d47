import type { Page } from '@playwright/test';

import { expectNoViolation } from './axe.ts';
import { forgive, PASSWORD } from './dialog.ts';
import { enter, enterDemo, newPerson } from './people.ts';
import { expect, test } from './product.ts';

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('an administrator disables an account while its user watches, enables it, deletes it, and finds it in the log', {
  tag: '@core',
}, async ({ page, browser, product, problems }) => {
  const email = await newPerson(page, 'una');
  const theirs = await browser.newPage({ baseURL: product.url });
  await enter(theirs, email, PASSWORD, '/app/profile?tab=security');
  await expect(card(theirs, 'Sessions')).toBeVisible();
  await enterDemo(page, 'admin', '/app/admin?tab=users');
  await page.getByRole('searchbox', { name: 'Search by email' }).fill(email);
  await page.getByRole('link', { name: email }).click();
  await expect(page).toHaveURL(/tab=users&user=\d+$/);
  const user = card(page, 'User');
  await expect(user).toContainText('Verified');

  await user.getByRole('button', { name: 'Disable' }).click();
  await page.getByLabel('Reason').fill('Chargebacks');
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await expect(user).toContainText('Disabled: Chargebacks');
  await expect(card(page, 'Sessions')).toContainText('No active sessions');
  const refused = await page.request.post('/api/auth/login', { data: { email, password: PASSWORD } });
  expect([refused.status(), ((await refused.json()) as { error: string }).error]).toEqual([
    403,
    'This account is disabled. If you think this is a mistake, contact support.',
  ]);
  await theirs.goto('/app?auth=login');
  const dialog = theirs.getByRole('dialog');
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(dialog.getByRole('link', { name: 'Contact support' })).toBeVisible();
  await theirs.close();

  await user.getByRole('button', { name: 'Enable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click();
  await expect(user.getByRole('button', { name: 'Disable' })).toBeVisible();
  await user.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('dialog')).toContainText(
    `Are you sure you want to delete user ${email}? This action cannot be undone.`,
  );
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(`User ${email} deleted successfully`)).toBeVisible();

  await page.getByRole('link', { name: 'Audit Log' }).click();
  const log = card(page, 'Audit Log');
  await log.getByRole('combobox', { name: 'Action' }).selectOption('Account deleted');
  await expect(log.getByRole('listitem').first()).toContainText(
    /Account deleted by admin@meridian\.example for deleted account \d+/,
  );
  forgive(problems, 403);
});

test('users, one of them, the dialogs and the log are accessible, in both themes', async ({ page }) => {
  await enterDemo(page, 'admin', '/app/admin?tab=users');
  await expect(page.getByRole('link', { name: 'pro@meridian.example' })).toBeVisible();
  await expectNoViolation(page);
  await page.getByRole('link', { name: 'pro@meridian.example' }).click();
  await expect(card(page, 'User')).toContainText('Verified');
  await expectNoViolation(page);
  for (const act of ['Disable', 'Delete']) {
    await card(page, 'User').getByRole('button', { name: act }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectNoViolation(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  }
  await page.getByRole('link', { name: 'Audit Log' }).click();
  const log = card(page, 'Audit Log');
  await expect(log.getByText('Details').first()).toBeVisible();
  await log.getByText('Details').first().click();
  await expectNoViolation(page);
});
