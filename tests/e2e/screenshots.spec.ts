import { hydrated, test } from './product.ts';

const STATES = [
  ['landing', '/', null],
  ['dashboard', '/app', null],
  ['all-coins', '/app', 'Show all 250'],
  ['coin', '/app?coin=bitcoin', null],
  ['sources', '/app/sources', null],
  ['not-found', '/app/history', null],
] as const;

for (const width of [1440, 390]) {
  for (const colorScheme of ['dark', 'light'] as const) {
    test.describe(`${width} ${colorScheme}`, () => {
      test.use({ colorScheme, viewport: { width, height: width > 800 ? 900 : 844 } });

      for (const [name, path, button] of STATES) {
        test(name, async ({ page }) => {
          await page.goto(path);
          if (path.startsWith('/app')) await hydrated(page);
          if (button) await page.getByRole('button', { name: button }).click();
          await page.waitForTimeout(2000);
          await page.screenshot({
            path: `artifacts/shots/${name}-${width}-${colorScheme}.png`,
            fullPage: name !== 'all-coins',
          });
        });
      }
    });
  }
}
