import { expectNoViolation } from './axe.ts';
import { enterDemo } from './people.ts';
import { expect, test } from './product.ts';

test('an administrator collects a source and runs a job, and sees both outcomes', { tag: '@core' }, async ({
  page,
}) => {
  await enterDemo(page, 'admin', '/app/admin?tab=sources');
  const source = page.getByRole('row', { name: /^Cleveland Fed/ });
  await source.getByRole('button', { name: 'Collect now' }).click();
  await expect(source.getByRole('status')).toContainText(/Responded|Not requested/);

  await page.getByRole('link', { name: 'Jobs', exact: true }).click();
  const job = page.getByRole('row', { name: /^auth\.retention/ });
  await job.getByRole('button', { name: 'Run now' }).click();
  await expect(job.getByRole('button', { name: 'Run now' })).toBeVisible();
  await expect(job.getByRole('cell').nth(2)).toContainText(/s ago/);
});

test('editing a setting causes no axe violation in either theme', async ({ page }) => {
  await enterDemo(page, 'admin', '/app/admin?tab=settings');
  await page.getByRole('button', { name: 'Change' }).first().click();
  await expectNoViolation(page);
});
