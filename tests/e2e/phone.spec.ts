import { expect, hydrated, test } from './product.ts';

test.describe('on a phone', () => {
  test('the menu slides over, closes after a choice, and nothing is wider than the screen', async ({ page }) => {
    await page.goto('/app');
    await hydrated(page);
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    await expect(sidebar).toBeHidden();
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(sidebar).toBeVisible();
    await sidebar.getByRole('link', { name: 'Dashboard' }).click();
    await expect(sidebar).toBeHidden();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  });

  test('the table keeps asset, price and change; the rest is behind the row', async ({ page }) => {
    await page.goto('/app');
    await hydrated(page);
    await expect(page.getByRole('columnheader', { name: 'Price' })).toBeVisible();
    await expect(page.getByRole('columnheader', { name: 'Market cap' })).toBeHidden();
    await page
      .locator('[data-coin="bitcoin"]')
      .getByRole('button', { name: /Bitcoin/ })
      .click();
    const detail = page.getByRole('region', { name: 'Bitcoin in detail' });
    await expect(detail.getByText('Market cap', { exact: true })).toBeVisible();
  });

  test('the landing page has a menu', async ({ page }) => {
    await page.goto('/');
    await page.locator('summary').first().click();
    await expect(page.getByRole('link', { name: 'Pricing' }).last()).toBeVisible();
  });
});
