import { sourcesOf, untilPictured } from './picture.ts';
import { expect, hydrated, test } from './product.ts';

test('every source is named with its state, its record and its licence', async ({ page, product }) => {
  await untilPictured(product);
  await page.goto('/app');
  await hydrated(page);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Data sources' }).click();
  await expect(page).toHaveURL(/\/app\/sources$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Data sources' })).toBeVisible();
  await expect(page.getByText('Demo data: the built-in sandbox stands in')).toBeVisible();

  const sources = await sourcesOf(product);
  const item = (name: string) =>
    page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { level: 3, name: `${name} (`, exact: false }) });
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(sources.length);
  await expect
    .poll(() => page.getByRole('listitem').filter({ hasText: 'State: OK' }).count())
    .toBeGreaterThanOrEqual(15);
  for (const { name, licence, attribution } of sources) {
    await expect(item(name), name).toContainText(licence);
    if (attribution) await expect(item(name), name).toContainText(attribution);
    await expect(item(name).getByRole('link'), name).toHaveAttribute('href', /^https:\/\//);
  }
  await expect(item('Bybit')).toContainText(/\d+\.\d% · \d+ ms/);
  await expect(item('Coin Metrics')).toContainText('Key missing');
  const summary = page.getByRole('heading', { level: 2 }).first();
  await expect(summary).toHaveText(/^(1[5-9]|[2-9]\d) of \d+ healthy(, \d+ on standby)?, 2 without their keys$/);
});
