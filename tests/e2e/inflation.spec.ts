import { card } from './picture.ts';
import { expect, hydrated, test } from './product.ts';

type Latest = { ppi: { date: string; ppiYoY: number }; cpi: { cpiYoY: number | null } };

/** The latest figures released by the simulated agencies, not those shipped with the product. */
async function newest(url: string): Promise<Latest> {
  let latest: Latest | undefined;
  const monthAgo = new Date(Date.now() - 45 * 86_400_000).toISOString().slice(0, 10);
  await expect(async () => {
    latest = (await (await fetch(`${url}/api/inflation/latest`)).json()) as Latest;
    expect(latest.ppi.date > monthAgo).toBe(true);
  }).toPass({ timeout: 60_000 });
  return latest as Latest;
}

test.describe('inflation', () => {
  test.use({ quiet: false });

  test('the card shows three indexes, their reading and forecasts, and the last official date', {
    tag: '@core',
  }, async ({ page, product }) => {
    const { ppi } = await newest(product.url);
    await page.goto('/app');
    await hydrated(page);
    const shown = await card(page, 'Inflation');
    const prices = shown.getByRole('region', { name: 'PPI' });
    await expect(prices).toContainText(`${ppi.ppiYoY.toFixed(1)}%`);
    for (const name of ['CPI', 'PCE', 'Market reading', 'Forecasts'])
      await expect(shown.getByRole('region', { name })).toBeVisible();
    await expect(shown).toContainText('are official figures');
    await prices.getByRole('button', { name: /^Where it comes from: PPI, year over year/ }).click();
    await expect(page.getByText('Stale after').first()).toBeVisible();
    await page.keyboard.press('Escape');
    await shown.getByRole('button', { name: 'How it’s calculated' }).click();
    await expect(shown.getByRole('table', { name: /Each term is/ }).getByRole('row')).toHaveCount(7);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(over).toBeLessThanOrEqual(0);
  });

  test('a release-day note appears once and closes automatically', async ({ page, product }) => {
    const { ppi } = await newest(product.url);
    await page.clock.install({ time: new Date(`${ppi.date}T15:00:00Z`) });
    await page.goto('/app');
    await hydrated(page);
    const note = page.getByRole('dialog', { name: 'PPI Data Released' });
    await expect(note).toBeVisible();
    await expect(note).toContainText('Core month');
    await page.clock.fastForward(10_400);
    await expect(note).toBeHidden();
    const again = page.waitForResponse('**/api/inflation/latest');
    await page.reload();
    await hydrated(page);
    await again;
    await expect(note).toBeHidden();
  });
});
