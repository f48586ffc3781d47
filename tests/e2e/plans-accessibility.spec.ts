import { expectNoViolation } from './axe.ts';
import { PASSWORD } from './dialog.ts';
import { BILLING, CHAIN, PLANS, send, take } from './paying.ts';
import { enter, enterDemo, givePlan, newPerson } from './people.ts';
import { expect, test } from './product.ts';

const DAY_MS = 86_400_000;

test.describe('axe, plans', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('the plans, the bell and the profile menu have no violation on Free', async ({ page }) => {
    await enterDemo(page, 'free', '/app/subscription');
    await expect(page.getByText('Your current plan')).toBeVisible();
    await expectNoViolation(page);
    await page.getByRole('button', { name: 'Market alerts, Pro' }).click();
    await expect(page.getByRole('dialog', { name: 'Market Alerts' })).toBeVisible();
    await expectNoViolation(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Your account' }).click();
    await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible();
    await expectNoViolation(page);
  });

  test('payment and renewal have no violation, and nothing is wider than the screen', async ({ page }) => {
    const email = await newPerson(page, `axe-pay`);
    await givePlan(page, email, { until: new Date(Date.now() + 2.5 * DAY_MS) });
    await enter(page, email, PASSWORD, PLANS);
    const dialog = (name: string) => expect(page.getByRole('dialog', { name })).toBeVisible();
    const expectFine = async () => {
      await expectNoViolation(page);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBe(0);
    };
    const renew = page.getByRole('button', { name: 'Renew Now' });
    await expect(renew).toBeVisible();
    await page.getByText('What if my USDC payment is late or incomplete?').click();
    await expectFine();
    await renew.click();
    await dialog('Renew Pro');
    await expectFine();
    await take(page, 'USDC on Base', '1 month');
    await dialog('Pro, 1 month: USDC on Base');
    await expectFine();
    await send(page, 'Send a worthless token', 'Send less');
    await expect(page.getByText('Partially paid', { exact: true })).toBeVisible(CHAIN);
    await expectFine();
    await page.goto(BILLING);
    await expect(page.getByRole('button', { name: /^Continue: Pro/ })).toBeVisible();
    await expectFine();
    await page.getByRole('button', { name: 'Cancel Subscription' }).click();
    await dialog('Nothing to cancel');
    await expectFine();
  });
});
