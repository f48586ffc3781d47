import { expect, hydrated, test } from './product.ts';

test.describe('app shell', () => {
  test('the palette finds a coin and opens its details', { tag: '@core' }, async ({ page }) => {
    await page.goto('/app');
    await hydrated(page);
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    // Keys work once the page has settled.
    await expect(async () => {
      await page.keyboard.press('Control+k');
      await expect(palette).toBeVisible({ timeout: 3_000 });
    }).toPass();
    await page.keyboard.type('ethereum');
    await page.keyboard.press('Enter');
    await expect(palette).toBeHidden();
    await expect(page).toHaveURL(/coin=ethereum/);
  });

  test('the theme choice persists', { tag: '@core' }, async ({ page }) => {
    await page.goto('/app');
    await hydrated(page);
    const theme = () => page.evaluate(() => document.documentElement.dataset['theme']);
    const before = await theme();
    await page.getByRole('button', { name: /theme/i }).click();
    const after = await theme();
    expect(after).not.toBe(before);
    await page.reload();
    expect(await theme()).toBe(after);
  });

  test('single keys open pages and settings; blue and orange persists after a reload', async ({ page }) => {
    await page.goto('/app');
    await hydrated(page);
    const settings = page.getByRole('dialog', { name: 'Settings and shortcuts' });
    // The code of the single keys loads after the first paint.
    await expect(async () => {
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible({ timeout: 1000 });
    }).toPass();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Settings and shortcuts' }).click();
    const up = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--up'));
    const green = await up();
    await settings.getByRole('radio', { name: /^Blue and orange/ }).check();
    await page.keyboard.press('Escape');
    await expect(settings).toBeHidden();
    const blue = await up();
    expect(blue).not.toBe(green);
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await expect(page).toHaveURL(/\/app\/sources$/);
    await expect(page.getByRole('heading', { level: 1, name: 'Data Sources' })).toBeVisible();
    await page.reload();
    expect(await up()).toBe(blue);
  });

  test('keeps the previous page until the next loads; prefetches likely pages when idle, others on hover', {
    tag: '@core',
  }, async ({ page }) => {
    const script = (name: string) => page.waitForRequest(new RegExp(`/assets/${name}-[\\w-]+\\.js`));
    const likely = Promise.all(['events-page', 'history-page', 'track-record-page'].map(script));
    const answer = Promise.withResolvers<void>();
    await page.route(/\/assets\/terms-page-/, async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.goto('/app');
    await hydrated(page);
    await likely;
    const link = page.getByRole('contentinfo').getByRole('link', { name: 'Terms & Conditions' });
    const [asked] = await Promise.all([script('terms-page'), link.hover()]);
    expect(asked.method()).toBe('GET');
    await link.click();
    await expect(page).toHaveURL(/\/app\/terms$/);
    await expect(page.getByRole('progressbar', { name: 'Loading' })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'Market Dashboard' })).toBeVisible();
    answer.resolve();
    await expect(page.getByRole('heading', { level: 1, name: 'Terms & Conditions' })).toBeVisible();
    await expect(page.getByRole('progressbar', { name: 'Loading' })).toHaveCount(0);
  });

  test('the footer shows the years, the version and its four links', async ({ page }) => {
    await page.goto('/app');
    const footer = page.getByRole('contentinfo');
    await expect(footer).toContainText(/© 2025–20\d\d Meridian/);
    await expect(footer).toContainText('v1.0.0');
    for (const [name, href] of [
      ['Contact', '/app/contact'],
      ['Privacy Policy', '/app/privacy'],
      ['Terms & Conditions', '/app/terms'],
      ['About', '/app/about'],
    ] as const) {
      await expect(footer.getByRole('link', { name })).toHaveAttribute('href', href);
    }
  });

  test('the sidebar footer shows feed health and the next collection', async ({ page }) => {
    await page.goto('/app');
    await hydrated(page);
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    await expect(sidebar.getByText(/feeds healthy/)).toBeVisible();
    await expect(sidebar.getByText(/Next collection \d\d:00 UTC/)).toBeVisible();
  });

  test('all requests go to the product itself, under a strict content policy', { tag: '@core' }, async ({
    page,
    problems,
  }) => {
    const response = await page.goto('/app?coin=bitcoin');
    await hydrated(page);
    const policy = response?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    await expect(page.locator('canvas').first()).toBeVisible();
    expect(problems).toEqual([]);
  });

  test('text injected as markup is blocked, and every story would notice', async ({ page, problems }) => {
    await page.goto('/app');
    await hydrated(page);
    const refused = await page.evaluate(() => {
      try {
        document.createElement('div').innerHTML = '<b>text</b>';
      } catch (error) {
        return String(error);
      }
      return null;
    });
    expect(refused).toContain('TrustedHTML');
    await expect.poll(() => problems.splice(0)).toEqual([expect.stringContaining('TrustedHTML')]);
  });
});
