import { expect, hydrated, test } from './product.ts';

type Latest = { cpi: { date: string; cpiYoY: number } | null; ppi: { date: string } | null };

test.describe('inflation', () => {
  test('the card shows three indexes, their reading and the forecasts, and says up to when figures are true', async ({
    page,
  }) => {
    await page.goto('/app');
    await hydrated(page);
    const card = page.getByRole('region', { name: 'Inflation' });
    await card.scrollIntoViewIfNeeded();
    const latest = (await (await page.request.get('/api/inflation/latest')).json()) as Latest;
    const cpi = card.getByRole('region', { name: 'CPI' });
    await expect(cpi).toContainText(`${latest.cpi?.cpiYoY.toFixed(1)}%`);
    for (const name of ['PCE', 'PPI', 'Market reading', 'Forecasts'])
      await expect(card.getByRole('region', { name })).toBeVisible();
    await expect(card).toContainText('are true figures');
    await cpi.getByRole('button', { name: /^Where it comes from: CPI, year over year/ }).click();
    await expect(page.getByText('Stale after').first()).toBeVisible();
    await page.keyboard.press('Escape');
    await card.getByRole('button', { name: /^Score/ }).click();
    await expect(card.getByRole('table', { name: /Each term is/ }).getByRole('row')).toHaveCount(7);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(over).toBeLessThanOrEqual(0);
  });

  test('on the day of a release a note opens once and goes away by itself', async ({ page }) => {
    const latest = (await (await page.request.get('/api/inflation/latest')).json()) as Latest;
    await page.clock.install({ time: new Date(`${latest.ppi?.date}T15:00:00Z`) });
    await page.goto('/app');
    await hydrated(page);
    const note = page.getByRole('dialog', { name: 'PPI Data Released' });
    await expect(note).toBeVisible();
    await expect(note).toContainText('Core month');
    await page.clock.fastForward(10_400);
    await expect(note).toBeHidden();
    await page.reload();
    await hydrated(page);
    await page.waitForResponse('**/api/inflation/latest');
    await expect(note).toBeHidden();
  });
});
