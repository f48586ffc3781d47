import { expect, test } from './product.ts';

test.describe('a visitor lands', () => {
  test('the hero shows real prices that move, without React', async ({ page, product }) => {
    const scripts: string[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) scripts.push(response.url());
    });
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Market intelligence\s+that keeps score\./);
    const prices = () => page.locator('main table').first().innerText();
    const before = await prices();
    for (const symbol of ['BTC', 'ETH', 'SOL', 'SUI', 'XRP']) expect(before).toContain(symbol);
    await expect.poll(prices, { timeout: 30_000 }).not.toBe(before);
    const bytes = await Promise.all(scripts.map(async (url) => (await (await fetch(url)).arrayBuffer()).byteLength));
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2500);
    expect(product.url).toBeTruthy();
  });

  test('the stat strip counts what this instance has', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByText('250+')).toBeVisible();
    await expect(page.getByText('cryptocurrencies')).toBeVisible();
    await expect(page.getByText('data sources').first()).toBeVisible();
    await expect(page.getByText('24/7')).toBeVisible();
    await expect(page.getByText(/99\.9%/).first()).toBeVisible();
  });

  test('its links lead into the app', async ({ page }) => {
    await page.goto('/');
    const nav = page.getByRole('navigation', { name: 'Main' }).first();
    await expect(nav.getByRole('link', { name: 'About' })).toHaveAttribute('href', '/about');
    await expect(nav.getByRole('link', { name: 'Pricing' })).toHaveAttribute('href', '/#pricing');
    await nav.getByRole('link', { name: 'Pricing' }).click();
    await expect(page).toHaveURL(/\/#pricing$/);
    const pricing = page.getByRole('region', { name: /Open to look/ });
    await expect(pricing.getByRole('heading', { level: 2 })).toBeInViewport();
    for (const price of ['$0', '$29.99', '$99']) await expect(pricing.getByText(price, { exact: true })).toBeVisible();
    await expect(pricing.getByRole('link', { name: 'Get Pro' })).toHaveAttribute('href', '/app/subscription');
    await page.getByRole('link', { name: 'Launch App' }).first().click();
    await expect(page).toHaveURL(/\/app$/);
    await expect(page.getByRole('heading', { name: 'Market Dashboard' })).toBeVisible();
  });

  test('in demo mode the page says so', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByText('Demo data').first()).toBeVisible();
  });
});
