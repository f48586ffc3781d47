import type { Page } from '@playwright/test';

import { expectNoViolation } from './axe.ts';
import { PASSWORD } from './dialog.ts';
import { enter, newPro } from './people.ts';
import { expect, test } from './product.ts';

const TAB = '/app/profile?tab=notifications';
const PHONE = '/app/phone';
const pane = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('a new user completes every flow on the demo phone', async ({ page }) => {
  await enter(page, await newPro(page, 'phone'), PASSWORD, TAB);
  await pane(page, 'Telegram').getByRole('button', { name: 'Generate Verification Code' }).click();
  const code = (await page.getByText(/^[A-Z0-9]{8}$/).textContent()) ?? '';
  await page.getByRole('link', { name: 'open the simulated phone' }).click();
  await expect(page).toHaveURL(PHONE);

  const chat = pane(page, 'Telegram');
  await expect(chat.getByText('No messages yet')).toBeVisible();
  await chat.getByLabel('Message to the bot').fill(`/verify ${code}`);
  await chat.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(chat.getByText('Connected', { exact: true })).toBeVisible();
  await expect(chat.getByRole('log')).toContainText(/Connected\./);

  const screen = pane(page, 'Notifications');
  await screen.getByRole('button', { name: 'Subscribe a simulated browser' }).click();
  await screen.getByRole('button', { name: 'Send a test notification' }).click();
  await expect(screen.getByRole('link', { name: /Test Notification/ })).toBeVisible();

  const mail = pane(page, 'Mail');
  await mail.getByRole('button', { name: /^Confirm/ }).click();
  const frame = page.frameLocator('iframe[title^="Email: Confirm"]');
  await expect(frame.getByRole('link').first()).toHaveAttribute('target', '_blank');
  await mail.getByRole('button', { name: 'All emails' }).click();

  await screen.getByRole('link', { name: /Test Notification/ }).click();
  await expect(page).toHaveURL(TAB);
  await expect(pane(page, 'Telegram').getByText('Connected', { exact: true })).toBeVisible();
});

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  test(`the phone of the demo: no axe violation, nothing to scroll sideways (${width})`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    const email = await newPro(page, `view-${width}`);
    await enter(page, email, PASSWORD, `${PHONE}?tab=notifications`);
    await page.getByRole('button', { name: 'Subscribe a simulated browser' }).click();
    await page.getByRole('button', { name: 'Send a test notification' }).click();
    await expect(page.getByRole('link', { name: /Test Notification/ })).toBeVisible();
    await expectNoViolation(page);
    if (width < 1280) {
      await page.getByRole('tab', { name: 'Mail' }).click();
      await expect(page.getByRole('button', { name: /^Confirm/ })).toBeVisible();
      await expectNoViolation(page);
      await page.getByRole('tab', { name: 'Telegram' }).click();
    }
    await page.getByRole('button', { name: '/help' }).click();
    await expect(page.getByRole('log')).toContainText('/verify');
    await expectNoViolation(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    // A conversation that scrolls within its pane leaves no empty space below the footer.
    for (const command of ['/start', '/help', '/status', '/help']) {
      const before = await page.getByRole('log').locator('p').count();
      await page.getByRole('button', { name: command }).click();
      await expect.poll(() => page.getByRole('log').locator('p').count()).toBeGreaterThanOrEqual(before + 4);
    }
    const below = await page.evaluate(() => {
      const footer = document.querySelector('footer')?.getBoundingClientRect().bottom ?? 0;
      return document.documentElement.scrollHeight - Math.max(innerHeight, Math.ceil(footer + scrollY));
    });
    expect(below).toBeLessThanOrEqual(1);
  });
}
