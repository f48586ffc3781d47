import { expectNoViolation } from './axe.ts';
import { enterDemo, LONG } from './people.ts';
import { expect, test } from './product.ts';

const TAB = '/app/admin?tab=telegram';

test('an administrator connects a chat, writes an announcement, tests it, sends it, and reads it on the phone', async ({
  page,
}) => {
  test.setTimeout(180_000);
  const title = `Maintenance ${Date.now()}`;
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  await enterDemo(page, 'admin', TAB);

  const panel = region('Telegram');
  await expect(panel.getByText(/^(Not connected|Connected)$/)).toBeVisible(LONG);
  if (await panel.getByText('Not connected').isVisible()) {
    await panel.getByRole('button', { name: 'Generate Verification Code' }).click();
    await expect(page.getByText(/^[A-Z0-9]{8}$/)).toBeVisible(LONG);
    await page.goto('/app/phone');
    await page.getByRole('button', { name: /^Send your code/ }).click(LONG);
    await expect(region('Telegram').getByText('Connected', { exact: true })).toBeVisible(LONG);
    await page.goto(TAB);
  }
  await expect(region('Bot').getByText('@MeridianDemoBot')).toBeVisible(LONG);
  await expect(region('Connected users').getByText('admin@meridian.example')).toBeVisible(LONG);
  await expect(region('Recent commands').getByText('/verify').first()).toBeVisible(LONG);

  const card = region('Announcement');
  await card.getByLabel('Message', { exact: true }).fill(`*${title}*\n<i>Nothing</i> you have to do.`);
  const preview = card.getByRole('region', { name: 'Preview' });
  await expect(preview.locator('strong', { hasText: title })).toBeVisible();
  await card.getByRole('button', { name: 'Send test to me' }).click(LONG);
  await expect(page.getByText('Sent to your chat')).toBeVisible(LONG);
  await expectNoViolation(page);

  await card.getByRole('button', { name: /^Send to \d/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Send to \d/ });
  await expect(dialog.getByText(title)).toBeVisible(LONG);
  await expectNoViolation(page, 'dialog');
  await dialog.getByRole('button', { name: /^Send to \d/ }).click();
  const row = region('Announcements so far').getByRole('listitem').filter({ hasText: title });
  await expect(row.getByText('Waiting', { exact: true })).toHaveCount(0, LONG);
  await expect(row.getByRole('button', { name: 'Cancel' })).toHaveCount(0);
  await row.locator('summary').click();
  await expectNoViolation(page);

  await page.goto('/app/phone');
  const chat = page.getByRole('log', { name: 'Conversation with the bot' });
  await expect(chat.locator('strong', { hasText: title })).toHaveCount(2, LONG);
  await expect(chat.getByText('<i>Nothing</i> you have to do.').first()).toBeVisible();
});
