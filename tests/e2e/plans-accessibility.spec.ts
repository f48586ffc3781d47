import { expectNoViolation } from './axe.ts';
import { enterDemo, LONG } from './people.ts';
import { expect, hydrated, test } from './product.ts';

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`axe, plans, ${colorScheme}`, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } });
    test.beforeEach(() => test.setTimeout(240_000));

    for (const [what, path, heading] of [
      ['the plans', '/app/subscription', 'Subscription Plans'],
      ['a locked page', '/app/advanced-analytics', 'Advanced Analytics'],
      ['the gate', '/app/auth-required?feature=Profile&type=auth', 'Sign in required'],
    ] as const) {
      test(`${what} has no violation for a visitor`, async ({ page }) => {
        await page.goto(path);
        await hydrated(page);
        await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible(LONG);
        await expectNoViolation(page);
      });
    }

    test('the plans, the bell and the profile menu have no violation on Free', async ({ page }) => {
      await enterDemo(page, 'free', '/app/subscription');
      await expect(page.getByText('Your current plan')).toBeVisible(LONG);
      await expectNoViolation(page);
      await page.getByRole('button', { name: 'Market alerts, Pro' }).click(LONG);
      await expect(page.getByRole('dialog', { name: 'Market Alerts' })).toBeVisible();
      await expectNoViolation(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Your account' }).click();
      await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible();
      await expectNoViolation(page);
    });
  });
}
