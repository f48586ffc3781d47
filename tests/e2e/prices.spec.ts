import { enterDemo } from './people.ts';
import { expect, hydrated, test } from './product.ts';

test.describe('a user opens the dashboard and watches the market', () => {
  test('server-side rendering: prices are present before any script runs', { tag: '@core' }, async ({
    browser,
    product,
  }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${product.url}/app`);
    await expect(page.getByRole('heading', { level: 1, name: 'Market Dashboard' })).toBeVisible();
    await expect(page.locator('[data-coin]')).toHaveCount(5);
    await expect(page.getByText('Demo data').first()).toBeVisible();
    await context.close();
  });

  test('the first view loads three code files, and nothing re-renders needlessly', async ({ page }) => {
    const files: string[] = [];
    page.on('request', (request) => {
      const path = new URL(request.url()).pathname;
      if (/\.(js|css)$/.test(path)) files.push(path.replace(/^\/assets\/|-[\w-]{8}(?=\.)/g, ''));
    });
    await page.setViewportSize({ width: 390, height: 700 });
    await page.goto('/app');
    await hydrated(page);
    await expect(page.getByRole('region', { name: 'Crypto Prices' }).getByText(/Updated \d+s ago/)).toBeVisible();
    expect(files.filter((file) => ['app.js', 'common.js', 'view.js'].includes(file)).toSorted()).toEqual([
      'app.js',
      'common.js',
      'view.js',
    ]);
    expect(files).not.toContain('app.css');
    // Hidden elements may animate; loading indicators animate only their opacity, or every frame would be repainted.
    const moving = await page.evaluate(() => [
      ...new Set(
        document
          .getAnimations()
          .filter(({ effect }) => effect?.getTiming().iterations === Number.POSITIVE_INFINITY)
          .flatMap(({ effect }) => (effect as KeyframeEffect).getKeyframes().flatMap((frame) => Object.keys(frame)))
          .filter((property) => !['offset', 'computedOffset', 'easing', 'composite'].includes(property)),
      ),
    ]);
    expect(moving).toEqual(['opacity']);
  });

  test('a star persists after a reload', { tag: '@core' }, async ({ page }) => {
    await page.goto('/app');
    await hydrated(page);
    await page.getByRole('button', { name: 'SUI on watchlist' }).click();
    await page.reload();
    await hydrated(page);
    await page.getByRole('button', { name: 'Watchlist', exact: true }).click();
    await expect(page.locator('[data-coin]')).toHaveCount(1);
    await expect(page.locator('[data-coin="sui"]')).toBeVisible();
  });

  test('a row opens its chart over five ranges and the latest value of every source', { tag: '@core' }, async ({
    page,
  }) => {
    await enterDemo(page, 'pro', '/app?coin=bitcoin');
    const detail = page.getByRole('region', { name: /Bitcoin/ }).first();
    await expect(detail.locator('canvas').first()).toBeVisible();
    for (const range of ['7d', '30d', '1y', 'all', '24h']) {
      await detail.getByRole('radio', { name: range }).click();
      await expect(detail.locator('canvas').first()).toBeVisible();
    }
    await expect(detail.getByRole('row', { name: /CoinGecko/ })).toBeVisible();
    await detail.getByRole('button', { name: 'Close detail' }).click();
    await expect(detail).toHaveCount(0);
    await expect(page.locator('[data-coin]')).toHaveCount(5);
    await page.locator('[data-coin="sui"]').getByRole('button', { expanded: false }).click();
    await page.getByRole('link', { name: 'Set alert' }).click();
    await expect(page.getByRole('article', { name: /^Sui price above/ }).getByText('Not saved yet')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save All' })).toBeEnabled();
  });

  test('prices update in place, each with source and age, on two pages of one browser over one stream', {
    tag: '@core',
  }, async ({ context, product }) => {
    const [first, second] = [await context.newPage(), await context.newPage()];
    for (const page of [first, second]) {
      await page.goto(`${product.url}/app`);
      await hydrated(page);
    }
    for (const page of [first, second]) {
      const text = () => page.locator('[data-coin="bitcoin"]').innerText();
      const before = await text();
      await expect.poll(text).not.toBe(before);
      const card = page.getByRole('region', { name: 'Crypto Prices' });
      await expect(card.getByText(/Updated \d+s ago/).first()).toBeVisible();
      await expect(card.getByText(/(Coinbase|OKX|CoinGecko) \(demo\)/).first()).toBeVisible();
    }
  });
});
