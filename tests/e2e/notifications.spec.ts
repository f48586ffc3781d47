import type { Page } from '@playwright/test';

import { enterAsNew } from './people.ts';
import { expect, test } from './product.ts';

const TAB = '/app/profile?tab=notifications';
const SAVED = 'Notification preferences saved successfully!';
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const toggle = (page: Page, name: string) => page.getByRole('switch', { name, exact: true });

test('a change is saved automatically and persists after a reload and in the profile', { tag: '@core' }, async ({
  page,
}) => {
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
  await expect(page.getByText('Changes are saved automatically.')).toBeVisible();
  await page.reload();
  await expect(toggle(page, 'Telegram notifications')).toBeChecked();
  for (const name of ['1 day', '3 days', '7 days']) await expect(page.getByRole('checkbox', { name })).toBeChecked();
  await expect(page.getByRole('radio', { name: /^High impact only/ })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Market by Email' })).not.toBeChecked();
  await expect(card(page, 'Timing')).toContainText('every Friday at 08:00 UTC');
  await expect(card(page, 'Timing')).toContainText('From 23:30 to 07:00 UTC');
  await page.getByRole('tab', { name: 'Profile', exact: true }).click();
  await expect(card(page, 'Account')).toContainText(/Email\s*On\s*Push\s*Off\s*Telegram\s*On/);
});
