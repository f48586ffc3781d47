import { expectNoViolation } from './axe.ts';
import { enterDemo } from './people.ts';
import { expect, test } from './product.ts';

const TAB = '/app/admin?tab=telegram';

test('an administrator connects a chat, then writes, tests and sends an announcement and reads it on the phone', {
  tag: '@core',
}, async ({ page }) => {
  const title = `Maintenance ${Date.now()}`;
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  await enterDemo(page, 'admin', TAB);

  const panel = region('Telegram');
  await expect(panel.getByText(/^(Not connected|Connected)$/)).toBeVisible();
  if (await panel.getByText('Not connected').isVisible()) {
    await panel.getByRole('button', { name: 'Generate Verification Code' }).click();
    await expect(page.getByText(/^[A-Z0-9]{8}$/)).toBeVisible();
    await page.goto('/app/phone');
    await page.getByRole('button', { name: /^Send your code/ }).click();
    await expect(region('Telegram').getByText('Connected', { exact: true })).toBeVisible();
    await page.goto(TAB);
  }
  await expect(region('Bot').getByText('@MeridianDemoBot')).toBeVisible();
  await expect(region('Connected Users').getByText('admin@meridian.example')).toBeVisible();
  await expect(region('Recent Commands').getByText('/verify').first()).toBeVisible();

  const card = region('Announcement');
  await card.getByLabel('Message', { exact: true }).fill(`*${title}*\n<i>Nothing</i> you have to do.`);
  const preview = card.getByRole('region', { name: 'Preview' });
  await expect(preview.locator('strong', { hasText: title })).toBeVisible();
  await card.getByRole('button', { name: 'Send test to me' }).click();
  await expect(page.getByText('Sent to your chat')).toBeVisible();
  await expectNoViolation(page);

  await card.getByRole('button', { name: /^Send to \d/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Send to \d/ });
  await expect(dialog.getByText(title)).toBeVisible();
  await expectNoViolation(page, 'dialog');
  await dialog.getByRole('button', { name: /^Send to \d/ }).click();
  const row = region('Past Announcements').getByRole('listitem').filter({ hasText: title });
  await expect(row.getByText('Waiting', { exact: true })).toHaveCount(0);
  await expect(row.getByRole('button', { name: 'Cancel' })).toHaveCount(0);
  await row.locator('summary').click();
  await expectNoViolation(page);

  await page.goto('/app/phone');
  const chat = page.getByRole('log', { name: 'Conversation with the bot' });
  await expect(chat.locator('strong', { hasText: title })).toHaveCount(2);
  await expect(chat.getByText('<i>Nothing</i> you have to do.').first()).toBeVisible();
});

test('on a phone a long foreign webhook address wraps inside its card', async ({ page }) => {
  const at = new Date().toISOString();
  const address = `https://elsewhere.example/${'apitelegramwebhook/'.repeat(4)}`;
  const webhook = { address, isOurs: false, pending: 17, lastError: { at, words: `502 from ${address}` } };
  await page.route('**/api/admin/telegram/webhook', (route) => route.fulfill({ json: webhook }));
  await page.route('**/api/admin/telegram', async (route) => {
    const response = await route.fetch();
    const state = await response.json();
    const error = { at, words: `No answer from ${address}` };
    await route.fulfill({
      response,
      json: { ...state, bot: { ...state.bot, mode: 'webhook', error, webhook: { address, registeredAt: at } } },
    });
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await enterDemo(page, 'admin', TAB);
  await expect(page.getByText(/^Telegram calls a different URL/)).toBeVisible();
  const over = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(await over()).toBe(0);
});
