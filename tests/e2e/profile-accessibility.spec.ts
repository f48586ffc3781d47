import type { Page } from '@playwright/test';

import { expectNoViolation } from './axe.ts';
import { forgive } from './dialog.ts';
import { enterAsNew, enterDemo, wantProof } from './people.ts';
import { expect, test } from './product.ts';

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const shown = (page: Page, name: string | RegExp) => expect(page.getByRole('dialog', { name })).toBeVisible();

const FAILED = {
  id: 1,
  channel: 'email',
  title: 'Stablecoin supply ratio',
  severity: 'high',
  state: 'failed',
  queuedAt: '2026-11-20T12:00:00.000Z',
  dueAt: null,
  sentAt: null,
  latencyMs: null,
  tries: 6,
  note: `550 5.1.1 <${'somebody-with-a-long-name'.repeat(3)}@people.example>: Recipient address rejected`,
  userId: 7,
  email: `${'somebody-with-a-long-name'.repeat(3)}@people.example`,
};

test.describe('axe, profile and administration', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('the profile, its form and the subscription have no violation', async ({ page }) => {
    await enterDemo(page, 'pro', '/app/profile');
    await expect(page.getByText('Member since')).toBeVisible();
    await expectNoViolation(page);
    await press(page, 'Edit');
    await expectNoViolation(page);
    await page.getByRole('tab', { name: 'Subscription' }).click();
    await expect(page.getByText('What Pro Includes')).toBeVisible();
    await expectNoViolation(page);
  });

  test('the security settings and their dialogs have no violation', async ({ page, problems }) => {
    await enterAsNew(page, 'axe', '/app/profile?tab=security');
    await expect(page.getByText('This session')).toBeVisible();
    await page.getByLabel('New password', { exact: true }).fill('Mushroom');
    await page.getByLabel('Confirm new password', { exact: true }).fill('Lantern');
    await expectNoViolation(page);
    await wantProof(page, '/api/auth/two-factor/setup');
    await press(page, 'Set Up Two-Factor');
    await shown(page, 'Confirm it’s you');
    await expectNoViolation(page);
    await press(page, 'Close');
    await press(page, 'Set Up Two-Factor');
    await shown(page, 'Set up two-factor sign-in');
    await expectNoViolation(page);
    await press(page, 'Close');
    await press(page, 'Delete Account');
    await shown(page, 'Delete your account?');
    await expectNoViolation(page);
    forgive(problems, 403);
  });

  test('the admin page, its dialogs and the 403 screen have no violation', async ({ page }) => {
    await enterDemo(page, 'admin', '/app/admin?tab=users');
    await expect(page.getByRole('row', { name: /pro@meridian/ })).toBeVisible();
    await expectNoViolation(page);
    await press(page, 'Set plan of pro@meridian.example');
    await shown(page, 'Set plan');
    await expectNoViolation(page);
    await page.keyboard.press('Escape');
    await enterAsNew(page, 'axe-mail', '/app/admin');
    await expect(page.getByRole('heading', { name: 'Access denied' })).toBeVisible();
    await expectNoViolation(page);
    await enterDemo(page, 'admin', '/app/admin?tab=mail');
    await page.getByRole('searchbox').fill('axe-mail');
    // Wait until the search has filtered the list.
    await expect(page.getByRole('button', { name: / To (?!axe-mail)/ })).toHaveCount(0);
    await press(page, / To axe-mail/);
    await expect(page.frameLocator('iframe').getByRole('heading').first()).toBeVisible();
    // axe runs as a script in every frame, and the frame of an email allows none.
    await page.getByRole('radio', { name: 'Text' }).check();
    await expect(page.locator('iframe')).toHaveCount(0);
    await expectNoViolation(page);
  });

  test('the failed deliveries have no violation, and nothing is wider than the screen', async ({ page }) => {
    await page.route('**/api/admin/deliveries', (route) => route.fulfill({ json: { deliveries: [FAILED], total: 1 } }));
    await enterDemo(page, 'admin', '/app/admin?tab=deliveries');
    await expect(page.getByRole('row', { name: /Stablecoin supply ratio/ })).toBeVisible();
    await expectNoViolation(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    );
    await page.unroute('**/api/admin/deliveries');
    await page.getByRole('radio', { name: 'Webhook' }).check();
    await expect(page.getByText('No failures for Webhook.')).toBeVisible();
    await expectNoViolation(page);
  });
});
