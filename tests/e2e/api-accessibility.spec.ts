import { expectNoViolation } from './axe.ts';
import { PASSWORD } from './dialog.ts';
import { enter, enterDemo, newPro } from './people.ts';
import { expect, hydrated, test } from './product.ts';

test.describe('axe, the public API', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('the API Keys tab and its dialogs have no violation', async ({ page }) => {
    await enter(page, await newPro(page, 'axe-keys'), PASSWORD, '/app/profile?tab=api-keys');
    await expect(page.getByText('No API keys yet')).toBeVisible();
    await page.getByText('As a table').click();
    await expectNoViolation(page);
    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('dialog', { name: 'Create an API key' });
    await form.getByLabel('Name').fill('Bot');
    await expectNoViolation(page);
    await form.getByRole('button', { name: 'Create Key' }).click();
    const shown = page.getByRole('dialog', { name: 'Your API key' });
    await expect(shown).toBeVisible();
    await expectNoViolation(page);
    await shown.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await expect(page.getByRole('dialog', { name: 'Regenerate Bot' })).toBeVisible();
    await expectNoViolation(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await expect(page.getByRole('dialog', { name: 'Deactivate API key' })).toBeVisible();
    await expectNoViolation(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    );
  });

  test('the reference page has no violation, with a response and several calls open', async ({ page }) => {
    await page.goto('/app/api#post-thresholds');
    await hydrated(page);
    await expect(page.getByLabel('Request body (JSON)')).toBeVisible();
    await page.getByRole('button', { name: /crypto-prices Prices/ }).click();
    const prices = page.locator('#get-crypto-prices');
    await prices.getByText('prices', { exact: true }).click();
    await prices.getByText(/^Other responses/).click();
    await page.route('**/api/v1/crypto-prices', (route) => route.fulfill({ json: { prices: [] } }));
    await prices.getByLabel('API key').fill('mk_live_any');
    await prices.getByRole('button', { name: 'Send' }).click();
    await expect(prices.getByRole('group', { name: 'Response' })).toBeVisible();
    await page.evaluate(() => scrollTo(0, 0));
    await expectNoViolation(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    );
  });

  test('the API keys upsell for free accounts has no violation', async ({ page }) => {
    await enterDemo(page, 'free', '/app/profile?tab=api-keys');
    await expect(page.locator('main').getByRole('link', { name: 'Upgrade to Pro' }).first()).toBeVisible();
    await expectNoViolation(page);
  });
});
