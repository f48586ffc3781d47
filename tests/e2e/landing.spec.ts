import { expectNoViolation } from './axe.ts';
import { expect, test } from './product.ts';

test.describe('landing page visit', () => {
  test('the hero shows demo mode and live prices, without React', { tag: '@core' }, async ({ page, product }) => {
    const scripts: string[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) scripts.push(response.url());
    });
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Market intelligence\s+that keeps score\./);
    await expect(page.getByText('Demo data').first()).toBeVisible();
    const prices = () => page.locator('main table').first().innerText();
    const before = await prices();
    for (const symbol of ['BTC', 'ETH', 'SOL', 'SUI', 'XRP']) expect(before).toContain(symbol);
    await expect.poll(prices).not.toBe(before);
    const bytes = await Promise.all(scripts.map(async (url) => (await (await fetch(url)).arrayBuffer()).byteLength));
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2500);
    expect(product.url).toBeTruthy();
  });

  test('six sections of the running instance, the record above them, in both themes without a violation', async ({
    page,
  }) => {
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(error.message));
    const strip = page.getByRole('img', { name: /^Latest 60 graded calls, oldest first/ });
    const alert = page.getByRole('region', { name: 'Alerts you can trace.' });
    // Record and alerts of the demo's past are written while the product runs.
    test.setTimeout(480_000);
    await expect(async () => {
      await page.goto('/');
      await expect(strip).toBeVisible({ timeout: 1000 });
      await expect(alert.getByText('Evaluated', { exact: true }).first()).toBeVisible({ timeout: 1000 });
    }).toPass({ timeout: 420_000 });
    await expect(page.getByText('on the simulated market (demo)')).toBeVisible();
    const api = page.getByRole('region', { name: 'Data that travels with its proof.' });
    for (const [name, text] of [
      ['A price is what someone measured.', 'How far sources disagree'],
      ['Every call is graded. The wrong ones too.', '24-hour track record'],
      ['What’s next, and what the market expects.', 'Consensus'],
      ['No number without its birth certificate.', 'Stale after'],
    ] as const)
      await expect(page.getByRole('region', { name }).getByText(text, { exact: true }).first()).toBeVisible();
    await expect(api.getByText('"dataMode": "demo"')).toBeVisible();
    await expectNoViolation(page);
    expect(errors).toEqual([]);
  });

  test('at 390 nothing is wider than the screen, and the menu is keyboard accessible', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    // The script of the page opens its stream last.
    const isReady = page.waitForRequest((request) => request.url().includes('topics=prices'));
    await page.goto('/');
    await isReady;
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    const menu = page.locator('summary[aria-label="Menu"]');
    const links = page.getByRole('navigation', { name: 'Mobile' });
    await menu.press('Enter');
    await expect(links.getByRole('link', { name: 'Launch App' })).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(links.getByRole('link', { name: 'About' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(links).toBeHidden();
    await expect(menu).toBeFocused();
    await menu.click();
    await expect(links).toBeVisible();
    await page.mouse.click(10, 700);
    await expect(links).toBeHidden();
    await menu.click();
    await links.getByRole('link', { name: 'Pricing' }).click();
    await expect(links).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Free to watch. Paid to be alerted.' })).toBeInViewport();
  });
});
