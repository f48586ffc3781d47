import type { Page } from '@playwright/test';

import { expectNoViolation } from './axe.ts';
import { enterAsNew, enterDemo, LONG } from './people.ts';
import { expect, test } from './product.ts';

const TAB = '/app/profile?tab=notifications';
const SAVED = 'Notification preferences saved successfully!';
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const toggle = (page: Page, name: string) => page.getByRole('switch', { name, exact: true });
const saves = (page: Page) =>
  page.waitForResponse(
    (answer) => answer.url().endsWith('/api/notifications/preferences') && answer.request().method() === 'POST',
  );

test.beforeEach(() => test.setTimeout(180_000));

test('a change is saved by itself, and there after a reload and in the profile', async ({ page }) => {
  await enterAsNew(page, 'nora', TAB);
  await expect(toggle(page, 'Email notifications')).toBeChecked(LONG);
  await toggle(page, 'Telegram notifications').click();
  await expect(page.getByText(SAVED)).toBeVisible(LONG);
  await page.getByRole('checkbox', { name: '7 days' }).check();
  await page.getByRole('checkbox', { name: '1 day' }).check();
  await page.getByRole('radio', { name: /^High impact only/ }).check();
  await page.getByRole('checkbox', { name: 'Market by Email' }).uncheck();
  await page.getByLabel('Digest by email').selectOption('weekly');
  await page.getByLabel('Weekday').selectOption('Friday');
  await toggle(page, 'Quiet hours').click();
  await page.getByLabel('From').fill('23:30');
  await expect(page.getByText('Changes are saved as you make them.')).toBeVisible(LONG);
  await page.reload();
  await expect(toggle(page, 'Telegram notifications')).toBeChecked(LONG);
  for (const name of ['1 day', '3 days', '7 days']) await expect(page.getByRole('checkbox', { name })).toBeChecked();
  await expect(page.getByRole('radio', { name: /^High impact only/ })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Market by Email' })).not.toBeChecked();
  await expect(card(page, 'When it is sent')).toContainText('each Friday at 08:00 UTC');
  await expect(card(page, 'When it is sent')).toContainText('From 23:30 to 07:00 UTC');
  await page.getByRole('tab', { name: 'Profile', exact: true }).click();
  await expect(card(page, 'Account')).toContainText(/Email\s*On\s*Push\s*Off\s*Telegram\s*On/, LONG);
});

test('what depends on a switch is closed until it is on, and warnings say what is missing', async ({ page }) => {
  await enterAsNew(page, 'olaf', TAB);
  const events = card(page, 'Event notifications');
  const push = events.getByRole('checkbox', { name: /^Push/ });
  await expect(push).toBeDisabled(LONG);
  await expect(events).toContainText('switch Push on under Channels first');
  await expect(page.getByRole('checkbox', { name: 'Your rules by Push' })).toBeDisabled();
  await toggle(page, 'Telegram notifications').click();
  await expect(events.getByRole('checkbox', { name: 'Telegram' })).toBeEnabled();
  await expect(page.getByRole('checkbox', { name: 'Your rules by Telegram' })).toBeEnabled();
  await events.getByRole('checkbox', { name: '3 days' }).uncheck();
  await expect(events.getByText('Please select at least one notification window')).toBeVisible();
  await events.getByRole('checkbox', { name: 'Email' }).uncheck();
  await expect(events.getByText('Every channel chosen here is off')).toBeVisible();
  await toggle(page, 'Event notifications').click();
  await expect(events.getByText('How long before')).toBeHidden();
  await expect(page.getByText(SAVED).last()).toBeVisible(LONG);
});

test('a save that fails is told and taken back; the next one counts', async ({ page, problems }) => {
  await enterAsNew(page, 'pia', TAB);
  await expect(toggle(page, 'Email notifications')).toBeChecked(LONG);
  await page.route('**/api/notifications/preferences', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await toggle(page, 'Email notifications').click();
  await expect(page.getByText('Error saving preferences')).toBeVisible(LONG);
  await expect(toggle(page, 'Email notifications')).toBeChecked(LONG);
  await page.unroute('**/api/notifications/preferences');
  await toggle(page, 'Email notifications').click();
  await expect(page.getByText(SAVED)).toBeVisible(LONG);
  await page.reload();
  await expect(toggle(page, 'Email notifications')).not.toBeChecked(LONG);
  problems.splice(0, problems.length, ...problems.filter((text) => !text.includes('ERR_FAILED')));
});

test('two quick changes: the second waits for the first, and both are kept', async ({ page }) => {
  await enterAsNew(page, 'quin', TAB);
  await expect(toggle(page, 'Email notifications')).toBeChecked(LONG);
  const waiting: (() => void)[] = [];
  await page.route('**/api/notifications/preferences', async (route) => {
    if (route.request().method() === 'POST') await new Promise<void>((go) => waiting.push(go));
    await route.continue();
  });
  await toggle(page, 'Telegram notifications').click();
  await expect.poll(() => waiting.length).toBe(1);
  await toggle(page, 'Email notifications').click();
  await expect(page.getByText('Saving…')).toBeVisible();
  expect(waiting).toHaveLength(1);
  const first = saves(page);
  waiting[0]?.();
  await first;
  await expect.poll(() => waiting.length).toBe(2);
  waiting[1]?.();
  await expect(page.getByText(SAVED)).toHaveCount(1, LONG);
  await page.unroute('**/api/notifications/preferences');
  await page.reload();
  await expect(toggle(page, 'Telegram notifications')).toBeChecked(LONG);
  await expect(toggle(page, 'Email notifications')).not.toBeChecked();
});

test('each plan sees what it has; alerts lead to these settings', async ({ page }) => {
  await enterAsNew(page, 'rob', '/settings');
  await expect(page).toHaveURL(TAB, LONG);
  const panel = page.getByRole('tabpanel');
  // One for the channels, one in the Telegram panel.
  await expect(panel.getByRole('link', { name: 'Upgrade to Pro', exact: true })).toHaveCount(2, LONG);
  await expect(panel.getByText('Nothing was sent yet')).toBeVisible();
  await enterDemo(page, 'pro', '/app/alerts');
  await page.getByRole('link', { name: 'Notification settings' }).click(LONG);
  await expect(page).toHaveURL(TAB);
  await expect(panel.getByRole('link', { name: 'Upgrade to Premium+' })).toBeVisible(LONG);
  await expect(panel.getByRole('columnheader', { name: 'Webhook' })).toBeHidden();
  await enterDemo(page, 'premium', TAB);
  await expect(panel.getByRole('columnheader', { name: 'Webhook' })).toBeVisible(LONG);
  await expect(panel.getByRole('link', { name: /^Upgrade/ })).toBeHidden();
});

for (const theme of ['light', 'dark'] as const)
  for (const width of [390, 1440])
    test(`no violation and nothing wider than the screen, ${theme}, ${width}`, async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 844 });
      await enterDemo(page, 'premium', TAB);
      await page.evaluate((next) => localStorage.setItem('theme', next), theme);
      await page.reload();
      await expect(toggle(page, 'Email notifications')).toBeVisible(LONG);
      await expect(card(page, 'How fast it is').getByRole('table')).toBeVisible(LONG);
      await expectNoViolation(page);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBe(0);
    });
