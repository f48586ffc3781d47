import { PNG } from '../support/logo.ts';

import { enterDemo } from './people.ts';
import { expect, hydrated, test } from './product.ts';

test('a visitor writes to support with a screenshot; the administrator reads and resolves it', {
  tag: '@core',
}, async ({ page }) => {
  const subject = `The price of SUI ${Date.now()}`;
  await page.goto('/app/contact');
  await hydrated(page);
  await page.getByLabel('Name').fill('Ann');
  await page.getByLabel('Email').fill('ann@example.com');
  await page.getByLabel('Subject').fill(subject);
  await page.getByLabel('Message', { exact: true }).fill('<b>It</b> has not moved for an hour.');
  await page.getByLabel('Screenshot (optional)').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PNG });
  const sum = await page.getByText(/^What is \d/).textContent();
  const [, a, operator, b] = /(\d+) (\w+) (\d+)/.exec(sum ?? '') ?? [];
  const results = { plus: Number(a) + Number(b), minus: Number(a) - Number(b), times: Number(a) * Number(b) };
  await page.getByLabel(/^What is/).fill(String(results[operator as keyof typeof results]));
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('heading', { name: 'Message Sent!' })).toBeFocused();

  await enterDemo(page, 'admin', '/app/admin?tab=messages');
  await page.getByRole('button', { name: new RegExp(subject) }).click();
  const dialog = page.getByRole('dialog', { name: subject });
  await expect(dialog.getByText('<b>It</b> has not moved for an hour.')).toBeVisible();
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download screenshot' }).click();
  expect((await download).suggestedFilename()).toMatch(/^message-\d+-screenshot/);
  await dialog.getByRole('button', { name: 'Mark as settled' }).click();
  await expect(dialog.getByText('Settled', { exact: true }).first()).toBeVisible();
});
