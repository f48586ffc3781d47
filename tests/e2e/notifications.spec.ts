import type { Page } from '@playwright/test';

import { enterAsNew, enterDemo } from './people.ts';
import { expect, test } from './product.ts';

const TAB = '/app/profile?tab=notifications';
const SAVED = 'Notification preferences saved successfully!';
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const toggle = (page: Page, name: string) => page.getByRole('switch', { name, exact: true });

test('a change is saved by itself, and there after a reload and in the profile', { tag: '@core' }, async ({ page }) => {
  await enterAsNew(page, 'nora', TAB);
  await expect(toggle(page, 'Email notifications')).toBeChecked();
  await toggle(page, 'Telegram notifications').click();
  await expect(page.getByText(SAVED)).toBeVisible();
  await page.getByRole('checkbox', { name: '7 days' }).check();
  await page.getByRole('checkbox', { name: '1 day' }).check();
  await page.getByRole('radio', { name: /^High impact only/ }).check();
  await page.getByRole('checkbox', { name: 'Market by Email' }).uncheck();
  await page.getByLabel('Digest by email').selectOption('weekly');
  await page.getByLabel('Weekday').selectOption('Friday');
  await toggle(page, 'Quiet hours').click();
  await page.getByLabel('From').fill('23:30');
  await expect(page.getByText('Changes are saved as you make them.')).toBeVisible();
  await page.reload();
  await expect(toggle(page, 'Telegram notifications')).toBeChecked();
  for (const name of ['1 day', '3 days', '7 days']) await expect(page.getByRole('checkbox', { name })).toBeChecked();
  await expect(page.getByRole('radio', { name: /^High impact only/ })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Market by Email' })).not.toBeChecked();
  await expect(card(page, 'Timing')).toContainText('each Friday at 08:00 UTC');
  await expect(card(page, 'Timing')).toContainText('From 23:30 to 07:00 UTC');
  await page.getByRole('tab', { name: 'Profile', exact: true }).click();
  await expect(card(page, 'Account')).toContainText(/Email\s*On\s*Push\s*Off\s*Telegram\s*On/);
});

test('a save that fails is told and taken back; the next one counts', async ({ page, problems }) => {
  await enterAsNew(page, 'pia', TAB);
  await expect(toggle(page, 'Email notifications')).toBeChecked();
  await page.route('**/api/notifications/preferences', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await toggle(page, 'Email notifications').click();
  await expect(page.getByText('Error saving preferences')).toBeVisible();
  await expect(toggle(page, 'Email notifications')).toBeChecked();
  await page.unroute('**/api/notifications/preferences');
  await toggle(page, 'Email notifications').click();
  await expect(page.getByText(SAVED)).toBeVisible();
  await page.reload();
  await expect(toggle(page, 'Email notifications')).not.toBeChecked();
  problems.splice(0, problems.length, ...problems.filter((text) => !text.includes('ERR_FAILED')));
});

test('each plan sees what it has; alerts lead to these settings', async ({ page }) => {
  await enterAsNew(page, 'rob', '/settings');
  await expect(page).toHaveURL(TAB);
  const panel = page.getByRole('tabpanel');
  // One for the channels, one in the Telegram panel.
  await expect(panel.getByRole('link', { name: 'Upgrade to Pro', exact: true })).toHaveCount(2);
  await expect(panel.getByText('Nothing sent yet')).toBeVisible();
  await enterDemo(page, 'pro', '/app/alerts');
  await page.getByRole('link', { name: 'Notification settings' }).click();
  await expect(page).toHaveURL(TAB);
  await expect(panel.getByRole('link', { name: 'Upgrade to Premium+' })).toBeVisible();
  await expect(panel.getByRole('columnheader', { name: 'Webhook' })).toBeHidden();
  await enterDemo(page, 'premium', TAB);
  await expect(panel.getByRole('columnheader', { name: 'Webhook' })).toBeVisible();
  await expect(panel.getByRole('link', { name: /^Upgrade/ })).toBeHidden();
});
