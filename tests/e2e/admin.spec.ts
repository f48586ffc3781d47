import type { Page } from '@playwright/test';

import { PASSWORD } from './dialog.ts';
import { enter, enterDemo, newPerson } from './people.ts';
import { expect, test } from './product.ts';

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('on a phone a single select names the open tab and switches tabs', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enterDemo(page, 'admin', '/app/admin?tab=settings');
  const section = page.getByRole('combobox', { name: 'Section' });
  await expect(section).toHaveValue('settings');
  await section.selectOption('User Management');
  await expect(page).toHaveURL(/\?tab=users$/);
  await expect(card(page, 'User Management')).toBeVisible();
});

test('an administrator finds a user and sets the plan; the user’s page updates automatically', {
  tag: '@core',
}, async ({ page, browser, product }) => {
  const email = await newPerson(page, 'fay');
  const theirs = await browser.newPage({ baseURL: product.url });
  await enter(theirs, email, PASSWORD, '/app/profile?tab=subscription');
  await expect(card(theirs, 'Your Plan')).toContainText(/Plan\s*Free/);

  await enterDemo(page, 'admin', '/app/admin?tab=users');
  await page.getByRole('searchbox', { name: 'Search by email' }).fill(email);
  await expect(page.getByText(/^1 of \d+ users$/)).toBeVisible();
  await page.getByRole('button', { name: `Set plan of ${email}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Set plan' });
  await dialog.getByRole('radio', { name: 'Pro', exact: true }).check();
  await dialog.getByRole('radio', { name: 'Until a date' }).check();
  await dialog.getByLabel('Last day (UTC)').fill('2099-12-31');
  await dialog.getByLabel('Note').fill('Press review');
  await dialog.getByRole('button', { name: 'Set Plan' }).click();
  await expect(page.getByText(`${email} is now on Pro`)).toBeVisible();
  await expect(page.getByRole('row', { name: new RegExp(email) })).toContainText('Pro');

  await expect(card(theirs, 'Your Plan')).toContainText(/Plan\s*Pro\s*Status\s*Active/);
  await expect(card(theirs, 'Your Plan')).toContainText('31 Dec 2099');
  await theirs.close();
});

test('email that did not leave the machine is read here, without scripts or errors', async ({ page }) => {
  const email = await newPerson(page, 'gus');
  await enterDemo(page, 'admin', '/app/admin?tab=mail');
  await expect(page.getByText(/^Demo mode: no email leaves this machine\./)).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search by address or subject' }).fill(email);
  const first = page.getByRole('button', { name: new RegExp(`To ${email}`) }).last();
  await expect(first).toContainText('Outbox only');
  await first.click();
  const dialog = page.getByRole('dialog');
  const frame = dialog.frameLocator('iframe');
  await expect(frame.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(frame.getByRole('link', { name: /^Confirm/ })).toHaveAttribute('target', '_blank');
  await expect(dialog.locator('iframe')).toHaveAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox');
  await dialog.getByRole('radio', { name: 'Text' }).check();
  await expect(dialog.getByText(/\/auth\/confirm\?token=/)).toBeVisible();
});
