import { expectNoViolation } from './axe.ts';
import { enterDemo } from './people.ts';
import { expect, test } from './product.ts';

test('an administrator posts an incident, visible to all on the status page until resolved', {
  tag: '@core',
}, async ({ page }) => {
  const title = `Emails are late ${Date.now()}`;
  const measuredTo = async () => (await (await page.request.get('/api/status')).json()).measuredTo;
  // The product measures its status once a minute.
  await expect.poll(measuredTo, { timeout: 90_000 }).not.toBeNull();
  await enterDemo(page, 'admin', '/app/admin?tab=status');
  await page.getByRole('button', { name: 'New incident' }).click();
  const form = page.getByRole('dialog', { name: 'New incident' });
  await form.getByLabel('Title').fill(title);
  await form.getByLabel('Impact').selectOption('Major impact');
  await form.getByLabel('Alerts and notifications').check();
  await form.getByLabel('Message').fill('<b>Our</b> mail server answers slowly.');
  await expectNoViolation(page);
  await form.getByRole('button', { name: 'Publish' }).click();
  const row = page.getByRole('article', { name: title });
  await expect(row.getByText('Investigating', { exact: true })).toBeVisible();
  await expectNoViolation(page);

  // The page is rendered shortly after the data is written.
  await expect(async () => {
    await page.goto('/status');
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(page.getByText('<b>Our</b> mail server answers slowly.').first()).toBeVisible();
  await expect(page.getByRole('img', { name: /^Website and API: \d+ of 90 days measured/ })).toBeVisible();
  await expect(page.getByText(/^Measured to .*s ago\.$/)).toBeVisible();
  await page.getByText('Day by day').first().click();
  await expectNoViolation(page);

  await page.goto('/app/admin?tab=status');
  await page.getByRole('button', { name: `Add update to ${title}` }).click();
  const update = page.getByRole('dialog', { name: `Update: ${title}` });
  await update.getByLabel('State').selectOption('Resolved');
  await update.getByLabel('Message').fill('All mails have gone out.');
  await update.getByRole('button', { name: 'Resolve' }).click();
  await expect(row.getByText('Resolved', { exact: true })).toBeVisible();
  const resolved = expect.objectContaining({ title, stage: 'resolved', endsAt: expect.any(String) });
  const read = async () => (await (await page.request.get('/api/status')).json()).incidents;
  await expect.poll(read).toContainEqual(resolved);
});
