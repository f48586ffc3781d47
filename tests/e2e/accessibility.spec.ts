import { AxeBuilder } from '@axe-core/playwright';

import { expect, hydrated, test } from './product.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`axe, ${colorScheme}`, () => {
    test.use({ colorScheme });

    for (const [what, path] of [
      ['the landing page', '/'],
      ['the dashboard', '/app'],
      ["a coin's detail", '/app?coin=bitcoin'],
      ['the data sources', '/app/sources'],
      ['the 404 page', '/no/such/page'],
      ['the 404 page in the app', '/app/history'],
    ] as const) {
      test(`${what} has no violation`, async ({ page }) => {
        await page.goto(path);
        if (path.startsWith('/app')) await hydrated(page);
        if (path === '/app') await expect(page.getByText('Stablecoin supply ratio')).toBeVisible();
        if (path.includes('coin=')) await expect(page.locator('canvas').first()).toBeVisible({ timeout: 30_000 });
        const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)).toEqual([]);
      });
    }
  });
}
